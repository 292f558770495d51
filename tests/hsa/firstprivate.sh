#!/bin/sh
# Description: GPU kernels of Clang 19 and 22 copy firstprivate data before use and only read the original. The exception is
# `target parallel` with shared data, which all threads modify, also atomically. Therefore SOLO_HSA_CARRY is off by default:
# the data would be in host memory, in which not all atomics work on each machine.
set -u
folder=build/hsa-firstprivate
mkdir -p $folder
cat >$folder/f.c <<'END'
struct s { double v[8]; int n; };
void reads(int *out, int n) {
  int a[10] = {0};
  struct s s = {{0}, n};
#pragma omp target teams distribute parallel for firstprivate(a, s) map(tofrom : out[0 : n])
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    a[i % 10] += 1;
    s.v[i % 8] += 1;
    out[i] = a[i % 10] + (int)s.v[3];
  }
#pragma omp target firstprivate(a, s) map(tofrom : out[0 : n])
  {
    a[n] = 3;
    s.v[n] = 2;
    out[0] = a[2] + (int)s.v[1];
  }
}
void writes(int *out, int n) {
  int c[11] = {0};
#pragma omp target parallel defaultmap(firstprivate : aggregate) shared(c) map(tofrom : out[0 : n])
  {
#pragma omp atomic
    c[n] += 3;
    out[n] = c[2];
  }
}
END
# Prints the numbers of parameters of this size, and of those that are only read.
count() { # count <bytes> <function>
  parameters=$(grep -E "^define.*$2" $folder/g$v.ll | tr ',' '\n' | grep "dereferenceable($1)")
  echo "$(echo "$parameters" | grep -c ptr) $(echo "$parameters" | grep -c readonly)"
}
fail=0 seen=0
for v in 19 22; do
  opt-$v --version >/dev/null 2>&1 && clang-$v --version >/dev/null 2>&1 || continue
  target='-fopenmp-targets=amdgcn-amd-amdhsa -Xopenmp-target=amdgcn-amd-amdhsa -march=gfx90a'
  clang-$v -O2 -fopenmp $target -nogpulib -S -emit-llvm --offload-device-only $folder/f.c \
    -o $folder/f$v.ll 2>$folder/words || { cat $folder/words; exit 1; }
# opt infers no attributes of weak_odr functions, which the linker may replace.
  sed 's/weak_odr //' $folder/f$v.ll | opt-$v -passes='cgscc(function-attrs)' -S >$folder/g$v.ll
  array=$(count 40 'amdgpu_kernel.*_reads_l') struct=$(count 72 'amdgpu_kernel.*_reads_l')
  shared=$(count 44 '_writes_l[0-9]*_omp_outlined')
  echo "clang-$v: parameters, only read: array $array, struct $struct, shared array $shared"
  [ "$array" = '2 2' ] && [ "$struct" = '2 2' ] && [ "$shared" = '1 0' ] || fail=1
  seen=$((seen + 1))
done
[ $seen -gt 0 ] || { echo "skipped: neither opt-19 nor opt-22"; exit 77; }
exit $fail
