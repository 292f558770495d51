/* Description: dynamic loops execute each iteration once, in teams of all sizes, without barriers,
 * and with schedule(runtime). */
#include "../programs/check.h"

#pragma omp begin declare target
int omp_get_thread_num(void);
int omp_get_num_threads(void);
void omp_set_schedule(int kind, int chunk);
#pragma omp end declare target
enum { N = 700, THREADS = 128, STATIC = 1, DYNAMIC = 2 };

static int x[N], y[N];

static long not_once(void) {
  long n = 0;
  for (int i = 0; i < N; i++) n += x[i] != 1, x[i] = 0;
  return n;
}

#define LOOP(schedule_, type_)                                                                     \
  for (int k = 0; k < SIZES; k++) {                                                                \
    int threads = size[k];                                                                         \
    _Pragma("omp target parallel num_threads(threads) map(tofrom : x) thread_limit(THREADS)") {    \
      _Pragma(schedule_) for (type_ i = 0; i < N; i++) _Pragma("omp atomic") x[i]++;               \
    }                                                                                              \
    CHECK_INT(not_once(), 0);                                                                      \
  }
enum { SIZES = 6 };
static const int size[SIZES] = {1, 2, 33, 64, 100, THREADS};

static void once(void) {
  LOOP("omp for schedule(dynamic)", int);
  LOOP("omp for schedule(dynamic, 7)", unsigned);
  LOOP("omp for schedule(guided)", long);
  LOOP("omp for schedule(guided, 5)", unsigned long);
  LOOP("omp for schedule(monotonic : dynamic, 1000)", int);
  LOOP("omp for schedule(dynamic, 1L << 62)", long);
  LOOP("omp for schedule(guided, 1L << 62)", long);
  LOOP("omp for schedule(runtime)", int);
  LOOP("omp for schedule(static, 3) ordered", int);
}

static void in_a_league(void) {
#pragma omp target teams distribute parallel for map(tofrom                                        \
                                                     : x) schedule(dynamic, 3)                     \
    dist_schedule(static, 50) num_teams(4) thread_limit(64)
  for (int i = 0; i < N; i++) x[i]++;
  CHECK_INT(not_once(), 0);
#pragma omp target teams distribute parallel for map(tofrom                                        \
                                                     : x) schedule(guided) num_teams(3)            \
    thread_limit(1)
  for (int i = N - 1; i >= 0; i--) x[i]++;
  CHECK_INT(not_once(), 0);
}

/* Some threads leave a loop while other threads execute it. */
static void without_barriers(void) {
  long last = -1;
  int sum = 0;
#pragma omp target map(tofrom : x, y, last, sum) thread_limit(THREADS)
#pragma omp parallel
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < N; i++) {
      for (volatile int k = 0; k < i % 13; k++) {
      }
#pragma omp atomic
      x[i]++;
    }
#pragma omp for schedule(guided) nowait lastprivate(last)
    for (long i = 0; i < N; i += 3) {
      last = i;
#pragma omp atomic
      y[i]++;
    }
#pragma omp for schedule(dynamic, 2) reduction(+ : sum)
    for (int i = 0; i < N; i++) sum += i;
  }
  CHECK_INT(not_once(), 0);
  for (int i = 0; i < N; i++) CHECK_INT(y[i], i % 3 == 0);
  CHECK_INT(last, (N - 1) / 3 * 3);
  CHECK_INT(sum, N * (N - 1) / 2);
}

/* The static schedule assigns chunks round-robin. */
static void whose(void) {
  int threads = 0, others = 0;
#pragma omp target map(tofrom : x, threads, others) thread_limit(THREADS)
  {
    omp_set_schedule(STATIC, 4);
#pragma omp parallel
    {
#pragma omp masked
      threads = omp_get_num_threads();
#pragma omp for schedule(runtime)
      for (int i = 0; i < N; i++) {
        x[i]++;
        if (i / 4 % omp_get_num_threads() != omp_get_thread_num()) {
#pragma omp atomic
          others++;
        }
      }
    }
  }
  CHECK_INT(not_once(), 0);
  CHECK_INT(others, 0);
  CHECK_INT(threads > 1, 1);
}

static void barriers(void) {
  int bad = 0, sums = 0;
#pragma omp target teams distribute map(tofrom : bad, sums) thread_limit(THREADS) num_teams(3)
  for (int team = 0; team < 3; team++) {
    int at[THREADS], sum = 0;
#pragma omp parallel num_threads(70) reduction(+ : sum)
    {
      int me = omp_get_thread_num(), of = omp_get_num_threads();
      for (int round = 1; round < 20; round++) {
        at[me] = me + round;
#pragma omp barrier
        if (at[(me + 1) % of] != (me + 1) % of + round) {
#pragma omp atomic
          bad++;
        }
#pragma omp barrier
      }
      sum += 1000 / of;
    }
#pragma omp atomic
    sums += sum > 900;
  }
  CHECK_INT(bad, 0);
  CHECK_INT(sums, 3);
}

int main(void) {
  once();
  in_a_league();
  without_barriers();
  whose();
  barriers();
  return result();
}
