/* LU factorization without pivoting: two regions per column, of decreasing size. */
#include "bench/mini/mini.h"

enum { MOST = 96 };
static double a[MOST * MOST];

static void column(long n, long k) {
#pragma omp target teams distribute parallel for
  for (long i = k + 1; i < n; i++) a[i * n + k] /= a[k * n + k];
#pragma omp target teams distribute parallel for collapse(2) num_teams(n - k) thread_limit(128)
  for (long i = k + 1; i < n; i++)
    for (long j = k + 1; j < n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
}

void mini_lu(long times, long n) {
  for (long t = 0; t < times; t++) {
    for (long i = 0; i < n * n; i++) { /* min(i, j): L and U are all ones */
      long r = i / n, c = i % n;
      a[i] = (double)((r < c ? r : c) + 1);
    }
#pragma omp target data map(tofrom : a [0:n * n])
    for (long k = 0; k < n - 1; k++) column(n, k);
  }
  double off = 0;
  for (long i = 0; i < n * n; i++) off = fmax(off, fabs(a[i] - 1));
  mini_check("lu: factors", off, 0, 1e-9);
}
