/* Contraction c[i][j][k][l] = sum over m of a[i][j][m] b[m][k][l], four loops collapsed. */
#include "bench/mini/mini.h"

enum { MOST = 20 };
static double a[MOST * MOST * MOST], b[MOST * MOST * MOST], c[MOST * MOST * MOST * MOST];

void mini_tensor(long times, long n) {
  for (long i = 0; i < n * n * n; i++) a[i] = (double)(i / n % n), b[i] = (double)(i % n + 1);
  for (long t = 0; t < times; t++) {
#pragma omp target teams distribute parallel for collapse(4) num_teams(n *n) thread_limit(256)     \
    map(to                                                                                         \
        : a [0:n * n * n], b [0:n * n * n]) map(from                                               \
                                                : c [0:n * n * n * n])
    for (long i = 0; i < n; i++)
      for (long j = 0; j < n; j++)
        for (long k = 0; k < n; k++)
          for (long l = 0; l < n; l++) {
            double sum = 0;
            for (long m = 0; m < n; m++) sum += a[(i * n + j) * n + m] * b[(m * n + k) * n + l];
            c[((i * n + j) * n + k) * n + l] = sum;
          }
  }
  double off = 0;
  for (long i = 0; i < n * n * n * n; i++)
    off = fmax(off, fabs(c[i] - (double)n * (double)(i / n / n % n) * (double)(i % n + 1)));
  mini_check("tensor: contraction", off, 0, 1e-9);
}
