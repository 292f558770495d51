# Description: builds and runs static C programs with both Clangs and both C libraries.
name=static_c
. tests/tools/lib.sh
cat >main.c <<'END'
#include <stdio.h>
#pragma omp begin declare target
static int counter = 3; /* another one is in other.c */
int shared = 5;
int twice(int x);
int step(void); /* a device function of other.c */
#pragma omp end declare target
static int next(void) { return counter++; }
#pragma omp declare target(next)
int main(void) {
  int a[4] = {0}, s = 0, steps = 0;
#pragma omp target map(tofrom : a) map(from : steps)
  {
    for (int i = 0; i < 4; i++) a[i] = twice(next()) + shared;
    steps = step() + step();
  }
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a)
  for (int i = 0; i < 4; i++) s += a[i];
  printf("%d %d %d %d\n", a[0], a[3], s, steps);
  return 0;
}
END
cat >other.c <<'END'
#pragma omp begin declare target
static int counter = 100;
int twice(int x) { return 2 * x; }
int step(void) { return ++counter; }
#pragma omp end declare target
END
for clang in clang-19 clang-22; do
  for libc in musl glibc; do
    p=$clang-$libc
    works $cc --clang=$clang --static --$libc -O2 main.c other.c -o $p
    says '11 17 56 203' ./$p
    is_static $p
    for f in main other; do works $cc --clang=$clang --static --$libc -g -c $f.c -o $f.$p.o; done
    works $cc --clang=$clang --static --$libc -g main.$p.o other.$p.o -o $p-2
    says '11 17 56 203' ./$p-2
    works $cc --clang=$clang --static --$libc other.$p.o main.$p.o -o $p-3
    says '11 17 56 203' ./$p-3
  done
done
count 3 'entries of a Clang 19 program' entries clang-19-musl omp_offloading_entries 32
count 3 'entries of a Clang 22 program' entries clang-22-musl llvm_offload_entries 56
# objects of both compilers
works $cc --static main.clang-19-musl.o other.clang-22-musl.o -o mixed1
says '11 17 56 203' ./mixed1
works $cc --static main.clang-22-musl.o other.clang-19-musl.o -o mixed2
says '11 17 56 203' ./mixed2
# linked by gcc
works $link --libc=glibc --device-object=device.o main.clang-19-glibc.o other.clang-19-glibc.o
works gcc -static main.clang-19-glibc.o other.clang-19-glibc.o device.o \
  "$tree"/lib/glibc/libsolo.a "$tree"/lib/glibc/libsolo_atomic.a -o by-gcc
says '11 17 56 203' ./by-gcc
done_testing
