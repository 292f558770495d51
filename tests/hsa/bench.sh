#!/bin/sh
# Description: both programs of the benchmark "hsa" print the same metrics on the simulated runtime, and report a
# missing device.
set -u
[ -f build/lib/glibc/libomptarget.a ] || { echo "skipped: no glibc library was configured"; exit 77; }
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export SIM_MEMORY_MB=1024
for who in limit dropin; do
  sh bench/build.sh $who bench/q_hsa.c "$dir/$who"
  BENCH_HSA_IMAGE=build/sim/hsa/kernels-gfx90a.co LD_LIBRARY_PATH=build/sim/hsa "$dir/$who" --quick \
    --only hsa/launch >"$dir/$who.out" || {
    echo "failed: $who on the simulated runtime"
    cat "$dir/$who.log" "$dir/$who.out"
    exit 1
  }
  cut -d' ' -f1,2 "$dir/$who.out" >"$dir/$who.names"
  "$dir/$who" >"$dir/$who.none"
  rc=$?
  [ ! -e /dev/kfd ] || continue
  [ $rc = 77 ] && grep -q '^# no device: ' "$dir/$who.none" || {
    echo "failed: $who without a device: exit status $rc"
    cat "$dir/$who.none"
    exit 1
  }
done
cmp "$dir/limit.names" "$dir/dropin.names" || exit 1
[ "$(grep -c '^hsa/launch' "$dir/limit.names")" = 2 ]
