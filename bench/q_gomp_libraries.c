/* OpenBLAS and FFTW with two threads: the same archives of Debian, compiled by GCC, with solo,
 * libgomp and libomp (build.sh). */
#include "bench/bench.h"

#include <cblas.h>
#include <fftw3.h>

enum { THREADS = 2, SIDE = 500, POINTS = 1 << 18 };

static double *a, *b, *c;
static fftw_complex *signal, *spectrum;
static fftw_plan plan;

static void make_matrices(long unused) {
  (void)unused;
  openblas_set_num_threads(THREADS);
  a = calloc(3 * SIDE * SIDE, sizeof *a);
  if (!a) exit(1);
  b = a + SIDE * SIDE, c = b + SIDE * SIDE;
  for (int i = 0; i < 2 * SIDE * SIDE; i++) a[i] = i % 13 - 6;
}

static void multiply(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++)
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIDE, SIDE, SIDE, 1, a, SIDE, b, SIDE, 0,
                c, SIDE);
}

static void make_plan(long unused) {
  (void)unused;
  fftw_init_threads();
  fftw_plan_with_nthreads(THREADS);
  signal = fftw_alloc_complex(POINTS);
  spectrum = fftw_alloc_complex(POINTS);
  if (!signal || !spectrum) exit(1);
  plan = fftw_plan_dft_1d(POINTS, signal, spectrum, FFTW_FORWARD, FFTW_ESTIMATE);
  for (int i = 0; i < POINTS; i++) ((double *)signal)[2 * i] = i % 19 - 9;
}

static void transform(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) fftw_execute(plan);
}

static const bench_case cases[] = {
    {.name = "gomp_libraries/dgemm_500", .loop = multiply, .before = make_matrices},
    {.name = "gomp_libraries/fft_2^18", .loop = transform, .before = make_plan},
};

int main(int argc, char **argv) {
  return bench_cases(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
