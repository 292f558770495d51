#!/bin/sh
# Description: checks that one static program calls threaded functions of Debian's OpenBLAS and FFTW, with the same results as
# a dynamic program with libgomp; and that a static program of gfortran ends correctly.
cd "$(dirname "$0")/../.." || exit 1
out=build/tests/gcc/numeric
rm -rf $out
mkdir -p $out
lib=/usr/lib/$(uname -m)-linux-gnu
blas=$lib/openblas-openmp
[ -f "$blas/libopenblas.a" ] && [ -f "$lib/libfftw3_omp.a" ] || { echo "skipped: OpenBLAS or FFTW is not installed"; exit 77; }
gcc -O2 -fopenmp "-I/usr/include/$(uname -m)-linux-gnu/openblas-openmp" -c tests/gcc/numeric.c -o $out/numeric.o || exit 1
gcc -fopenmp $out/numeric.o "-L$blas" "-Wl,-rpath,$blas" -lopenblas -lfftw3_omp -lfftw3 -lm -o $out/dynamic || exit 1
fortran="$(gfortran -print-file-name=libgfortran.a) $(gfortran -print-file-name=libquadmath.a)"
# shellcheck disable=SC2086 # two names
build/bin/solo-cc --static --glibc $out/numeric.o "$blas/libopenblas.a" "$lib/libfftw3_omp.a" "$lib/libfftw3.a" $fortran \
  -lgomp -lm -o $out/static >$out/log 2>&1 || { echo "failed: no static program"; cat $out/log; exit 1; }
fail=0
grep -q 'note: -lgomp is left out' $out/log || { echo "failed: no note about -lgomp"; fail=1; }
for threads in 1 2 5; do
  OMP_NUM_THREADS=$threads $out/dynamic >$out/expected
  OMP_NUM_THREADS=$threads timeout 60 $out/static >$out/actual 2>&1 || { echo "failed: static program (status $?)"; fail=1; }
  cmp -s $out/expected $out/actual || { echo "failed: $threads threads"; diff $out/expected $out/actual; fail=1; }
done
cat >$out/sum.f90 <<'END'
program sum_of_numbers
  integer :: s, i
  s = 0
  !$omp parallel do reduction(+:s) schedule(dynamic)
  do i = 1, 100
    s = s + i
  end do
  write (*, '(a,i0)') 'sum ', s
end program
END
gfortran -O1 -fopenmp -c $out/sum.f90 -o $out/sum.o || exit 1
# shellcheck disable=SC2086
build/bin/solo-cc --static --glibc $out/sum.o $fortran -lm -o $out/sum >$out/log 2>&1 || { cat $out/log; fail=1; }
[ "$(OMP_NUM_THREADS=3 $out/sum 2>&1)" = 'sum 5050' ] || { echo "failed: static program of gfortran"; fail=1; }
[ $fail = 0 ] && echo "OpenBLAS, FFTW and gfortran work in static programs"
exit $fail
