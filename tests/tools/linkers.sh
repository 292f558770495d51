#!/bin/sh
# Description: links static programs with GNU ld, lld, gold and mold and both C libraries, without warnings. solo-link
# must find libgcc.
name=linkers
. tests/tools/lib.sh
cat >m.c <<'END'
#include <stdio.h>
int weigh(unsigned long bits); /* GCC's: a call of __popcountdi2 */
int main(void) {
  int sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
#pragma omp target map(tofrom : sum)
  sum++;
  printf("%d %d\n", sum, weigh(0xff00ff));
  return 0;
}
END
echo 'int weigh(unsigned long bits) { return __builtin_popcountl(bits); }' >w.c
for libc in musl glibc; do
  works $cc --static --$libc -O2 -c m.c -o m-$libc.o
  works gcc -O2 -mno-popcnt -fPIC -c w.c -o w.o
  count 1 'calls of __popcountdi2' sh -c 'nm w.o | grep -c __popcountdi2'
  for linker in bfd lld gold mold; do
    command -v ld.$linker >/dev/null || { echo "no ld.$linker"; continue; }
    works $cc --static --$libc -fuse-ld=$linker m-$libc.o w.o -o p || continue
    [ -s out ] && { fail "ld.$linker, $libc: unexpected output"; cat out; }
    says '4951 16' ./p
    says '4951 16' env OMP_TARGET_OFFLOAD=mandatory ./p
    is_static p
  done
done
works "$link" --libc=musl m-musl.o w.o -o alone && says '4951 16' ./alone
is_static alone
done_testing
