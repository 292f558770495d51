/* Matrix product with tiles in shared memory. */
#include "app.h"

enum { N = 32, TILE = 8 };

APP(matmul) {
  static double a[N * N], b[N * N], on[N * N], off[N * N];
  for (int i = 0; i < N * N; i++) a[i] = i % 7 - 3, b[i] = i % 11 - 5;
#pragma omp target teams num_teams((N / TILE) * (N / TILE)) thread_limit(TILE *TILE) map(to        \
                                                                                         : a, b)   \
    map(from                                                                                       \
        : on)
#pragma omp distribute collapse(2)
  for (int ti = 0; ti < N; ti += TILE)
    for (int tj = 0; tj < N; tj += TILE) {
      double x[TILE][TILE], y[TILE][TILE], sum[TILE][TILE];
#pragma omp parallel for collapse(2)
      for (int i = 0; i < TILE; i++)
        for (int j = 0; j < TILE; j++) sum[i][j] = 0;
      for (int k0 = 0; k0 < N; k0 += TILE) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < TILE; i++)
          for (int j = 0; j < TILE; j++) {
            x[i][j] = a[(ti + i) * N + k0 + j];
            y[i][j] = b[(k0 + i) * N + tj + j];
          }
#pragma omp parallel for collapse(2)
        for (int i = 0; i < TILE; i++)
          for (int j = 0; j < TILE; j++)
            for (int k = 0; k < TILE; k++) sum[i][j] += x[i][k] * y[k][j];
      }
#pragma omp parallel for collapse(2)
      for (int i = 0; i < TILE; i++)
        for (int j = 0; j < TILE; j++) on[(ti + i) * N + tj + j] = sum[i][j];
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++) off[i * N + j] += a[i * N + k] * b[k * N + j];
  return app_differ(on, off, N * N, 0);
}
