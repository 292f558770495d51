#!/bin/sh
# Description: omp_get_interop_rc_desc returns the same text in each form of a program: static, drop-in (through libomp's
# function), libsolo.so as libomptarget.
name=ways_rc_desc
. tests/tools/lib.sh
cat >p.c <<'END'
#include <omp.h>
#include <stdio.h>
int main(void) {
  int x = 0;
#pragma omp target map(tofrom : x)
  x = 1;
  const char *text = omp_get_interop_rc_desc(omp_interop_none, omp_irc_empty);
  printf("%d %s\n", x, text ? text : "(null)");
  return 0;
}
END
want='1 the object is omp_interop_none'
works $cc --static p.c -o s && says "$want" ./s
works $cc p.c -o d && says "$want" ./d
for v in 19 22; do
  [ -e /usr/lib/llvm-$v/lib/libomp.so ] || [ $v = 22 ] || continue
  works clang-$v -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -isystem "$tree/include" p.c -o a$v -L"$tree/lib/glibc" \
    -L/usr/lib/llvm-19/lib -Wl,-rpath,/usr/lib/llvm-19/lib && says "$want" ./a$v
  works clang-$v -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -isystem "$tree/include" p.c -o b$v \
    -L"$tree/lib/glibc/shared-cpu" -L/usr/lib/llvm-19/lib -Wl,-rpath,/usr/lib/llvm-19/lib &&
    says "$want" env LD_LIBRARY_PATH="$tree/lib/glibc/shared-cpu" ./b$v
done
done_testing
