/* Heat equation in three dimensions, collapsed loops. */
#include "app.h"

enum { N = 12 };

static void step(double b[N][N][N], double a[N][N][N], int on_device) {
#pragma omp target teams distribute parallel for collapse(3) schedule(static, 1) if (target        \
                                                                                     : on_device)  \
    map(to                                                                                         \
        : a [0:N]) map(tofrom                                                                      \
                       : b [0:N])
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      for (int k = 1; k < N - 1; k++)
        b[i][j][k] =
            a[i][j][k] + 0.1 * (a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] +
                                a[i][j][k - 1] + a[i][j][k + 1] - 6 * a[i][j][k]);
}

APP(heat) {
  static double a[N][N][N], on[N][N][N], off[N][N][N];
  for (int i = 0; i < N * N * N; i++) a[0][0][i] = i % 17;
  step(on, a, 1);
  step(off, a, 0);
  return app_differ(on[0][0], off[0][0], N * N * N, 1e-14);
}
