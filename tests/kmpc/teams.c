/* Description: teams: leagues of every size, distribute, reductions across teams, limits, numbers.
 */
#include "tests/unit/test.h"
#include <omp.h>

enum { N = 5000 };
static int hits[N], team_of[N];

static void league(int wanted) {
  int seen[512] = {0}, wrong = 0, teams = 0;
#pragma omp teams num_teams(wanted)
  {
    int me = omp_get_team_num();
#pragma omp atomic
    seen[me]++;
    if (omp_get_num_threads() != 1 || omp_get_thread_num() != 0 || omp_get_level() != 0 ||
        omp_in_parallel()) {
#pragma omp atomic
      wrong++;
    }
    if (me == 0) teams = omp_get_num_teams();
  }
  CHECK_INT(wrong, 0);
  CHECK(teams >= 1 && teams <= wanted);
  for (int i = 0; i < 512; i++)
    if (seen[i] != (i < teams)) wrong++;
  CHECK_INT(wrong, 0);
  CHECK_INT(omp_get_num_teams(), 1);
  CHECK_INT(omp_get_team_num(), 0);
}

static void loops(int wanted, int limit) {
  long sum = 0;
  int wrong = 0;
  memset(hits, 0, sizeof hits);
#pragma omp teams distribute parallel for num_teams(wanted) thread_limit(limit) reduction(+ : sum)
  for (int i = 0; i < N; i++) {
    hits[i]++;
    team_of[i] = omp_get_team_num();
    sum += i;
    if (omp_get_num_threads() > limit) {
#pragma omp atomic
      wrong++;
    }
  }
  CHECK_INT(sum, (long)N * (N - 1) / 2);
  for (int i = 0; i < N; i++) wrong += hits[i] != 1;
  for (int i = 1; i < N; i++) wrong += team_of[i] < team_of[i - 1];
  CHECK_INT(wrong, 0);
  sum = 0;
#pragma omp teams distribute num_teams(wanted) dist_schedule(static, 7) reduction(+ : sum)
  for (int i = 0; i < N; i++) sum += i;
  CHECK_INT(sum, (long)N * (N - 1) / 2);
  sum = 0;
#pragma omp teams num_teams(wanted) reduction(+ : sum)
  {
#pragma omp distribute
    for (int i = 0; i < 100; i++) {
      long inner = 0;
#pragma omp parallel for reduction(+ : inner)
      for (int j = 0; j < 50; j++) inner += j;
      sum += inner;
    }
  }
  CHECK_INT(sum, 100 * 1225);
  sum = 0;
#pragma omp teams distribute parallel for simd num_teams(wanted) reduction(+ : sum) schedule(dynamic, 16)
  for (int i = 0; i < N; i++) sum += i;
  CHECK_INT(sum, (long)N * (N - 1) / 2);
}

int main(void) {
  int sizes[] = {1, 2, 3, 8, 100, 512};
  for (int i = 0; i < 6; i++) league(sizes[i]), loops(sizes[i], 4), loops(sizes[i], 1);
  int size = 0, limit = 0;
#pragma omp teams num_teams(1) thread_limit(3)
#pragma omp parallel num_threads(3)
#pragma omp master
  size = omp_get_num_threads();
  CHECK_INT(size, 3);
#pragma omp teams num_teams(2) thread_limit(2)
  {
    if (omp_get_team_num() == 0) limit = omp_get_thread_limit();
#pragma omp parallel num_threads(8)
#pragma omp master
    if (omp_get_team_num() == 0) size = omp_get_num_threads();
  }
  CHECK_INT(size, 2);
  CHECK_INT(limit, 2);
  return TEST_RESULT();
}
