#!/bin/sh
# Description: checks nested regions of Clang and GCC in one static program, and a program of flang with an object of GCC.
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
cat >$out/caller.f90 <<'END'
subroutine clang_loop() bind(c)
end subroutine
subroutine clang_region() bind(c)
end subroutine
subroutine clang_tasks() bind(c)
end subroutine
program caller
  use iso_c_binding
  interface
    subroutine gcc_tasks(count, n) bind(c)
      import :: c_int
      integer(c_int) :: count
      integer(c_int), value :: n
    end subroutine
  end interface
  integer(c_int) :: count
  count = 0
  !$omp parallel num_threads(3) shared(count)
  call gcc_tasks(count, 100_c_int)
  !$omp end parallel
  write (*, '(a,i0)') 'tasks ', count
end program
END
if command -v flang-22 >/dev/null; then
  build/bin/solo-fc --static --glibc $out/caller.f90 $out/gcc.o -o $out/caller >$out/log 2>&1 ||
    { echo "failed: no program of flang"; cat $out/log; fail=1; }
  [ "$(timeout 60 $out/caller 2>&1)" = 'tasks 300' ] || { echo "failed: program of flang"; $out/caller; fail=1; }
fi
[ $fail = 0 ] && echo "regions of Clang and GCC nest"
exit $fail
