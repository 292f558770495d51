/* Assignments of iterations that clauses of `distribute parallel for` determine (OpenMP 5.2, 11.5.3, 11.6). The program
 * refers to numbers of teams and threads, so the virtual GPU does not divide its loops into slices. */
#include <omp.h>
#include <stdio.h>

enum { N = 1000, TEAMS = 3, THREADS = 64, CHUNK = 128 };

int main(void) {
  static int team[N], thread[N];
  int wrong = 0, threads = 0;
#pragma omp target teams distribute parallel for num_teams(TEAMS) thread_limit(THREADS)            \
    dist_schedule(static, CHUNK) schedule(static, 1) map(from                                      \
                                                         : team, thread) map(tofrom                \
                                                                             : threads)
  for (int i = 0; i < N; i++) {
    team[i] = omp_get_team_num();
    thread[i] = omp_get_thread_num();
    if (i == 0) threads = omp_get_num_threads();
  }
  for (int i = 0; i < N && !wrong; i++) {
    if (team[i] == i / CHUNK % TEAMS && thread[i] == i % CHUNK % threads) continue;
    printf("iteration %d: team %d, thread %d of %d\n", i, team[i], thread[i], threads);
    wrong = 1;
  }
  return wrong;
}
