/* Matrix product by tiles: one team per tile. */
#include "bench/mini/mini.h"

enum { MOST = 128, TILE = 16 };
static double a[MOST * MOST], b[MOST * MOST], c[MOST * MOST];

void mini_matmul(long times, long n) {
  for (long i = 0; i < n * n; i++) a[i] = (double)(i / n + 1), b[i] = 1.0 / (double)(i % n + 1);
  for (long t = 0; t < times; t++) {
#pragma omp target teams distribute collapse(2) num_teams((n / TILE) * (n / TILE))                 \
    thread_limit(TILE *TILE) map(to                                                                \
                                 : a [0:n * n], b [0:n * n]) map(from                              \
                                                                 : c [0:n * n])
    for (long y = 0; y < n; y += TILE)
      for (long x = 0; x < n; x += TILE) {
#pragma omp parallel for collapse(2) num_threads(TILE *TILE)
        for (long i = y; i < y + TILE; i++)
          for (long j = x; j < x + TILE; j++) {
            double sum = 0;
            for (long k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
          }
      }
  }
  double off = 0;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      off = fmax(off, fabs(c[i * n + j] - (double)n * (double)(i + 1) / (double)(j + 1)));
  mini_check("matmul: product", off, 0, 1e-8);
}
