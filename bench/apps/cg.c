/* Conjugate gradient on a small 1-D Poisson matrix: five small target regions per step, so that the
 * time is that of starting regions. */
#include "bench/apps/app.h"

enum { N = 512 };
static double x[N], r[N], p[N], q[N];

#pragma omp declare target
static double dot(const double *u, const double *v) {
  double sum = 0;
  for (int i = 0; i < N; i++) sum += u[i] * v[i];
  return sum;
}
#pragma omp end declare target

/* Steps until the residual is small; returns their number. */
static int solve(void) {
  int steps = 0;
  double rr = 0;
  for (int i = 0; i < N; i++) x[i] = 0, r[i] = p[i] = 1;
#pragma omp target data map(tofrom : x) map(to : r, p) map(alloc : q)
  {
#pragma omp target map(from : rr)
    rr = dot(r, r);
    while (rr > 1e-18 && steps < 2 * N) {
      double pq = 0, rr_new = 0;
#pragma omp target map(present, alloc : p, q)
      for (int i = 0; i < N; i++)
        q[i] = 2 * p[i] - (i > 0 ? p[i - 1] : 0) - (i < N - 1 ? p[i + 1] : 0);
#pragma omp target map(from : pq)
      pq = dot(p, q);
      double alpha = rr / pq;
#pragma omp target map(present, alloc : x, r, p, q)
      for (int i = 0; i < N; i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * q[i];
      }
#pragma omp target map(from : rr_new)
      rr_new = dot(r, r);
      double beta = rr_new / rr;
#pragma omp target map(present, alloc : r, p)
      for (int i = 0; i < N; i++) p[i] = r[i] + beta * p[i];
      rr = rr_new;
      steps++;
    }
  }
  return steps;
}

int main(int argc, char **argv) {
  int quick = app_is_quick(argc, argv);
  solve();
  printf("app/cg ns");
  for (int k = 0; k < (quick ? 5 : 30); k++) {
    double start = app_now();
    int steps = solve();
    printf(" %.4g", app_now() - start);
    if (steps < N / 4) return 1;
  }
  printf("\n");
  /* -u'' = 1 on N points: u_i = (i + 1) (N - i) / 2 */
  for (int i = 0; i < N; i += 37)
    app_check("solution", x[i], (double)(i + 1) * (double)(N - i) / 2, 1e-8);
  return 0;
}
