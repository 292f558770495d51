/* Conjugate gradients on a tridiagonal system. */
#include "app.h"

enum { N = 100 };

static double dot(const double *a, const double *b) {
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(tofrom : sum)              \
    map(to : a[0 : N], b[0 : N])
  for (int i = 0; i < N; i++) sum += a[i] * b[i];
  return sum;
}

APP(cg) {
  static double x[N], r[N], p[N], q[N], one[N];
  for (int i = 0; i < N; i++) one[i] = 1, r[i] = p[i] = i % 2 ? 2 : 3;
  for (int i = 0; i < N; i++) r[i] = p[i] = 4 - (i > 0) - (i < N - 1);
#pragma omp target data map(tofrom : x) map(to : r, p) map(alloc : q)
  {
    double rr = dot(r, r);
    for (int step = 0; step < 40 && rr > 1e-20; step++) {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
        q[i] = 4 * p[i] - (i > 0 ? p[i - 1] : 0) - (i < N - 1 ? p[i + 1] : 0);
      double alpha = rr / dot(p, q);
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++) x[i] += alpha * p[i], r[i] -= alpha * q[i];
      double next = dot(r, r), beta = next / rr;
      rr = next;
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++) p[i] = r[i] + beta * p[i];
    }
  }
  return app_differ(x, one, N, 1e-9);
}
