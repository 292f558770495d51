/* Loops at their limits: chunks that exceed the loop, no iterations, the last iteration, teams of
 * one thread. The order of chunks is defined only in the exact mode (SIMT_SEED). */
#include "app.h"
#include <stdlib.h>

enum { N = 250, THREADS = 64, GUIDED = 5, LOOPS = 7 };

#pragma omp begin declare target
int omp_get_thread_num(void);
int omp_get_num_threads(void);
void omp_set_schedule(int kind, int chunk);
#pragma omp end declare target

#define YIELD()                                                                                    \
  for (int yields = 0; yields < 70; yields++) APP_PRAGMA(omp atomic) ticks++;

APP(loop_limits) {
  static int count[LOOPS][N + 64];
  int wrong = 0, empty = 0, chunks = 0, others = 0, ticks = 0, last[2] = {-1, -1}, one = 0;
  int none = getenv("LOOP_LIMITS_NOT_EMPTY") != NULL; /* 0, but unknown to the compiler */
#pragma omp target map(tofrom : count, empty, chunks, others, ticks, last) thread_limit(THREADS)
  {
    int end = -1, end_2 = -1;
    omp_set_schedule(1, 4); /* static */
#pragma omp parallel
    {
      int mine = 0, before = -2;
#pragma omp for schedule(dynamic, 7) lastprivate(end)
      for (int i = 0; i < N; i++) {
        end = i;
#pragma omp atomic
        count[0][i]++;
      }
#pragma omp for schedule(dynamic) nowait
      for (int i = 0; i < none; i++) mine++;
#pragma omp for schedule(dynamic, 1) nowait
      for (int i = 0; i < N; i++) {
        YIELD()
#pragma omp atomic
        count[6][i]++;
      }
#pragma omp for schedule(guided, GUIDED) lastprivate(end_2)
      for (int i = 0; i < N; i++) {
        YIELD()
        end_2 = i;
        if (i != before + 1) {
#pragma omp atomic
          chunks++;
        }
        before = i;
#pragma omp atomic
        count[1][i]++;
      }
#pragma omp for schedule(runtime)
      for (int i = 0; i < N; i++) {
        if (i / 4 % omp_get_num_threads() != omp_get_thread_num()) {
#pragma omp atomic
          others++;
        }
#pragma omp atomic
        count[2][i]++;
      }
#pragma omp for schedule(dynamic, 1 << 30)
      for (int i = 0; i < N; i++) {
#pragma omp atomic
        count[3][i]++;
      }
#pragma omp for schedule(dynamic, 1L << 62)
      for (long i = 0; i < N; i++) {
#pragma omp atomic
        count[4][i]++;
      }
#pragma omp atomic
      empty += mine;
    }
    last[0] = end, last[1] = end_2;
  }
#pragma omp target parallel num_threads(1) map(tofrom : count, one) thread_limit(THREADS)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < none; i++) one++;
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < N; i++) count[5][i]++;
  }
  for (int k = 0; k < LOOPS; k++)
    for (int i = 0; i < N + 64; i++) wrong += count[k][i] != (i < N);
  wrong += empty + one + (last[0] != N - 1) + (last[1] != N - 1);
  if (getenv("SIMT_SEED")) wrong += others + (chunks > N / GUIDED + 1);
  return wrong;
}
