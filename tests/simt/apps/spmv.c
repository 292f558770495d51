/* Sparse matrix (CSR) times vector, one row per team. */
#include "app.h"

enum { ROWS = 60, MOST = 9 };

APP(spmv) {
  static int first[ROWS + 1], column[ROWS * MOST];
  static double value[ROWS * MOST], x[ROWS], on[ROWS], off[ROWS];
  unsigned state = 7;
  for (int i = 0; i < ROWS; i++) {
    first[i + 1] = first[i] + (int)(app_next(&state) % (MOST + 1));
    x[i] = i % 5 - 1;
    for (int k = first[i]; k < first[i + 1]; k++)
      column[k] = (int)(app_next(&state) % ROWS), value[k] = (int)(app_next(&state) % 9) - 4;
  }
  int entries = first[ROWS];
#pragma omp target teams distribute map(to                                                         \
                                        : first, x, column [0:entries], value [0:entries])         \
    map(from                                                                                       \
        : on) thread_limit(32)
  for (int i = 0; i < ROWS; i++) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int k = first[i]; k < first[i + 1]; k++) sum += value[k] * x[column[k]];
    on[i] = sum;
  }
  for (int i = 0; i < ROWS; i++)
    for (int k = first[i]; k < first[i + 1]; k++) off[i] += value[k] * x[column[k]];
  return app_differ(on, off, ROWS, 0);
}
