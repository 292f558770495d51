/* Description: checks combined constructs, reductions, collapse, num_teams, thread_limit, if(0),
 * device(n). */
#include "check.h"
#include <omp.h>

enum { N = 1000 };

int main(void) {
  static double x[N], y[N];
  double dot = 0;
  for (int i = 0; i < N; i++) x[i] = i, y[i] = 2;
#pragma omp target teams distribute parallel for map(to : x) map(tofrom : y)
  for (int i = 0; i < N; i++) y[i] += 3 * x[i];
  for (int i = 0; i < N; i++) CHECK_INT(y[i], 2 + 3 * i);
#pragma omp target teams distribute parallel for reduction(+ : dot) map(to : x, y)
  for (int i = 0; i < N; i++) dot += x[i];
  CHECK_INT(dot, N * (N - 1) / 2);
  int grid[20][30];
/* clang-format off */
#pragma omp target teams distribute parallel for collapse(2) map(from : grid) num_teams(4) \
    thread_limit(8)
  /* clang-format on */
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 30; j++) grid[i][j] = i * 30 + j;
  long sum = 0;
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 30; j++) sum += grid[i][j];
  CHECK_INT(sum, 599 * 600 / 2);
  int most = 0, cnt = 0;
#pragma omp target parallel for reduction(max : most) reduction(+ : cnt) map(to : x)
  for (int i = 0; i < N; i++) {
    if (x[i] > most) most = (int)x[i];
    cnt++;
  }
  CHECK_INT(most, N - 1);
  CHECK_INT(cnt, N);
#pragma omp target simd map(tofrom : x)
  for (int i = 0; i < N; i++) x[i] += 1;
  CHECK_INT(x[N - 1], N);
  int where = -1;
#pragma omp target if (0) map(from : where)
  where = omp_is_initial_device();
  CHECK_INT(where, 1);
#pragma omp target device(omp_get_initial_device()) map(from : where)
  where = omp_is_initial_device();
  CHECK_INT(where, 1);
  int teams = 0;
#pragma omp target teams num_teams(3) reduction(+ : teams)
  teams += 1;
  CHECK_INT(teams >= 1 && teams <= 3, 1);
  return result();
}
