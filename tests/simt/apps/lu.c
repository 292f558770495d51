/* LU decomposition: many small regions on present data. */
#include "app.h"

enum { N = 24 };

static void decompose(double *a, int on_device) {
#pragma omp target data if (on_device) map(tofrom : a [0:N * N])
  for (int k = 0; k < N - 1; k++) {
#pragma omp target teams distribute parallel for if (target : on_device)
    for (int i = k + 1; i < N; i++) a[i * N + k] /= a[k * N + k];
#pragma omp target teams distribute parallel for collapse(2) if (target : on_device)
    for (int i = k + 1; i < N; i++)
      for (int j = k + 1; j < N; j++) a[i * N + j] -= a[i * N + k] * a[k * N + j];
  }
}

APP(lu) {
  static double on[N * N], off[N * N];
  for (int i = 0; i < N * N; i++) on[i] = off[i] = i % 13 + (i / N == i % N ? 50 : 0);
  decompose(on, 1);
  decompose(off, 0);
  return app_differ(on, off, N * N, 1e-13);
}
