/* The routines of teams, and chunks of `distribute`. */
#include <omp.h>
#include <stdio.h>

enum { N = 1024, TEAMS = 4, LIMIT = 40 };

static int owner[N], teams;

static int chunks(int chunk) {
  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += owner[i] != i / chunk % teams;
  return wrong;
}

int main(void) {
  int count[TEAMS] = {0}, limit[TEAMS], threads[TEAMS], wrong = 0, most = -1, most_threads = -1;
#pragma omp target teams num_teams(TEAMS) thread_limit(LIMIT) map(tofrom                           \
                                                                  : count, wrong)                  \
    map(from                                                                                       \
        : limit, threads)
  {
    int team = omp_get_team_num();
    count[team] += omp_get_num_teams();
    limit[team] = omp_get_thread_limit();
    int most_here = omp_get_max_threads(), sum = 0;
#pragma omp parallel reduction(+ : sum)
    sum += 1;
    threads[team] = sum;
    if (sum > most_here) {
#pragma omp atomic write
      wrong = 1;
    }
  }
  for (int i = 0; i < TEAMS; i++)
    wrong += count[i] != TEAMS || limit[i] < 1 || limit[i] > LIMIT || threads[i] > limit[i];
  printf("routines: %d\n", wrong);
#pragma omp target map(from : most, most_threads)
  {
    most = omp_get_max_teams();
    most_threads = omp_get_teams_thread_limit();
  }
  wrong += most < 0 || most_threads < 0;
#pragma omp target map(from : teams, limit)
  teams = omp_get_num_teams() + omp_get_team_num();
  wrong += teams != 1;
  printf("target: %d\n", wrong);
#pragma omp target teams distribute dist_schedule(static, 64) map(from : owner, teams)
  for (int i = 0; i < N; i++) {
    owner[i] = omp_get_team_num();
    if (i == 0) teams = omp_get_num_teams();
  }
  wrong += chunks(64);
  /* without num_teams, a GPU has at least one team for each of the 16 chunks */
  for (int i = 1; i < N; i++) wrong += owner[i] < owner[i - 1];
#pragma omp target teams distribute parallel for dist_schedule(static, 10) num_teams(3)            \
    map(from                                                                                       \
        : owner, teams)
  for (int i = 0; i < N; i++) {
    owner[i] = omp_get_team_num();
    if (i == 0) teams = omp_get_num_teams();
  }
  wrong += chunks(10);
  printf("chunks: %d\n", wrong);
  return wrong;
}
