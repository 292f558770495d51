/* Compiled by GCC: calls OpenBLAS and FFTW with threads and prints checksums of the results. */
#include <cblas.h>
#include <fftw3.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 300, POINTS = 1 << 15 };

static double a[N * N], b[N * N], c[N * N];

static void multiply(void) {
  double sum = 0;
  for (int i = 0; i < N * N; i++) {
    a[i] = (i * 7 % 13) - 6;
    b[i] = (i * 5 % 11) - 5;
  }
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, N, N, N, 1, a, N, b, N, 0, c, N);
  for (int i = 0; i < N * N; i++) sum += c[i] * (i % 17);
  printf("dgemm %.0f threads %d\n", sum, openblas_get_num_threads());
}

static void transform(void) {
  fftw_init_threads();
  fftw_plan_with_nthreads(omp_get_max_threads());
  double(*x)[2] = (double(*)[2])fftw_malloc(sizeof *x * POINTS);
  fftw_plan plan =
      fftw_plan_dft_1d(POINTS, (fftw_complex *)x, (fftw_complex *)x, FFTW_FORWARD, FFTW_ESTIMATE);
  for (int i = 0; i < POINTS; i++) x[i][0] = i % 19 - 9, x[i][1] = i % 23 - 11;
  fftw_execute(plan);
  double energy = 0;
  for (int i = 0; i < POINTS; i++) energy += x[i][0] * x[i][0] + x[i][1] * x[i][1];
  printf("fftw %.0f\n", round(energy / POINTS));
  fftw_destroy_plan(plan);
  fftw_free(x);
}

int main(void) {
  multiply();
#pragma omp parallel num_threads(2)
#pragma omp single
  multiply();
  transform();
  return 0;
}
