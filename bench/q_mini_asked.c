/* A program that requests 128 teams. Stock creates one team per processor unless
 * KMP_TEAMS_THREAD_LIMIT is set at program start. */
#include "bench/bench.h"
#include "bench/mini/mini.h"
#include <unistd.h>

enum { TEAMS = 128 };

static int created_teams(void) {
  int teams = 0;
#pragma omp target teams num_teams(TEAMS) map(tofrom : teams)
  if (omp_get_team_num() == 0) teams = omp_get_num_teams();
  return teams;
}

static const bench_case cases[] = {
    {.name = "mini_asked/gridstride", .loop = mini_gridstride, .argument = 100000}};

int main(int argc, char **argv) {
  if (!getenv("KMP_TEAMS_THREAD_LIMIT")) {
    setenv("KMP_TEAMS_THREAD_LIMIT", "128", 1);
    setenv("KMP_WARNINGS", "0", 1);
    execv("/proc/self/exe", argv);
  }
  if (created_teams() != TEAMS) return 77;
  return bench_cases(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
