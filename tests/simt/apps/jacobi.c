/* Jacobi iteration; data stay on the device. */
#include "app.h"

enum { N = 34 };

static int solve(double a[N][N], double b[N][N], int on_device) {
  int steps = 0;
  double change = 1;
#pragma omp target data if (on_device) map(tofrom : a [0:N]) map(alloc : b [0:N])
  for (; change > 1e-2 && steps < 60; steps++) {
    change = 0;
#pragma omp target teams distribute parallel for collapse(2) if (target                            \
                                                                 : on_device) reduction(max        \
                                                                                        : change)  \
    map(tofrom                                                                                     \
        : change)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) {
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        double d = fabs(b[i][j] - a[i][j]);
        if (d > change) change = d;
      }
#pragma omp target teams distribute parallel for collapse(2) if (target : on_device)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];
  }
  return steps;
}

APP(jacobi) {
  static double on[N][N], off[N][N], room[N][N];
  for (int i = 0; i < N; i++) on[0][i] = off[0][i] = i, on[i][N - 1] = off[i][N - 1] = N - i;
  int steps = solve(on, room, 1);
  return (steps != solve(off, room, 0)) + app_differ(on[0], off[0], N * N, 1e-13);
}
