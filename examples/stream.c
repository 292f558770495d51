/* stream: measures memory bandwidth with the loops of STREAM and BabelStream. A data region keeps
 * the arrays on the device.
 *   solo-cc --static -O2 stream.c -o stream && ./stream [elements] [repetitions]
 */
#include "report.h"

#include <math.h>

enum { COPY, SCALE, ADD, TRIAD, DOT, LOOPS };
static const char *const names[LOOPS] = {"copy", "scale", "add", "triad", "dot"};
static const int arrays_moved[LOOPS] = {2, 2, 3, 3, 2};
static const double factor = 0.4;

#define LOOP _Pragma("omp target teams distribute parallel for") for (size_t i = 0; i < n; i++)

static double run(int loop, size_t n, double *a, double *b, double *c) {
  double sum = 0;
  switch (loop) {
  case COPY:
    LOOP c[i] = a[i];
    break;
  case SCALE:
    LOOP b[i] = factor * c[i];
    break;
  case ADD:
    LOOP c[i] = a[i] + b[i];
    break;
  case TRIAD:
    LOOP a[i] = b[i] + factor * c[i];
    break;
  default:
#pragma omp target teams distribute parallel for reduction(+ : sum) map(tofrom : sum)
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
  }
  return sum;
}

int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1 << 20;
  int repetitions = argc > 2 ? atoi(argv[2]) : 5;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c);
  if (!n || !a || !b || !c)
    return fprintf(stderr, "stream: no memory for %zu elements\n", n), EXIT_FAILURE;
  for (size_t i = 0; i < n; i++) a[i] = 0.1, b[i] = 0.2, c[i] = 0.0;
  report_device("stream");

  double best[LOOPS], dot = 0;
  for (int l = 0; l < LOOPS; l++) best[l] = INFINITY;
#pragma omp target data map(tofrom : a [0:n], b [0:n], c [0:n])
  for (int r = 0; r < repetitions; r++)
    for (int l = 0; l < LOOPS; l++) {
      double start = omp_get_wtime();
      double sum = run(l, n, a, b, c);
      best[l] = fmin(best[l], omp_get_wtime() - start);
      if (l == DOT) dot = sum;
    }
  for (int l = 0; l < LOOPS; l++)
    printf("  %-28s %10.2f GB/s\n", names[l],
           arrays_moved[l] * sizeof(double) * (double)n / best[l] * 1e-9);

  double x = 0.1, y = 0.2, z = 0.0; /* one element, on the host */
  for (int r = 0; r < repetitions; r++) {
    z = x;
    y = factor * z;
    z = x + y;
    x = y + factor * z;
  }
  double error = fabs(dot - x * y * (double)n) / (x * y * (double)n);
  for (size_t i = 0; i < n; i++)
    error = fmax(error, fmax(fabs(a[i] - x), fmax(fabs(b[i] - y), fabs(c[i] - z))));
  free(a);
  free(b);
  free(c);
  return report_answer(error, 1e-9, "absolute");
}
