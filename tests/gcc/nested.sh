#!/bin/sh
# Description: checks that regions of Clang and GCC nest in each other in one static program.
cd "$(dirname "$0")/../.." || exit 1
out=build/tests/gcc/nested
rm -rf $out
mkdir -p $out
fail=0
gcc -O2 -fopenmp -c tests/gcc/nested_gcc.c -o $out/gcc.o || exit 1
for libc in glibc musl; do
  build/bin/solo-cc --static --$libc -O2 tests/gcc/nested_clang.c $out/gcc.o -o $out/nested-$libc >$out/log 2>&1 ||
    { echo "failed: no program with $libc"; cat $out/log; fail=1; continue; }
  for threads in 1 2 5; do
    OMP_NUM_THREADS=$threads timeout 30 $out/nested-$libc >$out/log 2>&1 ||
      { echo "failed: $libc, $threads threads (status $?)"; cat $out/log; fail=1; }
  done
done
[ $fail = 0 ] && echo "regions of Clang and GCC nest"
exit $fail
