#!/bin/sh
# Description: checks that regions of the size that GPUs use create at most 4 threads per processor by default. If the
# creation of threads fails, teams must be smaller: simulated, by a memory limit, and as root by process limits.
#   gpu_shape.sh CLANG LIBC
set -u
clang=$1 libc=$2
command -v "$clang" >/dev/null || { echo "skipped: no $clang"; exit 77; }
out=build/tests/kmpc/gpu_shape.$clang.$libc
mkdir -p build/tests/kmpc
SOLO_CLANG=$clang build/bin/solo-cc --static "--$libc" -O2 -Wl,--wrap=pthread_create,--wrap=sched_getaffinity \
  tests/kmpc/gpu_shape.c -o "$out" || exit 1
wrong=0
# run MOST SETTING... CASE NUMBER: at most MOST threads in the process
run() {
  most=$1; shift
  if ! env OMP_TARGET_OFFLOAD=mandatory "$@" >"$out.out" 2>"$out.err"; then
    echo "failed: $*"; cat "$out.out" "$out.err"; wrong=1; return
  fi
  threads=$(sed -n 's/^made //p' "$out.out")
  [ "$threads" -le "$most" ] && return
  echo "failed: $*: $threads threads, expected at most $most"; wrong=1
}
prints() { grep -q "$1" "$out.out" "$out.err" || { echo "failed: missing output: $1"; cat "$out.out" "$out.err"; wrong=1; }; }
quiet() { [ ! -s "$out.err" ] || { cat "$out.err"; wrong=1; }; }
run 2 "$out" rows 256; quiet
run 8 PROCESSORS=8 "$out" rows 256; quiet
run 2 "$out" square 182; quiet
run 192 PROCESSORS=192 "$out" square 182; quiet; prints '182 teams of up to 1 threads, limit 1'
run 12 PROCESSORS=12 "$out" square 3; prints '3 teams of up to 3 threads, limit 4'
run 4 PROCESSORS=4 "$out" plain 300; prints '^4 threads'
run 16 PROCESSORS=4 "$out" inside 4
run 16 PROCESSORS=4 "$out" inside 16
run 64 PROCESSORS=16 "$out" inside 16
# OMP_NUM_THREADS and SOLO_HOST_THREADS
run 4 OMP_NUM_THREADS=1 PROCESSORS=4 "$out" rows 256; prints '^made 4' # does not limit leagues
run 2 OMP_NUM_THREADS=4 "$out" rows 256
run 4 OMP_NUM_THREADS=1 PROCESSORS=4 "$out" plain 300; prints '^4 threads' # a clause overrides the variable
run 9 OMP_NUM_THREADS=9 PROCESSORS=4 "$out" plain 300; prints '^9 threads'
run 50 SOLO_HOST_THREADS=exact "$out" plain 50; prints '^50 threads'
run 41 SOLO_HOST_THREADS=exact "$out" square 20; prints '20 teams of up to 20 threads'
# OMP_THREAD_LIMIT limits a contention group, and all concurrent teams together
run 3 OMP_THREAD_LIMIT=3 SOLO_HOST_THREADS=exact "$out" plain 50; prints '^3 threads'
run 10 OMP_THREAD_LIMIT=10 PROCESSORS=64 SOLO_HOST_THREADS=exact "$out" square 182
run 10 OMP_THREAD_LIMIT=10 PROCESSORS=64 "$out" square 4; prints '4 teams of up to 2 threads, limit 2'
run 10 OMP_THREAD_LIMIT=1024 PROCESSORS=10 "$out" square 182
run 1024 OMP_THREAD_LIMIT=1024 PROCESSORS=64 SOLO_HOST_THREADS=exact "$out" square 182
# thread creation fails: smaller teams, one warning
run 20 PROCESSORS=8 REFUSED_AFTER=3 "$out" plain 8
prints 'cannot start thread'; prints '^4 threads'
[ "$(grep -c 'cannot start' "$out.err")" = 1 ] || { echo "failed: not exactly one warning"; wrong=1; }
run 2000 PROCESSORS=8 REFUSED_AFTER=2 "$out" rows 64
run 2000 PROCESSORS=8 REFUSED_AFTER=0 "$out" sum 16
run 2000 PROCESSORS=8 REFUSED_AFTER=2 "$out" sum 16
# refused COMMAND...: under COMMAND fewer than 16 threads can start; one warning, correct results
refused() {
  for shape in 'plain 16' 'rows 64' 'square 16'; do
    run 2000 PROCESSORS=16 "$@" "$out" $shape
    prints 'cannot start thread'
    [ "$(grep -c 'cannot start' "$out.err")" = 1 ] || { echo "failed: $*: not exactly one warning"; wrong=1; }
  done
}
refused prlimit --as=20000000
[ "$(id -u)" = 0 ] || exit $wrong
user="setpriv --reuid=$((61000 + $$ % 4000)) --regid=61000 --clear-groups" # a user without other processes
if $user test -x "$out" 2>/dev/null; then
  refused $user prlimit --nproc=4
  run 2000 PROCESSORS=16 $user prlimit --nproc=4 "$out" plain 16; prints '^4 threads'
  run 2000 PROCESSORS=16 $user prlimit --nproc=1 "$out" plain 16; prints '^1 threads'
else
  echo "not tested: the process limit of a user"
fi
group=/sys/fs/cgroup/pids
[ -d $group ] || group=/sys/fs/cgroup
group=$group/solo.$$
if mkdir "$group" 2>/dev/null; then
  if echo 5 2>/dev/null >"$group/pids.max"; then
    refused sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group"
    run 2000 PROCESSORS=16 sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$out" plain 16; prints '^5 threads'
  fi
  rmdir "$group"
else
  echo "not tested: the process limit of a control group"
fi
exit $wrong
