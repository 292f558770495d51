/* Conjugate gradient for a small 1-D Poisson matrix: four small target regions per step. With
 * APP_SERIAL, one thread executes each region, for about half a microsecond. */
#include "bench/apps/app.h"

#define TEXT(x)   #x
#define PRAGMA(x) _Pragma(TEXT(x))
#ifdef APP_SERIAL
#define NAME     "app/cg_serial"
#define FOR_EACH PRAGMA(omp target)
#define SUM(v)   PRAGMA(omp target map(tofrom : v))
#else
#define NAME "app/cg"
#define FOR_EACH PRAGMA(omp target teams distribute parallel for)
#define SUM(v)   PRAGMA(omp target teams distribute parallel for reduction(+ : v))
#endif

enum { N = 512 };
static double x[N], r[N], p[N], q[N];

static int solve(void) {
  int steps = 0;
  double rr = N;
  for (int i = 0; i < N; i++) x[i] = 0, r[i] = p[i] = 1;
#pragma omp target data map(tofrom : x) map(to : r, p) map(alloc : q)
  while (rr > 1e-18 && steps < 2 * N) {
    double pq = 0, rr_new = 0;
    SUM(pq)
    for (int i = 0; i < N; i++) {
      q[i] = 2 * p[i] - (i > 0 ? p[i - 1] : 0) - (i < N - 1 ? p[i + 1] : 0);
      pq += p[i] * q[i];
    }
    double alpha = rr / pq;
    FOR_EACH
    for (int i = 0; i < N; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    SUM(rr_new)
    for (int i = 0; i < N; i++) rr_new += r[i] * r[i];
    double beta = rr_new / rr;
    FOR_EACH
    for (int i = 0; i < N; i++) p[i] = r[i] + beta * p[i];
    rr = rr_new;
    steps++;
  }
  return steps;
}

int main(int argc, char **argv) {
  int quick = app_is_quick(argc, argv);
  solve();
  printf(NAME " ns");
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
