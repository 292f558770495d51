/* Teams at their limits: one and a half warps, barriers in small teams, a false if clause. */
#include "app.h"

#include <omp.h>

enum { BLOCK = 128 };

/* All threads of the block execute the kernel. Only some threads execute the region. */
static void spmd(int none) {
  int at[BLOCK] = {0}, threads = 0, bad = 0, sum = 0, once = 0, after = 0;
#pragma omp target parallel num_threads(48) thread_limit(BLOCK) map(tofrom : at, threads, bad, sum)
  {
    int me = omp_get_thread_num(), of = omp_get_num_threads();
    for (int round = 1; round < 4; round++) {
      at[me] = me * round;
#pragma omp barrier
      if (at[(me + 1) % of] != (me + 1) % of * round) {
#pragma omp atomic
        bad++;
      }
#pragma omp barrier
    }
#pragma omp atomic
    sum++;
    if (me == 0) threads = of;
  }
  APP_CHECK(threads >= 32 && threads <= 48 && threads % 32 == 0);
  APP_CHECK(sum == threads);
  APP_CHECK(bad == 0);
#pragma omp target parallel if (parallel : none) thread_limit(BLOCK) map(tofrom : once)
  {
#pragma omp atomic
    once++;
#pragma omp barrier
  }
  APP_CHECK(once == 1);
#pragma omp target parallel thread_limit(BLOCK) map(tofrom : after)
  {
#pragma omp atomic
    after++;
  }
  APP_CHECK(after == BLOCK);
  int inside = 0, all = 0;
#pragma omp target thread_limit(BLOCK) map(tofrom : inside, all)
  {
#pragma omp parallel if (none)
    {
#pragma omp atomic
      inside++;
    }
#pragma omp parallel
    {
#pragma omp atomic
      all++;
    }
  }
  APP_CHECK(inside == 1);
  APP_CHECK(all == BLOCK);
}

APP(team_limits) {
  spmd(getenv("TEAM_LIMITS_PARALLEL") != NULL); /* 0, but unknown to the compiler */
  return app_failures;
}
