/* Description: checks dynamic, guided, auto and runtime schedules. */
#include "tests/unit/test.h"
#include <limits.h>
#include <omp.h>
#include <sched.h>

static int hits[3000];

static void all_once(int n, const char *what) {
  int wrong = 0;
  for (int i = 0; i < 3000; i++) wrong += hits[i] != (i < n);
  if (wrong) printf("%s, %d: ", what, n);
  CHECK_INT(wrong, 0);
  memset(hits, 0, sizeof hits);
}

#define LOOP(clause, type)                                                                         \
  do {                                                                                             \
    _Pragma(clause) for (type i = 0; i < (type)n; i++) hits[i]++;                                  \
    all_once(n, clause " " #type);                                                                 \
  } while (0)
#define LOOPS(clause)                                                                              \
  do {                                                                                             \
    LOOP(clause, int);                                                                             \
    LOOP(clause, unsigned);                                                                        \
    LOOP(clause, long);                                                                            \
    LOOP(clause, unsigned long);                                                                   \
  } while (0)

static void kinds(int n) {
  LOOPS("omp parallel for schedule(dynamic)");
  LOOPS("omp parallel for schedule(dynamic, 13)");
  LOOPS("omp parallel for schedule(monotonic : dynamic, 4)");
  LOOPS("omp parallel for schedule(nonmonotonic : dynamic, 4)");
  LOOPS("omp parallel for schedule(guided)");
  LOOPS("omp parallel for schedule(guided, 9)");
  LOOPS("omp parallel for schedule(auto)");
  omp_sched_t schedules[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
  for (int s = 0; s < 4; s++) {
    for (int chunk = 0; chunk < 8; chunk += 7) {
      omp_set_schedule(schedules[s], chunk);
      LOOPS("omp parallel for schedule(runtime)");
    }
  }
  int last = -1;
#pragma omp parallel for schedule(dynamic, 3) lastprivate(last)
  for (int i = n - 1; i >= 0; i--) last = i, hits[i]++;
  all_once(n, "down");
  CHECK_INT(last, n ? 0 : -1);
}

/* Executes more consecutive nowait loops than the ring of loop records has slots. */
static void nowait_sequence(int n) {
  int counts[20] = {0};
#pragma omp parallel
  for (int k = 0; k < 20; k++) {
    int mine = 0;
#pragma omp for schedule(dynamic, 2) nowait
    for (int i = 0; i < n; i++) mine++;
#pragma omp atomic
    counts[k] += mine;
  }
  for (int k = 0; k < 20; k++) CHECK_INT(counts[k], n);
}

static void monotonic(int n) {
  int wrong = 0;
#pragma omp parallel
  {
    int before = -1;
#pragma omp for schedule(monotonic : dynamic, 2)
    for (int i = 0; i < n; i++) {
      if (i <= before) {
#pragma omp atomic
        wrong++;
      }
      before = i;
    }
  }
  CHECK_INT(wrong, 0);
}

/* While one thread is blocked, the other threads execute all other iterations. */
static void balance(void) {
  int by[64] = {0};
  volatile int release = 0;
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    int threads = omp_get_num_threads();
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < 200; i++) {
      by[me]++;
      if (i == 0) {
        int done;
        do {
#pragma omp atomic read
          done = release;
        } while (threads > 1 && done < 199);
      } else {
#pragma omp atomic
        release++;
      }
    }
  }
  int sum = 0;
  for (int t = 0; t < 64; t++) sum += by[t];
  CHECK_INT(sum, 200);
}

static void limits(void) {
  int count = 0;
#pragma omp parallel for reduction(+ : count) schedule(dynamic, 1000000000)
  for (unsigned long i = 0; i < 5000000000ul; i += 1000000000ul) count++;
  CHECK_INT(count, 5);
  count = 0;
#pragma omp parallel for reduction(+ : count) schedule(dynamic, 3)
  for (int i = INT_MAX - 10; i < INT_MAX; i++) count++;
  CHECK_INT(count, 10);
  count = 0;
#pragma omp parallel for reduction(+ : count) schedule(guided)
  for (long i = LONG_MAX - 10; i < LONG_MAX; i++) count++;
  CHECK_INT(count, 10);
}

/* Each sequence of iterations of one thread has at least CHUNK iterations, except the last
 * sequence. */
static void guided_chunks(void) {
  enum { TRIPS = 500, CHUNK = 7 };
  static int by[TRIPS];
#pragma omp parallel for schedule(guided, CHUNK)
  for (int i = 0; i < TRIPS; i++) {
    by[i] = omp_get_thread_num();
    sched_yield();
  }
  for (int i = 0, run; i < TRIPS; i += run) {
    for (run = 1; i + run < TRIPS && by[i + run] == by[i]; run++) continue;
    CHECK(run >= CHUNK || i + run == TRIPS);
  }
}

int main(void) {
  guided_chunks();
  int sizes[] = {0, 1, 2, 15, 100, 2999};
  for (int i = 0; i < 6; i++) kinds(sizes[i]), nowait_sequence(sizes[i]), monotonic(sizes[i]);
  balance();
  limits();
  return TEST_RESULT();
}
