#!/bin/sh
# Runs test_seed_entries.c on both simulated devices.
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail=0
for driver in cuda hsa; do
  case $driver in cuda) image=ways.cubin library=libcuda.so.1 ;; hsa) image=ways.co library=libhsa-runtime64.so.1 ;; esac
  gcc -std=c11 -I. tests/ways/test_seed_entries.c -o "$dir/$driver" build/lib/glibc/libsolo.a -Wl,--no-as-needed \
    build/sim/$driver/$library -Wl,-rpath,"$PWD/build/sim/$driver" -lpthread -lm || exit 1
  SIM_CUDA_ARCH=90 SIM_HSA_AGENT=gfx90a:sramecc+:xnack- "$dir/$driver" build/sim/$driver/$image || { echo "failed: $driver"; fail=1; }
done
exit $fail
