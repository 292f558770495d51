#!/bin/sh
# Description: a wrong setting gets one warning that names variable, value and what is used instead;
# right ones get none; OMP_DISPLAY_ENV shows them.
set -eu
cd "$(dirname "$0")/../.."
out=build/tests/kmpc/env
printf 'int omp_get_max_threads(void);\nint main(void) { return !omp_get_max_threads(); }\n' >$out.c
gcc -static $out.c build/lib/glibc/libsolo.a -o $out
bad=0
wrong() { # variable value what is used
  text=$(env "$1=$2" $out 2>&1 || true)
  case $text in
  *"$1=\"$2\""*"used instead: $3"*) ;;
  *) echo "$1=$2: '$text'"; bad=1 ;;
  esac
}
wrong OMP_NUM_THREADS 0 'the number of processors'
wrong OMP_NUM_THREADS 4,x 'the number of processors'
wrong OMP_DYNAMIC perhaps false
wrong OMP_SCHEDULE dynamic,-3 static
wrong OMP_SCHEDULE sometimes static
wrong OMP_PROC_BIND near false
wrong OMP_STACKSIZE 4X 4M
wrong OMP_WAIT_POLICY lazy 'to spin, then sleep'
wrong OMP_MAX_ACTIVE_LEVELS -1 1
wrong OMP_NESTED 7x false
wrong OMP_THREAD_LIMIT none 'no limit'
wrong OMP_TEAMS_THREAD_LIMIT 0 'no limit'
wrong OMP_NUM_TEAMS many '1 where not said'
wrong OMP_CANCELLATION x false
wrong OMP_DISPLAY_ENV loud false
wrong OMP_MAX_TASK_PRIORITY -2 0
wrong KMP_BLOCKTIME soon '5 ms'
right() {
  text=$(env "$@" $out 2>&1 || true)
  [ -z "$text" ] || { echo "$*: '$text'"; bad=1; }
}
right OMP_NUM_THREADS=' 4, 3 ,2' OMP_SCHEDULE='monotonic:guided,7' OMP_PROC_BIND=spread,close \
  OMP_STACKSIZE='2 M' OMP_WAIT_POLICY=ACTIVE OMP_DYNAMIC=TRUE KMP_BLOCKTIME=infinite
text=$(OMP_DISPLAY_ENV=verbose OMP_NUM_THREADS=4,2 OMP_SCHEDULE=guided,7 $out 2>&1)
for want in "OMP_NUM_THREADS='4,2'" "OMP_SCHEDULE='GUIDED,7'" "KMP_BLOCKTIME='5'"; do
  case $text in *"$want"*) ;; *) echo "not shown: $want"; bad=1 ;; esac
done
[ $bad = 0 ] && echo ok
exit $bad
