#!/bin/sh
# Description: images that clang-19 builds for NVIDIA are recognised, scored by compute capability, and
# rejected with a reason. Without a driver the region runs on the host. Needs ptxas (CUDA toolkit).
set -u
. tests/cuda/toolkit.sh
[ -n "$toolkit" ] || { echo "skipped: no CUDA toolkit (ptxas, libdevice) on this machine"; exit 77; }
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f build/lib/glibc/libomptarget.a ] || { echo "skipped: no glibc library was configured"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat >"$dir/a.c" <<'END'
#include <stdio.h>
int main(void) {
  double sum = 0;
  static double x[1000];
  for (int i = 0; i < 1000; i++) x[i] = i;
#pragma omp target teams distribute parallel for map(tofrom : sum) map(to : x) reduction(+ : sum)
  for (int i = 0; i < 1000; i++) sum += x[i];
  printf("%g\n", sum);
  return sum != 499500;
}
END
LIBRARY_PATH=/usr/lib/llvm-19/lib clang-19 -O2 -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda \
  --offload-arch=sm_80,sm_90 --cuda-path="$toolkit" -Wno-unknown-cuda-version -o "$dir/a" "$dir/a.c" \
  -Lbuild/lib/glibc >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
fail=0
expect() { # expect <compute capability> <number of images that fit> <text>
  LD_LIBRARY_PATH=build/sim/cuda SIM_CUDA_ARCH=$1 build/bin/solo-info "$dir/a" >"$dir/out" 2>&1
  fits=$(grep "(sm_$1): runs it" "$dir/out" | wc -l)
  if [ "$fits" != "$2" ] || ! grep -q "$3" "$dir/out"; then
    echo "failed: sm_$1: $fits images fit, $2 expected, and \"$3\":"
    cat "$dir/out"
    fail=1
  fi
}
expect 90 1 'ELF for sm_90'
expect 89 1 'cannot run it: different major compute capability'
expect 80 1 'ELF for sm_80'
expect 75 0 'none of the devices here can run it'
out=$("$dir/a" 2>&1) || { echo "failed: the program ends with an error"; fail=1; }
case $out in
*499500*) ;;
*) echo "failed: wrong output: $out"; fail=1 ;;
esac
# A cubin of CUDA 13 and old PTX: each driver selects the image that it supports.
build/bin/solo-cc --targets=ptx-sm_80 -O2 "$dir/a.c" -o "$dir/a" >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
build/bin/solo-cc --targets=ptx-sm_90 -O0 "$dir/a.c" -o "$dir/a0" >"$dir/log" 2>&1 ||
  { echo "failed: PTX at -O0"; tail -3 "$dir/log"; fail=1; }
takes() { # takes <compute capability> <driver version> <text of the image that runs>
  LD_LIBRARY_PATH=build/sim/cuda SIM_CUDA_ARCH=$1 SIM_CUDA_DRIVER=$2 build/bin/solo-info "$dir/a" >"$dir/out" 2>&1
  grep -A1 "$3" "$dir/out" | grep -q "(sm_$1): runs it" ||
    { echo "failed: $3 is not for sm_$1 with a driver of $2:"; cat "$dir/out"; fail=1; }
}
case $(ptxas --version) in
*"release 13"*)
  takes 80 12040 'PTX for sm_80'
  grep -q 'made by ptxas of CUDA 13' "$dir/out" ||
    { echo "failed: the cubin is not rejected"; cat "$dir/out"; fail=1; }
  ;;
esac
takes 80 13000 'ELF for sm_80'
takes 80 11000 'PTX for sm_80'
takes 90 12040 'PTX for sm_80'
"$dir/a" >"$dir/out" 2>&1 && grep -q 499500 "$dir/out" || { echo "failed: PTX: the program ends with an error"; fail=1; }
cat >"$dir/c.c" <<'END'
int main(void) {
  int n = 0;
#pragma omp target parallel map(tofrom : n)
  {
#pragma omp critical
    n++;
  }
  return n < 1;
}
END
build/bin/solo-cc --targets=sm_80 -O2 "$dir/c.c" -o "$dir/c" >"$dir/log" 2>&1 && build/bin/solo-info "$dir/c" | grep -q 'ELF for sm_80' ||
  { echo "failed: critical does not compile"; head -20 "$dir/log"; fail=1; }
exit $fail
