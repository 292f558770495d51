/* Description: checks chains of nowait constructs on the deferred device: the host enqueues them
 * without a wait, depend clauses are respected, and failures are reported once. */
#include "tests/deferred/deferred.h"
#include "tests/programs/check.h"
#include <omp.h>
#include <solo.h>
#include <stdlib.h>

enum { LINKS = 1000, N = 64 };

/* weak, because only the deferred device defines these functions */
typedef solo_deferred_counts counts;
__attribute__((weak)) counts solo_deferred_count(void);
__attribute__((weak)) void solo_deferred_fail_work_at(long n);
__attribute__((weak)) void solo_deferred_fail_at(long n);
__attribute__((weak)) int solo_deferred_failed(void);

static counts count(void) {
  return solo_deferred_count ? solo_deferred_count() : (counts){0};
}

/* Checks that n launches were enqueued since `before` and that the host has not waited. Callers use
 * the macro only if `known`, when the runtime has seen that the routines request queues. A task of
 * an unseen routine waits for its predecessors. */
#define CHECK_ENQUEUED(before, n)                                                                  \
  do {                                                                                             \
    if (!solo_deferred_count) break;                                                               \
    CHECK_INT(count().launches - (before).launches, n);                                            \
    CHECK_INT(count().syncs, (before).syncs);                                                      \
  } while (0)

static void present(int known) {
  int x[N];
  for (int i = 0; i < N; i++) x[i] = i;
#pragma omp target data map(tofrom : x)
  {
    counts before = count();
    for (int k = 0; k < LINKS; k++) {
#pragma omp target nowait map(tofrom : x) depend(inout : x)
      for (int i = 0; i < N; i++) x[i] = x[i] * 3 + k;
    }
    if (known) CHECK_ENQUEUED(before, LINKS);
#pragma omp taskwait
    if (known) CHECK_ENQUEUED(before, LINKS);
  }
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    int expected = i;
    for (int k = 0; k < LINKS; k++) expected = (int)((unsigned)expected * 3 + (unsigned)k);
    wrong += x[i] != expected;
  }
  CHECK_INT(wrong, 0);
}

static void mapped(int known) {
  int x[N], wrong = 0;
  for (int i = 0; i < N; i++) x[i] = i;
  counts before = count();
  for (int k = 0; k < LINKS; k++) {
#pragma omp target nowait map(tofrom : x) depend(inout : x)
    for (int i = 0; i < N; i++) x[i] += 1 + k % 2;
  }
  if (known) CHECK_ENQUEUED(before, LINKS);
  if (solo_deferred_count) /* the links of the chain reuse the same memory */
    CHECK_INT(count().blocks <= before.blocks + 2, 1);
#pragma omp taskwait
  for (int i = 0; i < N; i++) wrong += x[i] != i + LINKS * 3 / 2;
  CHECK_INT(wrong, 0);
  CHECK_INT(omp_target_is_present(x, 0), 0);
}

static void producer_and_consumer(int known) {
  int x[N], y[N], wrong = 0;
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < N; i++) x[i] = y[i] = -1;
    counts before = count();
#pragma omp target nowait map(from : x) depend(out : x)
    for (int i = 0; i < N; i++) x[i] = i + round;
#pragma omp target nowait map(to : x) map(from : y) depend(in : x) depend(out : y)
    for (int i = 0; i < N; i++) y[i] = 2 * x[i];
    if (known || round) CHECK_ENQUEUED(before, 2);
#pragma omp taskwait
    for (int i = 0; i < N; i++) wrong += x[i] != i + round || y[i] != 2 * (i + round);
  }
  CHECK_INT(wrong, 0);
}

static void data_constructs(int known) {
  int x[N], wrong = 0;
  counts before = count();
  for (int i = 0; i < N; i++) x[i] = i;
  for (int k = 0; k < 100; k++) {
#pragma omp target enter data nowait map(to : x) depend(inout : x)
#pragma omp target nowait depend(inout : x)
    for (int i = 0; i < N; i++) x[i] += 1;
#pragma omp target update nowait from(x) depend(inout : x)
#pragma omp target exit data nowait map(from : x) depend(inout : x)
  }
  if (known) CHECK_ENQUEUED(before, 100);
#pragma omp taskwait
  for (int i = 0; i < N; i++) wrong += x[i] != i + 100;
  CHECK_INT(wrong, 0);
  CHECK_INT(omp_target_is_present(x, 0), 0);
}

/* Ranges change from link to link, so that mappings are not reused. */
static void other_ranges(void) {
  int x[N], wrong = 0;
  for (int i = 0; i < N; i++) x[i] = 0;
  for (int k = 1; k <= N; k++) {
    int n = k % 2 ? k : N;
#pragma omp target nowait map(tofrom : x [0:n]) depend(inout : x) firstprivate(n)
    for (int i = 0; i < n; i++) x[i]++;
  }
#pragma omp taskwait
  for (int i = 0; i < N; i++) {
    int expected = 0;
    for (int k = 1; k <= N; k++) expected += i < (k % 2 ? k : N);
    wrong += x[i] != expected;
  }
  CHECK_INT(wrong, 0);
}

/* Eight independent chains. Each fourth step joins four chains in one kernel. */
static void joins(int known) {
  int x[8][N], sum[N] = {0}, wrong = 0;
  for (int c = 0; c < 8; c++)
    for (int i = 0; i < N; i++) x[c][i] = c;
#pragma omp target data map(tofrom : x, sum)
  {
    counts before = count();
    for (int k = 0; k < 50; k++) {
      for (int c = 0; c < 8; c++) {
#pragma omp target nowait depend(inout : x[c]) firstprivate(c)
        for (int i = 0; i < N; i++) x[c][i] += i;
      }
      for (int c = 0; c < 8; c += 4) {
/* clang-format off */
#pragma omp target nowait firstprivate(c) depend(inout : x[c], x[c + 1], x[c + 2], x[c + 3]) \
    depend(inout : sum)
        /* clang-format on */
        for (int i = 0; i < N; i++) sum[i] += x[c][i] + x[c + 1][i] + x[c + 2][i] + x[c + 3][i];
      }
    }
    if (known) CHECK_ENQUEUED(before, 500);
#pragma omp taskwait
  }
  for (int i = 0; i < N; i++) {
    int expected = 0;
    for (int k = 1; k <= 50; k++)
      for (int c = 0; c < 8; c++) expected += c + k * i;
    wrong += sum[i] != expected;
  }
  CHECK_INT(wrong, 0);
}

/* Mixes nowait constructs with synchronous constructs, host tasks and regions on the host. */
static void beside(void) {
  int x[N], seen = 0, wrong = 0;
  for (int i = 0; i < N; i++) x[i] = 0;
  for (int k = 0; k < 20; k++) {
#pragma omp target nowait map(tofrom : x) depend(inout : x)
    for (int i = 0; i < N / 2; i++) x[i]++;
#pragma omp target map(tofrom : x) /* has no dependence, so any order is right */
    for (int i = N / 2; i < N; i++) x[i]++;
#pragma omp target nowait map(tofrom : x) depend(inout : x)
    for (int i = 0; i < N / 2; i++) x[i]++;
#pragma omp target nowait map(tofrom : x) depend(inout : x) if (0)
    {
      wrong += x[0] != 4 * k + 2;
      for (int i = 0; i < N / 2; i++) x[i]++;
    }
#pragma omp task depend(inout : x) shared(x, seen, wrong)
    {
      wrong += x[1] != 4 * k + 3;
      for (int i = 0; i < N / 2; i++) x[i]++;
      seen++;
    }
  }
#pragma omp taskwait
  CHECK_INT(seen, 20);
  for (int i = 0; i < N; i++) wrong += x[i] != (i < N / 2 ? 80 : 20);
  CHECK_INT(wrong, 0);
}

typedef struct vec {
  int n, *p;
} vec;

/* Maps structs with attached pointers. Host code that reads the struct must wait and find the host
 * pointer. */
static void pointers(void) {
  int v[N], wrong = 0;
  vec s = {N, v};
  for (int i = 0; i < N; i++) v[i] = i;
  for (int k = 0; k < 20; k++) {
#pragma omp target nowait map(tofrom : s) map(tofrom : s.p [0:N]) depend(inout : s)
    for (int i = 0; i < s.n; i++) s.p[i] += 2;
#pragma omp target nowait map(to : s.p) map(tofrom : s.p [0:N]) depend(inout : s)
    for (int i = 0; i < N; i++) s.p[i] -= 1;
  }
#pragma omp taskwait
  CHECK_INT(s.p == v, 1);
  for (int i = 0; i < N; i++) wrong += v[i] != i + 20;
  CHECK_INT(wrong, 0);
}

static void by_threads(void) {
  int x[8][N], wrong = 0;
  for (int c = 0; c < 8; c++)
    for (int i = 0; i < N; i++) x[c][i] = c;
#pragma omp parallel num_threads(4)
#pragma omp for
  for (int c = 0; c < 8; c++) {
    for (int k = 0; k < 60; k++) {
#pragma omp target nowait map(tofrom : x[c]) depend(inout : x[c])
      for (int i = 0; i < N; i++) x[c][i] += 1;
#pragma omp target nowait map(tofrom : x[c]) depend(inout : x[c])
      for (int i = 0; i < N; i++) x[c][i] *= 2;
#pragma omp target nowait map(tofrom : x[c]) depend(inout : x[c])
      for (int i = 0; i < N; i++) x[c][i] %= 1000;
    }
  }
  for (int c = 0; c < 8; c++) {
    int expected = c;
    for (int k = 0; k < 60; k++) expected = (expected + 1) * 2 % 1000;
    for (int i = 0; i < N; i++) wrong += x[c][i] != expected;
  }
  CHECK_INT(wrong, 0);
}

static int reported;

static void note(void *context, const solo_failure *failure) {
  (void)context, (void)failure;
  reported++;
}

static void chain_of(int links, int *x) {
#pragma omp target enter data map(to : x [0:N])
  for (int k = 0; k < links; k++) {
#pragma omp target nowait map(tofrom : x [0:N]) depend(inout : x [0:N])
    for (int i = 0; i < N; i++) x[i]++;
  }
#pragma omp taskwait
#pragma omp target exit data map(from : x [0:N])
}

/* Work that fails is reported once. No mapping or block remains, and the next chain is correct. */
static void fail_each(void) {
  if (!solo_deferred_fail_work_at) return;
  static int x[N];
  chain_of(10, x);
  counts before = count();
  for (int at = 1; at <= 100; at += 9) {
    reported = 0;
    solo_deferred_fail_work_at(1 + at);
    chain_of(100, x);
    solo_deferred_fail_work_at(0);
    CHECK_INT(reported, 1);
    CHECK_INT(omp_target_is_present(x, 0), 0);
  }
  for (int i = 0; i < N; i++) x[i] = 0;
  chain_of(100, x);
  CHECK_INT(x[0], 100);
  CHECK_INT(count().blocks, before.blocks);
  for (int n = 1; n < 1000; n++) { /* makes each call of a short chain fail in turn */
    for (int i = 0; i < N; i++) x[i] = 0;
    reported = 0;
    solo_deferred_fail_at(n);
    chain_of(3, x);
    int failed = solo_deferred_failed();
    solo_deferred_fail_at(0);
    CHECK_INT(omp_target_is_present(x, 0), 0);
    if (!failed) break;
    CHECK_INT(reported >= 1 || x[0] == 3, 1);
  }
  for (int i = 0; i < N; i++) x[i] = 0;
  chain_of(100, x);
  CHECK_INT(x[0], 100);
}

int main(void) {
  for (int known = 0; known < 2; known++) present(known);
  for (int known = 0; known < 2; known++) mapped(known);
  for (int known = 0; known < 2; known++) producer_and_consumer(known);
  for (int known = 0; known < 2; known++) data_constructs(known);
  other_ranges();
  for (int known = 0; known < 2; known++) joins(known);
  beside();
  pointers();
  by_threads();
  solo_set_error_callback(note, NULL);
  fail_each();
  return result();
}
