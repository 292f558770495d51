#!/bin/sh
# Description: checks exceptions that cross frames of Clang and GCC, and destructors in cancelled tasks of GCC.
cd "$(dirname "$0")/../.." || exit 1
out=build/tests/gcc/cxx
rm -rf $out
mkdir -p $out
g++ -O2 -fopenmp -c tests/gcc/cxx_gcc.cc -o $out/gcc.o || exit 1
build/bin/solo-c++ --static --glibc -O2 tests/gcc/cxx_clang.cc $out/gcc.o -o $out/cxx >$out/log 2>&1 ||
  { echo "failed: no program"; cat $out/log; exit 1; }
fail=0
for threads in 2 5; do
  OMP_CANCELLATION=true OMP_NUM_THREADS=$threads timeout 60 $out/cxx >$out/log 2>&1 ||
    { echo "failed: $threads threads (status $?)"; cat $out/log; fail=1; }
done
[ $fail = 0 ] && echo "exceptions pass frames of Clang and GCC"
exit $fail
