# Description: checks that the host entries of Clang 19 and Clang 22 objects in one program are registered.
name=mixed_compilers
. tests/tools/lib.sh
for n in 19 22; do
  cat >f$n.c <<END
int f$n(int x) {
  int r = 0;
#pragma omp target map(from : r)
  r = x + $n;
  return r;
}
#pragma omp begin declare target
int g$n = $n;
#pragma omp end declare target
END
  works $cc --clang=clang-$n --static -c f$n.c
done
cat >main.c <<'END'
#include <stdio.h>
int f19(int), f22(int);
int main(void) {
  printf("%d %d\n", f19(1), f22(1));
  return 0;
}
END
works $cc --static main.c f19.o f22.o -o p
says '20 23' ./p
works $cc --static main.c f22.o f19.o -o q
says '20 23' ./q
count 2 'Clang 19 entries' entries p omp_offloading_entries 32
count 2 'Clang 22 entries' entries p llvm_offload_entries 56
works $cc --static -fuse-ld=lld main.c f22.o f19.o -o r
says '20 23' ./r
count 2 'Clang 19 entries with lld' entries r omp_offloading_entries 32
count 2 'Clang 22 entries with lld' entries r llvm_offload_entries 56
done_testing
