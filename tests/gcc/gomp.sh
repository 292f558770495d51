#!/bin/sh
# Description: checks objects of gcc -fopenmp in static programs with glibc and musl, with 1, 2 and 5 threads.
#   gomp.sh NAME...    sources of this folder; each defines gcc_test()
cd "$(dirname "$0")/../.." || exit 1
out=build/tests/gcc/gomp-$1
rm -rf "$out"
mkdir -p "$out"
fail=0
cat >"$out/main.c" <<'END'
#include <stdio.h>
int gcc_test(void);
int main(void) {
  int failures = gcc_test();
  if (failures) printf("%d checks failed\n", failures);
  return failures != 0;
}
END
for name; do
  gcc -std=gnu11 -O2 -w -fopenmp -I. -c "tests/gcc/$name.c" -o "$out/$name.o" || { echo "failed: gcc, $name"; exit 1; }
  for libc in glibc musl; do
    build/bin/solo-cc --static --$libc -O1 "$out/main.c" "$out/$name.o" -o "$out/$name-$libc" >"$out/log" 2>&1 ||
      { echo "failed: no program of $name with $libc"; cat "$out/log"; fail=1; continue; }
    for threads in 1 2 5; do
      bind=false
      [ $threads != 2 ] || bind=true
      OMP_PROC_BIND=$bind OMP_CANCELLATION=true OMP_MAX_TASK_PRIORITY=100 OMP_NUM_THREADS=$threads timeout 30 "$out/$name-$libc" >"$out/log" 2>&1 ||
        { echo "failed: $name with $libc and $threads threads (status $?)"; cat "$out/log"; fail=1; }
    done
  done
done
[ $fail = 0 ] && echo "objects of GCC work: $*"
exit $fail
