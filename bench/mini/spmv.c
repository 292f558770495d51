/* Sparse matrix (five-point operator) times vector, repeatedly. */
#include "bench/mini/mini.h"

enum { MOST = 10000, ROUNDS = 8 };
static int row[MOST + 1], column[5 * MOST];
static double value[5 * MOST], x[MOST], y[MOST];

static int fill(long n, long side) {
  int entries = 0;
  for (long i = 0; i < n; i++) {
    const long at[5] = {i - side, i - 1, i, i + 1, i + side};
    row[i] = entries;
    for (int e = 0; e < 5; e++) {
      if (at[e] < 0 || at[e] >= n) continue;
      column[entries] = (int)at[e];
      value[entries++] = e == 2 ? 4 : -1;
    }
  }
  row[n] = entries;
  return entries;
}

void mini_spmv(long times, long n) {
  long side = 50;
  int entries = fill(n, side);
  for (long i = 0; i < n; i++) x[i] = (double)i;
  for (long t = 0; t < times; t++) {
#pragma omp target data map(to                                                                     \
                            : row [0:n + 1], column [0:entries], value [0:entries], x [0:n])       \
    map(from                                                                                       \
        : y [0:n])
    for (int r = 0; r < ROUNDS; r++) {
#pragma omp target teams distribute parallel for num_teams((n + 255) / 256) thread_limit(256)
      for (long i = 0; i < n; i++) {
        double sum = 0;
        for (int e = row[i]; e < row[i + 1]; e++) sum += value[e] * x[column[e]];
        y[i] = sum;
      }
    }
  }
  double off = 0;
  /* x is linear, so the operator's result is 0 */
  for (long i = side; i < n - side; i++) off = fmax(off, fabs(y[i]));
  mini_check("spmv: of a line", off, 0, 1e-9);
  mini_check("spmv: first row", y[0], -1 - (double)side, 1e-9);
}
