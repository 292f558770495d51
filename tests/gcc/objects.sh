#!/bin/sh
# Description: checks omp_* functions in objects of GCC and gfortran: locks of 4 bytes, integer(8) arguments. Other programs
# must contain no part of abi/gomp.
cd "$(dirname "$0")/../.." || exit 1
out=build/tests/gcc/objects
rm -rf $out
mkdir -p $out
fail=0
cat >$out/main.c <<'END'
#include <stdio.h>
int gcc_locks(void), gcc_integer8(void);
int main(void) {
  int locks = gcc_locks(), functions = gcc_integer8();
  if (functions) printf("failed: integer(8) functions, bits %d\n", functions);
  return locks || functions;
}
END
gcc -O1 -Wall -c tests/gcc/locks.c -I"$(gcc -print-file-name=include)" -o $out/locks.o || fail=1
gfortran -O1 -fopenmp -fdefault-integer-8 -c tests/gcc/integer8.f90 -J $out -o $out/integer8.o || fail=1
n=$(nm -u $out/integer8.o | grep -c 'omp_.*_8_$')
[ "$n" = 16 ] || { echo "failed: gfortran's object calls $n functions omp_*_8_, expected 16"; fail=1; }
for libc in glibc musl; do
  option=--glibc
  [ $libc = glibc ] || option=--musl
  [ -f build/lib/$libc/libsolo.a ] || { echo "failed: no build for $libc"; fail=1; continue; }
  build/bin/solo-cc --static $option -O1 $out/main.c $out/locks.o $out/integer8.o -o $out/main-$libc >$out/log 2>&1 ||
    { echo "failed: no program with $libc"; cat $out/log; fail=1; continue; }
  OMP_PLACES=threads $out/main-$libc >$out/log 2>&1 || { echo "failed with $libc:"; cat $out/log; fail=1; }
done
build/bin/solo-cc --static -O2 examples/zaxpy.c -o $out/zaxpy || { echo "failed: no program zaxpy"; fail=1; }
nm $out/zaxpy >$out/symbols && grep -q ' T main$' $out/symbols || { echo "failed: zaxpy has no symbols"; fail=1; }
grep -i gomp $out/symbols && { echo "failed: zaxpy contains parts of abi/gomp"; fail=1; }
[ $fail = 0 ] && echo "objects of GCC work"
exit $fail
