/* Parallel regions, worksharing loops of all schedules and types, sections, ordered, doacross, scan
 * and lastprivate. */
#include "tests/gcc/check.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { N = 500 };

typedef unsigned long long ull;

static int seen[N];
static int each_once(int first, int end, int step) {
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    int wanted = step > 0 ? i >= first && i < end && (i - first) % step == 0
                          : i <= first && i > end && (first - i) % -step == 0;
    wrong += seen[i] != wanted;
  }
  memset(seen, 0, sizeof seen);
  return !wrong;
}
static void see(long i) {
#pragma omp atomic
  seen[i]++;
}

#define LOOP(type, clauses)                                                                        \
  do {                                                                                             \
    _Pragma("omp parallel") {                                                                      \
      PRAGMA(omp for clauses) for (type i = 3; i < N; i += 7) see((long)i);                        \
    }                                                                                              \
    CHECK(each_once(3, N, 7));                                                                     \
    PRAGMA(omp parallel for clauses) for (type i = N - 1; i > 8; i -= 5) see((long)i);             \
    CHECK(each_once(N - 1, 8, -5));                                                                \
    PRAGMA(omp parallel for clauses) for (type i = 9; i < 9; i++) see((long)i);                    \
    CHECK(each_once(0, 0, 1));                                                                     \
  } while (0)
#define PRAGMA(text) _Pragma(#text)
#define ALL(type)                                                                                  \
  LOOP(type, schedule(static));                                                                    \
  LOOP(type, schedule(static, 3));                                                                 \
  LOOP(type, schedule(dynamic));                                                                   \
  LOOP(type, schedule(dynamic, 4));                                                                \
  LOOP(type, schedule(monotonic : dynamic, 4));                                                    \
  LOOP(type, schedule(guided, 2));                                                                 \
  LOOP(type, schedule(monotonic : guided));                                                        \
  LOOP(type, schedule(auto));                                                                      \
  LOOP(type, schedule(runtime));                                                                   \
  LOOP(type, schedule(monotonic : runtime));                                                       \
  LOOP(type, schedule(nonmonotonic : runtime))

static void all_schedules(void) {
  ALL(int);
  ALL(long);
  ALL(ull);
}

static void runtime_schedules(void) {
  static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                                      omp_sched_auto};
  for (int k = 0; k < 4; k++)
    for (int chunk = 0; chunk < 4; chunk += 3) {
      omp_set_schedule(kinds[k], chunk);
      LOOP(int, schedule(runtime));
      LOOP(ull, schedule(runtime));
    }
}

static void collapsed(void) {
  long sum = 0, wanted = 0;
  int last_i = 0, last_j = 0;
#pragma omp parallel for collapse(2) schedule(dynamic, 5) reduction(+ : sum) lastprivate(last_i, last_j)
  for (int i = 0; i < 20; i++)
    for (int j = 30; j > 0; j -= 3) {
      sum += i * 100 + j;
      last_i = i;
      last_j = j;
    }
  for (int i = 0; i < 20; i++)
    for (int j = 30; j > 0; j -= 3) wanted += i * 100 + j;
  CHECK(sum == wanted && last_i == 19 && last_j == 3);
}

static void ranges_at_limits(void) {
  long count = 0;
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : count)
  for (ull i = ~0ull - 100; i < ~0ull; i++) count++;
  CHECK(count == 100);
  count = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : count)
  for (long i = -0x7fffffffffffffff; i < 0x7000000000000000; i += 0x0800000000000000) count++;
  CHECK(count == 30);
}

static void ordered_loops(void) {
#define ORDERED(type, clauses)                                                                     \
  do {                                                                                             \
    int next = 0, wrong = 0;                                                                       \
    PRAGMA(omp parallel for ordered clauses) for (type i = 0; i < 200; i++) {                      \
      if (i % 3 != 1) {                                                                            \
        PRAGMA(omp ordered) {                                                                      \
          wrong += next > (int)i;                                                                  \
          next = (int)i;                                                                           \
        }                                                                                          \
      }                                                                                            \
    }                                                                                              \
    CHECK(!wrong && next == 198);                                                                  \
  } while (0)
  /* a chunked static schedule assigns chunks round-robin, also in ordered loops */
  int threads = 1, misplaced = 0;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
#pragma omp parallel for ordered schedule(static, 3)
  for (int i = 0; i < 200; i++) {
#pragma omp ordered
    misplaced += omp_get_thread_num() != i / 3 % threads;
  }
  CHECK(!misplaced);
  int last = 201, disorder = 0;
#pragma omp parallel for ordered schedule(dynamic, 2)
  for (int i = 200; i > 0; i -= 3) {
#pragma omp ordered
    {
      disorder += last <= i;
      last = i;
    }
  }
  CHECK(!disorder && last == 2);
  ORDERED(int, schedule(static));
  ORDERED(int, schedule(static, 3));
  ORDERED(int, schedule(dynamic));
  ORDERED(int, schedule(dynamic, 3));
  ORDERED(int, schedule(guided));
  ORDERED(int, schedule(runtime));
  ORDERED(ull, schedule(static, 2));
  ORDERED(ull, schedule(dynamic));
  ORDERED(ull, schedule(guided));
  ORDERED(ull, schedule(runtime));
}

static void doacross(void) {
  enum { ROWS = 20, COLUMNS = 16 };
  static int a[ROWS][COLUMNS], b[ROWS][COLUMNS];
#define DOACROSS(type, clauses)                                                                    \
  do {                                                                                             \
    memset(a, 0, sizeof a);                                                                        \
    PRAGMA(omp parallel for ordered(2) clauses) for (type i = 1; i < ROWS; i++) {                  \
      for (type j = 2; j < COLUMNS; j += 2) {                                                      \
        PRAGMA(omp ordered depend(sink : i - 1, j) depend(sink : i, j - 2))                        \
        a[i][j] = a[i - 1][j] + a[i][j - 2] + (int)(i * j) % 7;                                    \
        PRAGMA(omp ordered depend(source))                                                         \
      }                                                                                            \
    }                                                                                              \
    CHECK(memcmp(a, b, sizeof a) == 0);                                                            \
  } while (0)
  for (int i = 1; i < ROWS; i++)
    for (int j = 2; j < COLUMNS; j += 2) b[i][j] = b[i - 1][j] + b[i][j - 2] + i * j % 7;
  DOACROSS(int, schedule(static));
  DOACROSS(int, schedule(static, 1));
  DOACROSS(int, schedule(dynamic));
  DOACROSS(long, schedule(guided));
  DOACROSS(int, schedule(runtime));
  DOACROSS(ull, schedule(static, 1));
  DOACROSS(ull, schedule(dynamic));
  DOACROSS(ull, schedule(guided));
  DOACROSS(ull, schedule(runtime));
}

static void section_constructs(void) {
  for (int round = 0; round < 20; round++) {
    int a = 0, b = 0, c = 0, last = 0;
#pragma omp parallel sections lastprivate(last)
    {
#pragma omp section
      a++, last = 1;
#pragma omp section
      b++, last = 2;
#pragma omp section
      c++, last = 3;
    }
    CHECK(a == 1 && b == 1 && c == 1 && last == 3);
#pragma omp parallel
    {
#pragma omp sections nowait
      {
#pragma omp section
        a++;
#pragma omp section
        b++;
      }
#pragma omp sections
      {
#pragma omp section
        c++;
      }
    }
    CHECK(a == 2 && b == 2 && c == 2);
  }
}

static void scans(void) {
  static int a[N], inclusive[N], exclusive[N];
  for (int i = 0; i < N; i++) a[i] = i % 13;
  int sum = 5;
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < N; i++) {
    sum += a[i];
#pragma omp scan inclusive(sum)
    inclusive[i] = sum;
  }
  int wrong = 0, total = 5;
  for (int i = 0; i < N; i++) wrong += inclusive[i] != (total += a[i]);
  CHECK(!wrong && sum == total);
  sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < N; i++) {
    exclusive[i] = sum;
#pragma omp scan exclusive(sum)
    sum += a[i];
  }
  total = 0;
  for (int i = 0; i < N; i++) {
    wrong += exclusive[i] != total;
    total += a[i];
  }
  CHECK(!wrong && sum == total);
}

static void conditional_lastprivate(void) {
#define CONDITIONAL(clauses)                                                                       \
  do {                                                                                             \
    int last = -1;                                                                                 \
    PRAGMA(omp parallel for lastprivate(conditional : last) clauses) for (int i = 0; i < N; i++)   \
      if (i % 11 == 4) last = i;                                                                   \
    CHECK(last == 499);                                                                            \
    last = -1;                                                                                     \
    _Pragma("omp parallel") {                                                                      \
      PRAGMA(omp for lastprivate(conditional : last) clauses) for (int i = 0; i < N; i++)          \
        if (i % 11 == 4) last = i;                                                                 \
      PRAGMA(omp for lastprivate(conditional : last) clauses) for (int i = 0; i < N; i++)          \
        if (i % 13 == 4) last = i;                                                                 \
    }                                                                                              \
    CHECK(last == 498);                                                                            \
  } while (0)
  CONDITIONAL(schedule(static));
  CONDITIONAL(schedule(static, 3));
  CONDITIONAL(schedule(dynamic, 2));
  CONDITIONAL(schedule(guided));
  int last = 0;
#pragma omp parallel sections lastprivate(conditional : last)
  {
#pragma omp section
    last = 1;
#pragma omp section
    last = 2;
#pragma omp section
    if (last > 100) last = 3;
  }
  CHECK(last == 2);
}

static void regions(void) {
  int threads = 0, in_order = 0, wanted = omp_get_max_threads();
#pragma omp parallel reduction(+ : threads)
  threads++;
  CHECK(threads == wanted);
  threads = 0;
#pragma omp parallel num_threads(3) reduction(+ : threads) proc_bind(close)
  threads += omp_get_num_threads() == 3;
  CHECK(threads == 3);
#pragma omp parallel if (in_order) num_threads(4)
  CHECK(omp_get_num_threads() == 1 && omp_get_level() == 1);
  omp_set_max_active_levels(2);
  threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
#pragma omp parallel num_threads(2) reduction(+ : threads)
  threads += omp_get_level() == 2 && omp_get_num_threads() == 2;
  CHECK(threads == 4);
}

int gcc_test(void) {
  regions();
  all_schedules();
  runtime_schedules();
  collapsed();
  ranges_at_limits();
  ordered_loops();
  doacross();
  section_constructs();
  scans();
  conditional_lastprivate();
  return failures;
}
