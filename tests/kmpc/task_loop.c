/* Description: checks taskloop: chunk sizes, bounds, data-sharing clauses, if and nogroup.
 * Flags: -fopenmp-version=51 */
#include "tests/kmpc/task_test.h"
#include <stdint.h>

enum { N = 1000 };

static int hits[N];
static int chunk_of[N]; /* the stamp of the task that executed the iteration */

static void begin(void) {
  memset(hits, 0, sizeof hits);
}

static int wrong_hits(int from, int to) {
  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += hits[i] != (i >= from && i < to);
  return wrong;
}

static void each_once(void) {
  begin();
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop
    for (int i = 0; i < N; i++) {
      if (i % 50 == 0) spend_time();
#pragma omp atomic
      hits[i]++;
    }
    CHECK_INT(wrong_hits(0, N), 0);
  }
  begin();
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(7) nogroup
  for (long i = N - 1; i >= 3; i -= 1) {
#pragma omp atomic
    hits[i]++;
  }
  CHECK_INT(wrong_hits(3, N), 0);
}

static void bounds(void) {
  begin();
  volatile int none = 0, minus = -5;
  uint64_t high = UINT64_C(0xFFFFFFFFFFFFFF00);
  int outside = 0, strided = 0, backwards = 0, huge = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop
    for (int i = 0; i < none; i++) outside++;
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < minus; i++) outside++;
#pragma omp taskloop
    for (int i = 5; i > 9; i -= 2) outside++;
#pragma omp taskloop grainsize(3) shared(strided)
    for (int i = -7; i < 90; i += 10) {
#pragma omp atomic
      strided += i;
    }
#pragma omp taskloop num_tasks(4) shared(backwards)
    for (short i = 20; i > -20; i -= 7) {
#pragma omp atomic
      backwards += i;
    }
#pragma omp taskloop grainsize(5) shared(huge)
    for (uint64_t i = high; i < high + 100; i += 9) {
#pragma omp atomic
      huge += (int)(i - high);
    }
  }
  CHECK_INT(outside, 0);
  CHECK_INT(strided, -7 + 3 + 13 + 23 + 33 + 43 + 53 + 63 + 73 + 83);
  CHECK_INT(backwards, 20 + 13 + 6 - 1 - 8 - 15);
  CHECK_INT(huge, 9 * 11 * 12 / 2);
}

static void measure(int *longest, int *shortest, int *runs) {
  *longest = *runs = 0;
  *shortest = N;
  for (int i = 0, length = 1; i < N; i++, length++) {
    if (i + 1 < N && chunk_of[i + 1] == chunk_of[i]) continue;
    if (length > *longest) *longest = length;
    if (length < *shortest) *shortest = length;
    (*runs)++;
    length = 0;
  }
}

static void chunks(void) {
  int longest, shortest, runs, stamp = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(16) firstprivate(stamp)
    for (int i = 0; i < N; i++) {
      if (!stamp) stamp = next_stamp();
      chunk_of[i] = stamp;
    }
    measure(&longest, &shortest, &runs);
    CHECK(shortest >= 16 && longest < 32);
    CHECK(runs > 1);
#if __clang_major__ > 19 /* Clang 19 ignores strict */
#pragma omp taskloop grainsize(strict : 30) firstprivate(stamp)
    for (int i = 0; i < N; i++) {
      if (!stamp) stamp = next_stamp();
      chunk_of[i] = stamp;
    }
    measure(&longest, &shortest, &runs);
    CHECK_INT(longest, 30);
    CHECK_INT(shortest, 10);
    CHECK_INT(runs, 34);
#endif
#pragma omp taskloop num_tasks(13) firstprivate(stamp)
    for (int i = 0; i < N; i++) {
      if (!stamp) stamp = next_stamp();
      chunk_of[i] = stamp;
    }
    measure(&longest, &shortest, &runs);
    CHECK_INT(runs, 13);
    CHECK(longest - shortest <= 1);
#pragma omp taskloop grainsize(5 * N) firstprivate(stamp)
    for (int i = 0; i < N; i++) {
      if (!stamp) stamp = next_stamp();
      chunk_of[i] = stamp;
    }
    measure(&longest, &shortest, &runs);
    CHECK_INT(runs, 1);
  }
}

static void privates(void) {
  int last = -1, sum = 0, wrong = 0, base = 40;
  double table[3] = {1, 2, 3};
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(10) lastprivate(last) firstprivate(base, table) shared(wrong)           \
    reduction(+ : sum)
    for (int i = 0; i < N; i++) {
      if (i == 0) spend_time();
      if (base < 40 || table[2] != 3) {
#pragma omp atomic
        wrong++;
      }
      base++;
      sum += i;
      last = i;
    }
  }
  CHECK_INT(last, N - 1);
  CHECK_INT(sum, N * (N - 1) / 2);
  CHECK_INT(wrong, 0);
  CHECK_INT(base, 40);
  begin();
#pragma omp parallel
#pragma omp single
#pragma omp taskloop collapse(2) if (last < 0)
  for (int i = 0; i < 10; i++) {
    for (int j = 0; j < 100; j++) hits[i * 100 + j]++;
  }
  CHECK_INT(wrong_hits(0, N), 0);
}

static void nested(void) {
  begin();
  int total = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1) shared(total)
  for (int i = 0; i < 10; i++) {
    int mine = 0;
#pragma omp taskloop grainsize(10) shared(mine)
    for (int j = 0; j < 100; j++) {
#pragma omp atomic
      hits[i * 100 + j]++;
#pragma omp atomic
      mine++;
    }
#pragma omp atomic
    total += mine;
  }
  CHECK_INT(total, 1000);
  CHECK_INT(wrong_hits(0, N), 0);
}

static void combined(void) {
  begin();
#pragma omp parallel master taskloop num_tasks(20)
  for (int i = 0; i < N; i++) {
#pragma omp atomic
    hits[i]++;
  }
  CHECK_INT(wrong_hits(0, N), 0);
}

__attribute__((unused)) static void strict_chunks(void) {
  enum { TRIPS = 103, GRAIN = 10 };
  int length[TRIPS] = {0}, mine = 0, first = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(strict : GRAIN) firstprivate(mine, first)
  for (int i = 0; i < TRIPS; i++) {
    if (!mine++) first = i;
    length[first] = mine;
  }
  for (int i = 0; i < TRIPS; i++)
    CHECK_INT(length[i], i % GRAIN ? 0 : i + GRAIN < TRIPS ? GRAIN : TRIPS - i);
}

int main(void) {
#if __clang_major__ >= 20 /* Clang 19 ignores strict */
  strict_chunks();
#endif
  each_once();
  bounds();
  chunks();
  privates();
  nested();
  combined();
  return TEST_RESULT();
}
