/* Nesting levels, teams and device numbers in target regions with libomp. */
#include <omp.h>
#include <stdio.h>

#pragma omp declare target
static int orphaned_loop(void) { /* the loop binds to the region's team */
  int sum = 0;
#pragma omp for
  for (int i = 0; i < 12; i++) sum += i;
#pragma omp barrier
  return sum;
}
#pragma omp end declare target

static int wrong;
static void check(const char *what, int is, int expected) {
  if (is == expected) return;
#pragma omp critical
  {
    printf("%s is %d, expected %d\n", what, is, expected);
    wrong = 1;
  }
}

static void region(const char *where) {
  int level = -1, threads = -1, in_parallel = -1, sum = -1, ancestor = -1;
  int devices[3] = {-1, -1, -1}, inner[3] = {-1, -1, -1}, sizes[3] = {-1, -1, -1};
/* clang-format off */
#pragma omp target map(from : level, threads, in_parallel, sum, ancestor) \
    map(tofrom : devices, inner, sizes)
  /* clang-format on */
  {
    level = omp_get_level();
    threads = omp_get_num_threads();
    in_parallel = omp_in_parallel();
    ancestor = omp_get_ancestor_thread_num(0) * 10 + omp_get_team_size(0);
    sum = orphaned_loop();
#pragma omp parallel num_threads(3)
    {
      int t = omp_get_thread_num();
      devices[t] = omp_get_device_num();
      inner[t] = omp_get_level() * 10 + omp_in_parallel();
      sizes[t] = omp_get_team_size(1);
    }
  }
  (void)where;
  check("level", level, 0);
  check("threads", threads, 1);
  check("in parallel", in_parallel, 0);
  check("orphaned loop", sum, 66);
  check("ancestor", ancestor, 1);
  for (int t = 0; t < 3; t++) {
    check("device in a forked thread", devices[t], 0);
    check("level in a forked thread", inner[t], 11);
    check("team size in a forked thread", sizes[t], 3);
  }
}

static void teams(void) {
  int devices[2][2] = {{-1, -1}, {-1, -1}};
#pragma omp target teams num_teams(2) thread_limit(2) map(tofrom : devices)
#pragma omp parallel num_threads(2)
  {
    int team = omp_get_team_num(), t = omp_get_thread_num();
    if (team < 2 && t < 2) devices[team][t] = omp_get_device_num();
  }
  for (int i = 0; i < 4; i++) /* -1: the team or the thread does not exist */
    check("device in a team", devices[i / 2][i % 2] > 0, 0);
  check("device in the first team", devices[0][0], 0);
}

/* The result must not depend on the host's parallel regions. */
static void limits(void) {
  int limits[2] = {-1, -1}, alone = -1;
#pragma omp target teams num_teams(2) thread_limit(1) map(from : limits)
  limits[omp_get_team_num()] = omp_get_thread_limit();
#pragma omp target teams thread_limit(1) nowait map(from : alone)
  alone = omp_get_thread_limit();
#pragma omp taskwait
  check("limit of the first team", limits[0], 1);
  check("limit of the second team", limits[1], 1);
  check("limit of one team", alone, 1);
}

int main(void) {
  region("sequential");
  teams();
  limits();
#pragma omp parallel num_threads(2)
#pragma omp single
  limits();
#pragma omp parallel num_threads(3)
  region("parallel");
#pragma omp parallel num_threads(2)
#pragma omp single
  region("single");
  check("level afterwards", omp_get_level(), 0);
  check("device afterwards", omp_get_device_num(), omp_get_initial_device());
  if (!wrong) printf("levels correct\n");
  return wrong;
}
