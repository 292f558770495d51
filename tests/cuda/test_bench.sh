#!/bin/sh
# Description: both programs of the benchmark "cuda" print the same metrics on the simulated driver, and report a
# missing driver.
set -u
[ -f build/lib/glibc/libomptarget.a ] || { echo "skipped: no glibc library was configured"; exit 77; }
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export SIM_MEMORY_MB=1024 BENCH_CUDA_IMAGE=build/sim/cuda/kernels-sm80.ptx
for who in limit dropin; do
  sh bench/build.sh $who bench/q_cuda.c "$dir/$who"
  LD_LIBRARY_PATH=build/sim/cuda "$dir/$who" --quick --only cuda/launch >"$dir/$who.out" || {
    echo "failed: $who on the simulated driver"
    cat "$dir/$who.log" "$dir/$who.out"
    exit 1
  }
  cut -d' ' -f1,2 "$dir/$who.out" | grep -v polled >"$dir/$who.names"
  "$dir/$who" >"$dir/$who.none"
  rc=$?
  if ldconfig -p | grep -q 'libcuda\.so\.1'; then continue; fi
  [ $rc = 77 ] && grep -q '^# no device: ' "$dir/$who.none" || {
    echo "failed: $who without a driver: exit status $rc"
    cat "$dir/$who.none"
    exit 1
  }
done
cmp "$dir/limit.names" "$dir/dropin.names" || exit 1
[ "$(grep -c '^cuda/launch' "$dir/limit.names")" = 2 ]
