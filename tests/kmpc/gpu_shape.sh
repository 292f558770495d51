#!/bin/sh
# Description: regions shaped for GPUs make no more threads than 4 for each processor unless told, league and
# thread limit together; what the machine refuses makes the team smaller.
#   gpu_shape.sh CLANG LIBC
set -u
clang=$1 libc=$2
command -v "$clang" >/dev/null || { echo "skipped: no $clang"; exit 77; }
out=build/tests/kmpc/gpu_shape.$clang.$libc
mkdir -p build/tests/kmpc
SOLO_CLANG=$clang build/bin/solo-cc --static "--$libc" -O2 -Wl,--wrap=pthread_create,--wrap=sched_getaffinity \
  tests/kmpc/gpu_shape.c -o "$out" || exit 1
wrong=0
# run MOST SETTING... CASE NUMBER: no more threads than MOST in the whole process
run() {
  most=$1; shift
  if ! env OMP_TARGET_OFFLOAD=mandatory "$@" >"$out.out" 2>"$out.err"; then
    echo "failed: $*"; cat "$out.out" "$out.err"; wrong=1; return
  fi
  threads=$(sed -n 's/^made //p' "$out.out")
  [ "$threads" -le "$most" ] && return
  echo "$*: $threads threads, no more than $most were expected"; wrong=1
}
says() { grep -q "$1" "$out.out" "$out.err" || { echo "not said: $1"; cat "$out.out" "$out.err"; wrong=1; }; }
quiet() { [ ! -s "$out.err" ] || { cat "$out.err"; wrong=1; }; }
run 2 "$out" rows 256; quiet
run 8 PROCESSORS=8 "$out" rows 256; quiet
run 2 "$out" square 182; quiet
run 192 PROCESSORS=192 "$out" square 182; quiet; says '182 teams of up to 1 threads, limit 1'
run 12 PROCESSORS=12 "$out" square 3; says '3 teams of up to 3 threads, limit 4'
run 4 PROCESSORS=4 "$out" plain 300; says '^4 threads'
run 16 PROCESSORS=4 "$out" inside 4
run 16 PROCESSORS=4 "$out" inside 16
run 64 PROCESSORS=16 "$out" inside 16
# told: by OMP_NUM_THREADS, or exactly
run 4 OMP_NUM_THREADS=1 PROCESSORS=4 "$out" rows 256; says '^made 4' # it is about parallel regions, not leagues
run 2 OMP_NUM_THREADS=4 "$out" rows 256
run 4 OMP_NUM_THREADS=1 PROCESSORS=4 "$out" plain 300; says '^4 threads' # a clause overrides the variable
run 9 OMP_NUM_THREADS=9 PROCESSORS=4 "$out" plain 300; says '^9 threads'
run 50 SOLO_HOST_THREADS=exact "$out" plain 50; says '^50 threads'
run 41 SOLO_HOST_THREADS=exact "$out" square 20; says '20 teams of up to 20 threads'
# OMP_THREAD_LIMIT bounds the group, and all teams that run at a time together
run 3 OMP_THREAD_LIMIT=3 SOLO_HOST_THREADS=exact "$out" plain 50; says '^3 threads'
run 10 OMP_THREAD_LIMIT=10 PROCESSORS=64 SOLO_HOST_THREADS=exact "$out" square 182
run 10 OMP_THREAD_LIMIT=10 PROCESSORS=64 "$out" square 4; says '4 teams of up to 2 threads, limit 2'
run 10 OMP_THREAD_LIMIT=1024 PROCESSORS=10 "$out" square 182
run 1024 OMP_THREAD_LIMIT=1024 PROCESSORS=64 SOLO_HOST_THREADS=exact "$out" square 182
# the machine refuses: smaller teams, said once
run 20 PROCESSORS=8 REFUSED_AFTER=3 "$out" plain 8
says 'cannot start thread'; says '^4 threads'
[ "$(grep -c 'cannot start' "$out.err")" = 1 ] || { echo "said more than once"; wrong=1; }
run 2000 PROCESSORS=8 REFUSED_AFTER=2 "$out" rows 64
exit $wrong
