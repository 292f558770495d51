/* Description: checks static schedules: types, steps, chunks, lastprivate. */
#include "tests/unit/test.h"
#include <limits.h>
#include <omp.h>

static int hits[2000];

static void all_once(int n, const char *what) {
  int wrong = 0;
  for (int i = 0; i < 2000; i++) wrong += hits[i] != (i < n);
  if (wrong) printf("%s: ", what);
  CHECK_INT(wrong, 0);
  memset(hits, 0, sizeof hits);
}

#define HIT(i)                                                                                     \
  do {                                                                                             \
    _Pragma("omp atomic") hits[i]++;                                                               \
  } while (0)

static void types(int n) {
  int last = -1;
#pragma omp parallel for lastprivate(last)
  for (int i = 0; i < n; i++) {
    HIT(i);
    last = i;
  }
  CHECK_INT(last, n ? n - 1 : -1);
  all_once(n, "int");
#pragma omp parallel for schedule(static, 7)
  for (unsigned i = 0; i < (unsigned)n; i++) HIT(i);
  all_once(n, "unsigned chunk 7");
#pragma omp parallel for schedule(static, 1)
  for (long i = n - 1; i >= 0; i--) HIT(i);
  all_once(n, "long down");
#pragma omp parallel for
  for (unsigned long i = (unsigned long)n; i > 0; i -= 1) HIT(i - 1);
  all_once(n, "unsigned long down");
#pragma omp parallel for schedule(static)
  for (int i = 3 * n - 3; i >= 0; i -= 3) HIT(i / 3);
  all_once(n, "step -3");
#pragma omp parallel for schedule(static, 5)
  for (long long i = -1000000000000; i < -1000000000000 + 7LL * n; i += 7)
    HIT((i + 1000000000000) / 7);
  all_once(n, "long long step 7");
#pragma omp parallel for simd schedule(simd : static)
  for (int i = 0; i < n; i++) hits[i]++;
  all_once(n, "simd");
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n / 10; i++)
    for (int j = 0; j < 10; j++) HIT(i * 10 + j);
  all_once(n / 10 * 10, "collapse");
}

static void limits(void) {
  int count = 0;
#pragma omp parallel for reduction(+ : count)
  for (int i = INT_MAX - 10; i < INT_MAX; i++) count++;
  CHECK_INT(count, 10);
  count = 0;
#pragma omp parallel for reduction(+ : count) schedule(static, 3)
  for (unsigned i = UINT_MAX - 10; i < UINT_MAX; i++) count++;
  CHECK_INT(count, 10);
  count = 0;
#pragma omp parallel for reduction(+ : count)
  for (long i = LONG_MIN; i < LONG_MIN + 9; i++) count++;
  CHECK_INT(count, 9);
}

static void division(int n) {
  int first[64], many[64], threads = 1;
  for (int i = 0; i < 64; i++) first[i] = n, many[i] = 0;
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    if (!me) threads = omp_get_num_threads();
#pragma omp for
    for (int i = 0; i < n; i++) {
      if (i < first[me]) first[me] = i;
      many[me]++;
    }
  }
  int at = 0, least = n, most = 0;
  for (int t = 0; t < threads; t++) {
    if (many[t]) CHECK_INT(first[t], at);
    at += many[t];
    if (many[t] < least) least = many[t];
    if (many[t] > most) most = many[t];
  }
  CHECK_INT(at, n);
  CHECK(most - least <= 1);
}

/* The product of chunk and threads exceeds the range of the loop's type. */
static void huge_chunks(void) {
  int chunks[] = {1 << 28, 1 << 29, 1 << 30, INT_MAX / 2, INT_MAX};
  for (int k = 0; k < 5; k++) {
    int chunk = chunks[k];
#pragma omp parallel for schedule(static, chunk)
    for (int i = 0; i < 10; i++) HIT(i);
    all_once(10, "int, huge chunk");
#pragma omp parallel for schedule(static, chunk)
    for (unsigned i = 0; i < 10; i++) HIT(i);
    all_once(10, "unsigned, huge chunk");
#pragma omp parallel for schedule(static, (long)chunk << 32)
    for (long i = 9; i >= 0; i--) HIT(i);
    all_once(10, "long, huge chunk");
#pragma omp teams num_teams(4)
#pragma omp distribute dist_schedule(static, chunk)
    for (int i = 0; i < 10; i++) HIT(i);
    all_once(10, "distribute, huge chunk");
  }
}

/* The last iteration is not in the first chunk of a thread. */
static void last_of_chunks(void) {
  for (int n = 1; n < 60; n++) {
    int last = -1;
#pragma omp parallel for schedule(static, 2) lastprivate(last)
    for (int i = 0; i < n; i++) last = i;
    CHECK_INT(last, n - 1);
  }
}

extern void __kmpc_for_static_init_4(void *loc, int gtid, int schedule, int *last, int *lower,
                                     int *upper, int *stride, int step, int chunk);

static void chunks_of_one(void) {
  enum { STATIC_CHUNKED = 33 };
  int lower = 3, upper = 96, last = 0, stride = 0;
  __kmpc_for_static_init_4(NULL, 0, STATIC_CHUNKED, &last, &lower, &upper, &stride, 1, 2);
  CHECK(lower == 3 && upper == 96 && last == 1 && stride == 94);
}

int main(void) {
  chunks_of_one();
  last_of_chunks();
  int sizes[] = {0, 1, 2, 3, 10, 17, 100, 1000, 1999};
  for (int i = 0; i < 9; i++) types(sizes[i]), division(sizes[i]);
  limits();
  huge_chunks();
  return TEST_RESULT();
}
