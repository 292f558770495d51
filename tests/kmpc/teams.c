/* Description: checks teams: league sizes, distribute, reductions, limits, team numbers. */
#include "tests/kmpc/task_test.h"
#include <omp.h>

enum { N = 5000 };

static int schedule_chunk(void) {
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  return chunk;
}

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
  CHECK_INT(teams, wanted); /* OMP 5.2, 10.2.1: without a lower bound, exactly the upper bound */
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

/* The call that Clang emits for num_teams(lower : upper). */
void __kmpc_push_num_teams_51(void *loc, int gtid, int lower, int upper, int limit);

static int bounded(int lower, int upper) {
  int teams = 0;
  __kmpc_push_num_teams_51(NULL, 0, lower, upper, 0);
#pragma omp teams reduction(+ : teams)
  teams++;
  return teams;
}

/* Each team starts with initial ICVs, independent of the previous team on its thread. */
static void fresh_teams(void) {
  int wrong = 0, tasks = 0, threads = omp_get_max_threads();
#pragma omp teams num_teams(40) reduction(+ : wrong, tasks) thread_limit(2)
  {
    int most = omp_get_max_threads(), sum = 0;
    if (most > 2 || most > threads || schedule_chunk() != 0 || omp_get_dynamic()) wrong++;
    omp_set_num_threads(2);
    omp_set_schedule(omp_sched_dynamic, 5);
    omp_set_dynamic(1);
    if (schedule_chunk() != 5) wrong++;
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp for schedule(dynamic) nowait
      for (int i = 0; i < 10; i++) sum += i;
#pragma omp single nowait
      {
#pragma omp task depend(out : tasks)
        {
#pragma omp atomic
          tasks++;
        }
#pragma omp task depend(inout : tasks)
        {
#pragma omp atomic
          tasks++;
        }
      }
    }
    if (sum != 45) wrong++;
  }
  CHECK_INT(wrong, 0);
  CHECK_INT(tasks, 80);
}

/* A thread_limit clause holds only inside its target construct. */
static void limited_target(void) {
  int before = omp_get_thread_limit(), inside = 0, size = 0, nested = 0;
#pragma omp target thread_limit(2) map(from : inside, size, nested)
  {
    inside = omp_get_thread_limit();
#pragma omp parallel num_threads(6)
    {
#pragma omp masked
      size = omp_get_num_threads();
#pragma omp parallel num_threads(3)
#pragma omp atomic write
      nested = omp_get_thread_limit();
    }
  }
  CHECK_INT(inside, 2);
  CHECK_INT(size, 2);
  CHECK_INT(nested, 2);
  CHECK_INT(omp_get_thread_limit(), before);
#pragma omp parallel num_threads(5)
#pragma omp masked
  size = omp_get_num_threads();
  CHECK_INT(size, 5);
}

void __kmpc_dist_for_static_init_4(void *loc, int32_t gtid, int32_t schedule, int32_t *last,
                                   int32_t *lower, int32_t *upper, int32_t *team_upper,
                                   int32_t *stride, int32_t step, int32_t chunk);

/* The flag for the last iteration of distribute parallel for is set only in the last thread of the
 * last team. The test calls the runtime directly, because a program cannot observe the flag if
 * teams run sequentially. */
static void last_of_all(void) {
  int lasts = 0, teams = 0, of_last_team = 0;
#pragma omp teams num_teams(3) reduction(+ : lasts, teams, of_last_team)
  {
    int32_t last = 0, lower = 0, upper = 29, team_upper, stride;
    __kmpc_dist_for_static_init_4(NULL, 0, 34, &last, &lower, &upper, &team_upper, &stride, 1, 0);
    teams++;
    lasts += last;
    of_last_team += last && upper == 29;
  }
  CHECK_INT(lasts, 1);
  CHECK_INT(of_last_team, 1);
  CHECK(teams >= 1);
}

int main(void) {
  last_of_all();
  for (int i = 0; i < 3; i++) limited_target();
  CHECK_INT(bounded(3, 3), 3);
  CHECK_INT(bounded(0, 5), 5);
  int some = bounded(2, 50);
  CHECK(some >= 2 && some <= 50);
  fresh_teams();
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
