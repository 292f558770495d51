/* Doacross loops on NVIDIA GPUs: one and two dimensions, downward, with nowait, several threads per warp. */
#include "app.h"

enum { N = 200, ROWS = 9, COLUMNS = 11 };

APP(doacross) {
  int sum[N], down[N], table[ROWS][COLUMNS];
#pragma omp target parallel thread_limit(64) map(from : sum, down, table)
  {
#pragma omp for ordered(1) schedule(static, 1) nowait
    for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
      sum[i] = i ? sum[i - 1] + i : 0;
#pragma omp ordered depend(source)
    }
#pragma omp for ordered(1) schedule(dynamic, 3)
    for (int i = N - 1; i >= 0; i -= 3) {
#pragma omp ordered depend(sink : i + 3)
      down[i] = i + 3 < N ? down[i + 3] + 1 : 1;
#pragma omp ordered depend(source)
    }
#pragma omp for ordered(2)
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < COLUMNS; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
        table[i][j] = i && j ? table[i - 1][j] + table[i][j - 1] : 1;
#pragma omp ordered depend(source)
      }
  }
  for (int i = 0; i < N; i++) APP_CHECK(sum[i] == i * (i + 1) / 2);
  for (int i = N - 1; i >= 0; i -= 3) APP_CHECK(down[i] == (N - 1 - i) / 3 + 1);
  int expected[ROWS][COLUMNS];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      expected[i][j] = i && j ? expected[i - 1][j] + expected[i][j - 1] : 1;
      APP_CHECK(table[i][j] == expected[i][j]);
    }
  return app_failures;
}
