#!/bin/sh
# Description: checks the environment variables. An invalid value causes one warning with the variable, the value and
# the replacement; a valid value has its effect. Also checks the displays of settings, the affinity mask and the cgroup
# quota.
set -eu
cd "$(dirname "$0")/../.."
out=build/tests/kmpc/env
cc=clang-19
command -v $cc >/dev/null || { echo "skipped: no $cc"; exit 77; }
mkdir -p build/tests/kmpc
$cc -O1 -fopenmp -isystem build/include -c tests/kmpc/env_report.c -o $out.o
gcc -static $out.o build/lib/glibc/libsolo.a -o $out
bad=0
fail() { echo "failed: $*"; bad=1; }
procs=$($out numbers | sed -n 's/^procs //p')

# invalid values
asked=
wrong() { # variable value replacement
  asked="$asked $1"
  text=$(env "$1=$2" $out numbers 2>&1 >/dev/null || true)
  case $text in
  *"$1=\"$2\""*"used instead: $3"*) ;;
  *) fail "$1=$2: '$text'" ;;
  esac
  [ "$(printf '%s\n' "$text" | wc -l)" = 1 ] || fail "$1=$2: more than one line: $text"
}
for value in 4294967296 32767 0 -1 4,x 4,,2 4, , 1,2,3,4,5,6,7,8,9,x 4.5; do
  wrong OMP_NUM_THREADS $value 'the number of processors'
done
wrong OMP_DYNAMIC perhaps false
for value in dynamic,-3 sometimes static,0 'dynamic,4 4' monotonic: faster:dynamic static,x; do
  wrong OMP_SCHEDULE "$value" static
done
for value in near close,near true,close close,,spread; do wrong OMP_PROC_BIND $value false; done
for value in 4X -4M 0 1T 65G 99999999999G M; do wrong OMP_STACKSIZE $value 'ulimit -s, 4M to 64M'; done
wrong KMP_STACKSIZE many 'ulimit -s, 4M to 64M'
wrong OMP_WAIT_POLICY lazy 'spin, then sleep'
wrong OMP_MAX_ACTIVE_LEVELS -1 1
wrong OMP_NESTED 7x false
for value in none 0 -2; do wrong OMP_THREAD_LIMIT $value 'no limit'; done
wrong OMP_TEAMS_THREAD_LIMIT 0 'no limit'
for value in many 9223372036854775807 4294967296; do wrong OMP_NUM_TEAMS $value '1 if not set'; done
wrong OMP_CANCELLATION x false
wrong OMP_DISPLAY_ENV loud false
wrong OMP_DISPLAY_AFFINITY loud false
for value in granularity=fine,compact,1,0 closest; do wrong KMP_AFFINITY $value none; done
wrong OMP_MAX_TASK_PRIORITY -2 0
wrong OMP_DEFAULT_DEVICE first 0
wrong OMP_TARGET_OFFLOAD always default
for value in omp_fast_mem_alloc 4 omp_default_mem_alloc:alignment=64 omp_default_mem_space: \
  omp_default_mem_space:alignment=3 omp_default_mem_space:alignment=64k omp_default_mem_space:colour=red \
  omp_default_mem_space:pinned omp_default_mem_space:fallback=nothing omp_default_mem_space:pinned=true, omp_default_mem_space:,pinned=true; do
  wrong OMP_ALLOCATOR $value omp_default_mem_alloc
done
wrong KMP_FORCE_REDUCTION ring 'the method that fits'
wrong KMP_DETERMINISTIC_REDUCTION 2x false
for value in soon -1 5x; do wrong KMP_BLOCKTIME $value '5 ms'; done
for value in planets '{0' '{0},' '{x}' '{0}:0' 'cores(0)' 'cores(2' 'cores(2)x' '{0:2,!1:2}' '!' '{99999}'; do
  text=$(env "OMP_PLACES=$value" $out numbers 2>&1 >/dev/null || true)
  case $text in *"OMP_PLACES=\"$value\""*"cores"*"used"*) ;; *) fail "OMP_PLACES=$value: '$text'" ;; esac
done
missing() { # value, missing processors, omitted places, number of places (0: cores)
  text=$(env "OMP_PLACES=$1" $out numbers 2>&1)
  case $text in *"OMP_PLACES=\"$1\""*"may not use: $2; places left out: $3"*) ;; *) fail "$1: '$text'" ;; esac
  [ "$(printf '%s\n' "$text" | grep -c warning)" = 1 ] || fail "$1: not one warning: $text"
  case $4,$text in 0,*"cores are used"*) ;; [1-9]*"places $4
"*) ;; *) fail "$1: not $4 places: $text" ;; esac
}
missing '{0},{4095}' 4095 '{4095}' 1
missing '{0},{4000:3},{4095}' 4000-4002,4095 '{4000-4002} {4095}' 1
missing '{0},{0,4095},0' 4095 none 3
missing '{4090}:6' 4090-4095 '{4090} {4091} {4092} {4093} {4094} {4095}; no place is left' 0
missing '{0},{0,!0}' none '{}' 1
# Each variable needs a test above, except the affinity format, for which any text is valid.
for name in $(sed -n 's/^  XX([a-z_]*, "\([OK]MP_[A-Z_]*\)".*/\1/p' runtime/base/settings.h); do
  case " $asked OMP_PLACES OMP_AFFINITY_FORMAT " in *" $name "*) ;; *) fail "no invalid value of $name tested" ;; esac
done

# valid values
is() { # mode, expected line, settings
  mode=$1 want=$2
  shift 2
  text=$(env "$@" $out "$mode" 2>&1 || echo "exit status $?")
  case "
$text
" in *"
$want
"*) ;; *) fail "$*: no '$want' in: $text" ;; esac
  case $text in *warning*) fail "$*: $text" ;; esac
}
is numbers 'max_threads 4' OMP_NUM_THREADS=' 4, 3 ,2'
is nested 'nested 4,3,2' OMP_NUM_THREADS=4,3,2
is nested 'nested 4,3,3' OMP_NUM_THREADS=4,3
is nested 'nested 4,1,1' OMP_NUM_THREADS=4,3 OMP_MAX_ACTIVE_LEVELS=1
is nested 'nested 3,3,1' OMP_NUM_THREADS=3 OMP_MAX_ACTIVE_LEVELS=2
is nested 'nested 2,2,2' OMP_NUM_THREADS=2 OMP_NESTED=true
is nested 'nested 2,1,1' OMP_NUM_THREADS=2 OMP_NESTED=false
is nested 'nested 3,2,2' OMP_NUM_THREADS=3,2,2,2,2,2,2,2,2,7 # too many levels
is nested 'nested 2,2,2' OMP_NUM_THREADS=2 OMP_PROC_BIND=close,close
is nested 'bind 4,3,2' OMP_NUM_THREADS=2,2,2 OMP_PROC_BIND=spread,close,primary
is nested 'bind 3,3,3' OMP_NUM_THREADS=2,2 OMP_PROC_BIND=close
is nested 'bind 0,0,0' OMP_NUM_THREADS=2 OMP_PROC_BIND=false
is numbers 'schedule 80000003,7' OMP_SCHEDULE='monotonic:guided,7'
is numbers 'schedule 2,1' OMP_SCHEDULE=' Nonmonotonic:Dynamic '
is numbers 'dynamic 1' OMP_DYNAMIC=TRUE
is region "region $procs" OMP_DYNAMIC=true OMP_NUM_THREADS=64
is region 'region 5' OMP_NUM_THREADS=5
is region 'region 3' OMP_NUM_THREADS=5 OMP_THREAD_LIMIT=3
is numbers 'limit 3' OMP_THREAD_LIMIT=3
is numbers 'levels 7' OMP_MAX_ACTIVE_LEVELS=7
is teams 'teams 3' OMP_NUM_TEAMS=3
is teams 'team_threads 2' OMP_TEAMS_THREAD_LIMIT=2
is numbers 'max_teams 3' OMP_NUM_TEAMS=3
is numbers 'teams_limit 2' OMP_TEAMS_THREAD_LIMIT=2
is numbers 'teams_limit 0' OMP_THREAD_LIMIT=9
is cancel 'after_cancel 2' OMP_CANCELLATION=false
is cancel 'after_cancel 0' OMP_CANCELLATION=true
is numbers 'priority 9' OMP_MAX_TASK_PRIORITY=9
is numbers 'device 2' OMP_DEFAULT_DEVICE=2
is numbers 'allocator 4' OMP_ALLOCATOR=omp_high_bw_mem_alloc
is allocator 'predefined 1 aligned 0 blocks 16' OMP_ALLOCATOR=omp_default_mem_alloc
is allocator 'predefined 0 aligned 0 blocks 16' OMP_ALLOCATOR=omp_large_cap_mem_space
is allocator 'predefined 0 aligned 1 blocks 16' OMP_ALLOCATOR='omp_default_mem_space:alignment=4096'
is allocator 'predefined 0 aligned 1 blocks 5' \
  OMP_ALLOCATOR=' OMP_const_mem_space : Alignment = 4096 , pool_size = 27000,fallback=null_fb,access=all'
is allocator 'predefined 0 aligned 0 blocks 16' \
  OMP_ALLOCATOR='omp_low_lat_mem_space:pool_size=1000,fallback=allocator_fb,fb_data=omp_high_bw_mem_alloc'
is numbers 'stacksize 2097152' OMP_STACKSIZE='2 M'
is numbers 'stacksize 65536' OMP_STACKSIZE=64
is numbers 'stacksize 4096' OMP_STACKSIZE=4096B
is stack 'stack 1' OMP_STACKSIZE=32M
# the default is the main thread's limit, between two bounds
for limit in 8192=8388608 1024=4194304 1000000=67108864 unlimited=67108864; do
  text=$(ulimit -S -s "${limit%=*}" && $out numbers)
  case $text in *"stacksize ${limit#*=}"*) ;; *) fail "ulimit -s ${limit%=*}: $text" ;; esac
done
[ "$(ulimit -S -s 32768 && $out stack)" = 'stack 1' ] || fail 'ulimit -s 32768: the stack of a worker is smaller'
is region 'region 5' OMP_STACKSIZE=1K OMP_NUM_THREADS=5 # raised to the minimum
is numbers 'blocktime 0' OMP_WAIT_POLICY=passive
is numbers 'blocktime 70' KMP_BLOCKTIME=70
is numbers 'blocktime 3' KMP_BLOCKTIME=3000us
is numbers 'places 2' OMP_PLACES='{0},{0}' 
is numbers 'places 1' OMP_PLACES='cores(1)'
is numbers 'places 1' OMP_PLACES='{0,!0,0},{0},{4095},!{0},0,!{4095}'
is numbers 'places 3' OMP_PLACES='0,{0:1}:2:0'
for word in threads cores ll_caches numa_domains sockets; do
  is numbers 'places 1' OMP_PLACES="$word(1)"
  [ -z "$(OMP_PLACES=$word $out numbers 2>&1 >/dev/null)" ] || fail "OMP_PLACES=$word: unexpected warning"
done
is nested 'bind 3,3,3' OMP_NUM_THREADS=2,2,2 KMP_AFFINITY=compact
is nested 'bind 4,4,4' OMP_NUM_THREADS=2,2,2 KMP_AFFINITY=scatter OMP_PROC_BIND=close
is nested 'bind 4,4,4' OMP_NUM_THREADS=2,2,2 KMP_AFFINITY=balanced
is nested 'bind 0,0,0' OMP_NUM_THREADS=2,2,2 KMP_AFFINITY=none OMP_PROC_BIND=close
is clause 'clause 0,0' OMP_PLACES='{0}'
is clause 'clause 0,1' OMP_PLACES='{0},{0}'
is clause 'clause 0,2' OMP_PLACES='{0},{0},{0},{0}' OMP_PROC_BIND=true
is clause 'clause -1,-1' OMP_PLACES='{0},{0}' OMP_PROC_BIND=false

# waiting
is idle 'idle S' OMP_WAIT_POLICY=passive
is idle 'idle S' KMP_BLOCKTIME=0
is idle 'idle S' KMP_BLOCKTIME=20
# also on a busy machine, where a yield may last a time slice
busy=
for i in 1 2 3 4 5 6; do
  timeout 60 sh -c 'while :; do :; done' &
  busy="$busy $!"
done
is idle 'idle S' KMP_BLOCKTIME=20
kill $busy
wait
is idle 'idle R' OMP_WAIT_POLICY=active
is idle 'idle R' KMP_BLOCKTIME=infinite
# KMP_BLOCKTIME also applies with more threads than processors
is idle 'idle S' IDLE_ON_ONE=1
is idle 'idle R' IDLE_ON_ONE=1 KMP_BLOCKTIME=infinite
is idle 'idle S' IDLE_ON_ONE=1 KMP_BLOCKTIME=20

# displays
text=$(OMP_DISPLAY_ENV=verbose OMP_NUM_THREADS=4,2 OMP_SCHEDULE=guided,7 OMP_PROC_BIND=spread,close \
  OMP_PLACES=cores KMP_BLOCKTIME=12 $out numbers 2>&1)
for want in "_OPENMP='202011'" "OMP_NUM_THREADS='4,2'" "OMP_SCHEDULE='GUIDED,7'" \
  "OMP_ALLOCATOR='omp_default_mem_alloc'" "KMP_BLOCKTIME='12'" "OMP_PROC_BIND='SPREAD,CLOSE'" "OMP_PLACES='cores'"; do
  case $text in *"$want"*) ;; *) fail "OMP_DISPLAY_ENV: missing $want" ;; esac
done
text=$(OMP_DISPLAY_AFFINITY=true OMP_AFFINITY_FORMAT='line %n of %N at level %L' OMP_NUM_THREADS=3 \
  $out region 2>/dev/null) # standard output, as with libomp
for want in 'line 0 of 3 at level 1' 'line 1 of 3 at level 1' 'line 2 of 3 at level 1'; do
  [ "$(printf '%s\n' "$text" | grep -cx "$want")" = 1 ] || fail "OMP_DISPLAY_AFFINITY: not exactly once: $want in $text"
done
# displayed again if the team size or thread number has changed
text=$(OMP_DISPLAY_AFFINITY=true OMP_AFFINITY_FORMAT='%n/%N at %L' $out changes | sort | uniq -c | tr -s ' \n' ' ;')
want=' 2 0/1 at 1; 1 0/1 at 2; 2 0/2 at 1; 1 0/3 at 1; 2 1/2 at 1; 1 1/3 at 1; 1 2/3 at 1; 1 changes 11;'
[ "$text" = "$want" ] || fail "OMP_DISPLAY_AFFINITY: $text, expected $want"

# processors
text=$(taskset -c 0 $out numbers)
case $text in *'procs 1'*) ;; *) fail "affinity mask of one processor: $text" ;; esac
[ "$(taskset -c 0 $out region)" = 'region 1' ] || fail 'affinity mask of one processor: a larger region'
quota() { # commands that write cgroup files in a mount namespace, processors
  text=$(unshare -m sh -c "mount -t tmpfs none /sys/fs/cgroup && cd /sys/fs/cgroup && $1 &&
    mount --bind $PWD/$out.group /proc/\$\$/cgroup && cd $PWD && exec $out numbers" 2>&1) || {
    echo "note: quota not tested: $text"
    return 0
  }
  case $text in *"procs $2
"*) ;; *) fail "quota ($1): not $2 processors: $text" ;; esac
}
if [ "$procs" -ge 2 ]; then
  printf '3:cpuset:/\n2:cpuacct,cpu:/a/b\n0::/a/b\n' >$out.group
  quota 'echo 100000 100000 >cpu.max' 1
  quota 'echo 50000 100000 >cpu.max' 1
  quota 'echo 150000 100000 >cpu.max' 2
  quota 'echo max 100000 >cpu.max' "$procs"
  quota 'mkdir -p a/b && echo max 100000 >a/cpu.max && echo 90000 100000 >a/b/cpu.max' 1
  quota 'mkdir -p a/b && echo 90000 100000 >a/cpu.max && echo max 100000 >a/b/cpu.max' 1
  quota 'mkdir -p cpu/a/b && echo 70000 >cpu/a/cpu.cfs_quota_us &&
    echo 100000 >cpu/a/cpu.cfs_period_us && echo 10000 100000 >cpu.max' 1
  quota 'mkdir -p cpu && echo -1 >cpu/cpu.cfs_quota_us && echo 100000 >cpu/cpu.cfs_period_us' "$procs"
fi
[ $bad = 0 ] && echo ok
exit $bad
