/* Description: doacross loops: sources happen before their sinks, in one and two dimensions. */
#include "tests/unit/test.h"
#include <omp.h>

enum { N = 120, M = 40 };
static long line[N], grid[N][M];

int main(void) {
  for (int round = 0; round < 3; round++) {
    memset(line, 0, sizeof line);
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
      line[i] = line[i - 1] + i;
#pragma omp ordered depend(source)
    }
    CHECK_INT(line[N - 1], (long)N * (N - 1) / 2);
    for (int i = 0; i < N; i++) grid[i][0] = i;
    for (int j = 0; j < M; j++) grid[0][j] = j;
#pragma omp parallel for ordered(2) schedule(dynamic)
    for (int i = 1; i < N; i++)
      for (int j = 1; j < M; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
        grid[i][j] = (grid[i - 1][j] + grid[i][j - 1]) % 1000003;
#pragma omp ordered depend(source)
      }
    static long want[N][M];
    for (int i = 0; i < N; i++)
      for (int j = 0; j < M; j++)
        want[i][j] = !i ? j : !j ? i : (want[i - 1][j] + want[i][j - 1]) % 1000003;
    int wrong = 0;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < M; j++) wrong += grid[i][j] != want[i][j];
    CHECK_INT(wrong, 0);
  }
  /* downward with a step, and two loops in one region */
  memset(line, 0, sizeof line);
#pragma omp parallel
  for (int k = 0; k < 6; k++) {
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = N - 2; i >= 0; i -= 2) {
#pragma omp ordered depend(sink : i + 2)
      line[i] = (i + 2 < N ? line[i + 2] : 0) + 1;
#pragma omp ordered depend(source)
    }
  }
  CHECK_INT(line[0], N / 2);
  return TEST_RESULT();
}
