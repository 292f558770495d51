/* A histogram: atomic additions to the bins of a team, then to the common bins. */
#include "bench/mini/mini.h"

enum { MOST = 60000, BINS = 64, TEAMS = 60 };
static unsigned char value[MOST];
static int bin[BINS];

void mini_histogram(long times, long n) {
  for (long i = 0; i < n; i++) value[i] = (unsigned char)(i * 7 % BINS);
  for (long t = 0; t < times; t++) {
    for (int b = 0; b < BINS; b++) bin[b] = 0;
#pragma omp target teams distribute num_teams(TEAMS) thread_limit(128) map(to                      \
                                                                           : value [0:n])          \
    map(tofrom                                                                                     \
        : bin)
    for (int team = 0; team < TEAMS; team++) {
      int own[BINS] = {0};
      long begin = n * team / TEAMS, end = n * (team + 1) / TEAMS;
#pragma omp parallel for num_threads(128)
      for (long i = begin; i < end; i++) {
#pragma omp atomic
        own[value[i]]++;
      }
#pragma omp parallel for num_threads(128)
      for (int b = 0; b < BINS; b++) {
#pragma omp atomic
        bin[b] += own[b];
      }
    }
  }
  long count[BINS] = {0}, wrong = 0;
  for (long i = 0; i < n; i++) count[value[i]]++;
  for (int b = 0; b < BINS; b++) wrong += bin[b] != count[b];
  mini_check("histogram: bins", (double)wrong, 0, 0);
}
