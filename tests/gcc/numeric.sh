#!/bin/sh
# Description: checks that a static program with threaded OpenBLAS, FFTW, SUNDIALS and CHOLMOD of Debian and a target region
# has the results of a dynamic program with libgomp. Also checks SUNDIALS with musl, and a static program of gfortran.
cd "$(dirname "$0")/../.." || exit 1
out=build/tests/gcc/numeric
rm -rf $out
mkdir -p $out
lib=/usr/lib/$(uname -m)-linux-gnu
blas=$lib/openblas-openmp
[ -f "$blas/libopenblas.a" ] && [ -f "$lib/libfftw3_omp.a" ] || { echo "skipped: OpenBLAS or FFTW is not installed"; exit 77; }
[ -z "$(sh tests/gcc/packages.sh list)" ] || { echo "skipped: no SUNDIALS or CHOLMOD (./configure.sh --bootstrap)"; exit 77; }
usr=build/sysroot/gcc/usr
sparse=$PWD/$usr/lib/$(uname -m)-linux-gnu
gcc -O2 -fopenmp -DSPARSE "-I/usr/include/$(uname -m)-linux-gnu/openblas-openmp" -I$usr/include -I$usr/include/suitesparse \
  -c tests/gcc/numeric.c -o $out/numeric.o || exit 1
gcc -fopenmp $out/numeric.o "-L$blas" "-L$sparse" "-Wl,-rpath,$blas,-rpath,$sparse" -lsundials_nvecopenmp -lsundials_generic \
  -lcholmod -lopenblas -lfftw3_omp -lfftw3 -lm -o $out/dynamic || exit 1
# libmetis has no archive; CHOLMOD does not call it here
for f in ComputeVertexSeparator NodeND; do echo "void METIS_$f(void) { __builtin_trap(); }"; done >$out/metis.c
gcc -c $out/metis.c -o $out/metis.o || exit 1
fortran="$(gfortran -print-file-name=libgfortran.a) $(gfortran -print-file-name=libquadmath.a)"
archives=
for f in sundials_nvecopenmp sundials_generic cholmod amd camd ccolamd colamd suitesparseconfig; do
  archives="$archives $sparse/lib$f.a"
done
# shellcheck disable=SC2086 # several names
build/bin/solo-cc --static --glibc $out/numeric.o $out/metis.o $archives "$blas/libopenblas.a" "$lib/libfftw3_omp.a" \
  "$lib/libfftw3.a" $fortran -lgomp -lm -o $out/static >$out/log 2>&1 ||
  { echo "failed: no static program"; cat $out/log; exit 1; }
fail=0
grep -q 'note: -lgomp is left out' $out/log || { echo "failed: no note about -lgomp"; fail=1; }
for threads in 1 2 5; do
  OMP_NUM_THREADS=$threads $out/dynamic >$out/expected
  OMP_NUM_THREADS=$threads timeout 60 $out/static >$out/actual 2>&1 || { echo "failed: static program (status $?)"; fail=1; }
  cmp -s $out/expected $out/actual || { echo "failed: $threads threads"; diff $out/expected $out/actual; fail=1; }
done
[ "$(wc -l <$out/expected)" = 6 ] || { echo "failed: the dynamic program printed:"; cat $out/expected; fail=1; }
cat >$out/vector.c <<'END'
#include <nvector/nvector_openmp.h>
#include <stdio.h>
#include <sundials/sundials_context.h>
int main(void) {
  SUNContext context;
  SUNContext_Create(NULL, &context);
  N_Vector u = N_VNew_OpenMP(1000, 3, context);
  N_VConst(2, u);
  printf("sum %.0f\n", N_VDotProd(u, u));
  return 0;
}
END
build/bin/solo-cc --static --musl -I$usr/include $out/vector.c "$sparse/libsundials_nvecopenmp.a" \
  "$sparse/libsundials_generic.a" -lm -o $out/vector >$out/log 2>&1 || { echo "failed: SUNDIALS with musl"; cat $out/log; fail=1; }
[ "$($out/vector)" = 'sum 4000' ] || { echo "failed: the result of SUNDIALS with musl"; fail=1; }
cat >$out/sum.f90 <<'END'
program sum_of_numbers
  use omp_lib
  integer :: s, i
  integer(omp_event_handle_kind) :: event
  s = 0
  !$omp parallel
  !$omp single
  !$omp task detach(event)
  s = s + 1000
  !$omp end task
  call omp_fulfill_event(event)
  !$omp end single
  !$omp end parallel
  !$omp parallel do reduction(+:s) schedule(dynamic)
  do i = 1, 100
    s = s + i
  end do
  write (*, '(a,i0)') 'sum ', s
end program
END
gfortran -O1 -fopenmp -c $out/sum.f90 -o $out/sum.o || exit 1
# shellcheck disable=SC2086
build/bin/solo-cc --static --glibc $out/sum.o $fortran -l:libgomp.a "$(gcc -print-file-name=libgomp.a)" -lm \
  -o $out/sum >$out/log 2>&1 || { cat $out/log; fail=1; }
[ "$(grep -c 'libgomp.a is left out' $out/log)" = 2 ] || { echo "failed: notes about libgomp.a"; fail=1; }
[ "$(OMP_NUM_THREADS=3 timeout 60 $out/sum 2>&1)" = 'sum 6050' ] || { echo "failed: static program of gfortran"; fail=1; }
[ $fail = 0 ] && echo "OpenBLAS, FFTW, SUNDIALS, CHOLMOD and gfortran work in static programs"
exit $fail
