/* STREAM triad in target regions, with present arrays. */
#include "bench/apps/app.h"

int main(int argc, char **argv) {
  int quick = app_is_quick(argc, argv);
  const long n = 2000000;
  const int times = quick ? 10 : 50;
  const double s = 3;
  double *a = app_allocate((size_t)n, sizeof *a), *b = app_allocate((size_t)n, sizeof *b),
         *c = app_allocate((size_t)n, sizeof *c);
  for (long i = 0; i < n; i++) b[i] = (double)i, c[i] = 1;
#pragma omp target data map(from : a [0:n]) map(to : b [0:n], c [0:n])
  {
    for (int k = -2; k < times; k++) { /* two to warm up */
      double start = app_now();
#pragma omp target teams distribute parallel for
      for (long i = 0; i < n; i++) a[i] = b[i] + s * c[i];
      if (k == 0) printf("app/stream ns");
      if (k >= 0) printf(" %.4g", app_now() - start);
    }
  }
  printf("\n");
  double sum = 0;
  for (long i = 0; i < n; i++) sum += a[i];
  app_check("sum of the triad", sum, (double)n * (double)(n - 1) / 2 + s * (double)n, 1e-12);
  return 0;
}
