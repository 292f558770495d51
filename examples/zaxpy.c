/* zaxpy: computes y = a x + y for complex vectors in one target region, which also copies the data.
 *   solo-cc --static -O2 zaxpy.c -o zaxpy && ./zaxpy [elements]
 */
#include "report.h"

#include <complex.h>
#include <math.h>

static void zaxpy(size_t n, double complex a, const double complex *x, double complex *y) {
#pragma omp target teams distribute parallel for map(to : x [0:n]) map(tofrom : y [0:n])
  for (size_t i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
  double complex a = 2.0 - 0.5 * I;
  double complex *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  if (!n || !x || !y)
    return fprintf(stderr, "zaxpy: no memory for %zu elements\n", n), EXIT_FAILURE;
  for (size_t i = 0; i < n; i++) {
    x[i] = (double)i + I / (1.0 + (double)i);
    y[i] = -(double)i * I;
  }
  report_device("zaxpy");

  double start = omp_get_wtime();
  zaxpy(n, a, x, y);
  report_time("y = a x + y, data moved", omp_get_wtime() - start);

  double error = 0;
  for (size_t i = 0; i < n; i++) {
    double complex expected = a * ((double)i + I / (1.0 + (double)i)) - (double)i * I;
    error = fmax(error, cabs(y[i] - expected) / (1.0 + cabs(expected)));
  }
  free(x);
  free(y);
  return report_answer(error, 1e-14, "relative");
}
