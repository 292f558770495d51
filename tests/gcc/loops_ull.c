/* Loops with bounds of type unsigned long long that GCC cannot convert to long, and the entry
 * points that GCC 12 does not emit. */
#include "tests/gcc/check.h"

#include <omp.h>
#include <stdbool.h>
#include <string.h>

typedef unsigned long long ull;

enum { N = 400 };
static const ull base = 0xfffffffffffff000ull;

bool GOMP_loop_static_start(long, long, long, long, long *, long *);
bool GOMP_loop_static_next(long *, long *);
bool GOMP_loop_ull_static_start(bool, ull, ull, ull, ull, ull *, ull *);
bool GOMP_loop_ull_static_next(ull *, ull *);
void GOMP_loop_end(void);
void GOMP_taskwait_depend_nowait(void **depend);

static int seen[N];
static void see(ull i) {
#pragma omp atomic
  seen[i - base]++;
}
static int each_once(int first, int end, int step) {
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    int is_inside = step > 0 ? i >= first && i < end && (i - first) % step == 0
                             : i <= first && i > end && (first - i) % -step == 0;
    wrong += seen[i] != is_inside;
  }
  memset(seen, 0, sizeof seen);
  return !wrong;
}

#define PRAGMA(text) _Pragma(#text)
#define LOOPS(name, clauses)                                                                       \
  __attribute__((noipa)) static void name##_up(ull first, ull end, ull step) {                     \
    _Pragma("omp parallel") PRAGMA(omp for clauses) for (ull i = first; i < end; i += step)        \
        see(i);                                                                                    \
  }                                                                                                \
  __attribute__((noipa)) static void name##_down(ull first, ull end, ull step) {                   \
    _Pragma("omp parallel") PRAGMA(omp for clauses) for (ull i = first; i > end; i -= step)        \
        see(i);                                                                                    \
  }                                                                                                \
  static void name(void) {                                                                         \
    name##_up(base + 1, base + N, 7);                                                              \
    CHECK(each_once(1, N, 7));                                                                     \
    name##_down(base + N - 1, base + 9, 5);                                                        \
    CHECK(each_once(N - 1, 9, -5));                                                                \
    name##_up(base + 9, base + 9, 1);                                                              \
    CHECK(each_once(0, 0, 1));                                                                     \
  }
LOOPS(static_chunks, schedule(static, 3))
LOOPS(dynamic, schedule(dynamic, 2))
LOOPS(monotonic_dynamic, schedule(monotonic : dynamic))
LOOPS(guided, schedule(guided, 2))
LOOPS(monotonic_guided, schedule(monotonic : guided))
LOOPS(runtime, schedule(runtime))
LOOPS(monotonic_runtime, schedule(monotonic : runtime))
LOOPS(nonmonotonic_runtime, schedule(nonmonotonic : runtime))

#define ORDERED(name, clauses)                                                                     \
  __attribute__((noipa)) static int name(ull first, ull end) {                                     \
    int wrong = 0;                                                                                 \
    ull next = first;                                                                              \
    _Pragma("omp parallel") PRAGMA(omp for ordered clauses) for (ull i = first; i < end; i++) {    \
      see(i);                                                                                      \
      PRAGMA(omp ordered) wrong += next++ != i;                                                    \
    }                                                                                              \
    return wrong;                                                                                  \
  }                                                                                                \
  __attribute__((noipa)) static int name##_doacross(ull first, ull end) {                          \
    int chain[N] = {0};                                                                            \
    _Pragma("omp parallel") PRAGMA(omp for ordered(1) clauses) for (ull i = first; i < end; i++) { \
      PRAGMA(omp ordered depend(sink : i - 1)) /* the first iteration does not wait */             \
      chain[i - base] = (i > first ? chain[i - base - 1] : 0) + 1;                                 \
      PRAGMA(omp ordered depend(source))                                                           \
    }                                                                                              \
    return chain[end - 1 - base] != (int)(end - first);                                            \
  }
ORDERED(ordered_static, schedule(static, 3))
ORDERED(ordered_dynamic, schedule(dynamic, 3))
ORDERED(ordered_guided, schedule(guided))
ORDERED(ordered_runtime, schedule(runtime))

static void ordered_loops(void) {
  static int (*const loops[])(ull, ull) = {ordered_static, ordered_dynamic, ordered_guided,
                                           ordered_runtime};
  static int (*const chains[])(ull, ull) = {ordered_static_doacross, ordered_dynamic_doacross,
                                            ordered_guided_doacross, ordered_runtime_doacross};
  for (int k = 0; k < 4; k++) {
    CHECK(loops[k](base + 2, base + N) == 0);
    CHECK(each_once(2, N, 1));
    CHECK(chains[k](base + 1, base + N) == 0);
  }
}

/* reduction(task): GOMP_loop_ull_start and the ordered and doacross forms. */
#define REDUCTIONS(name, type, start)                                                              \
  __attribute__((noipa)) static long name(type first, type end, type step) {                       \
    long sum = 0, in_order = 0, crossed = 0;                                                       \
    _Pragma("omp parallel") {                                                                      \
      PRAGMA(omp for reduction(task, + : sum) schedule(dynamic, 3)) for (type i = first; i < end;  \
                                                                         i += step) {              \
        PRAGMA(omp task in_reduction(+ : sum)) sum += (long)(i - start);                           \
      }                                                                                            \
      PRAGMA(omp for reduction(task, + : in_order) schedule(static, 2) ordered) for (              \
          type i = first; i < end; i += step) {                                                    \
        PRAGMA(omp task in_reduction(+ : in_order)) in_order += (long)(i - start);                 \
        PRAGMA(omp ordered) see(base + (ull)(i - start));                                          \
      }                                                                                            \
      PRAGMA(omp for reduction(task, + : crossed) schedule(dynamic, 2) ordered(1)) for (           \
          type i = first; i < end; i += step) {                                                    \
        PRAGMA(omp ordered depend(sink : i - 1))                                                   \
        crossed += (long)(i - start);                                                              \
        PRAGMA(omp ordered depend(source))                                                         \
      }                                                                                            \
    }                                                                                              \
    CHECK(each_once(0, N, 1));                                                                     \
    CHECK(in_order == sum && crossed == sum);                                                      \
    return sum;                                                                                    \
  }
REDUCTIONS(reduce_ull, ull, base)
REDUCTIONS(reduce_long, long, 5)

__attribute__((noipa)) static void taskloops(ull first, ull end, ull step) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(7)
  for (ull i = first; i < end; i += step) see(i);
  CHECK(each_once(4, N, 3));
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(5)
  for (ull i = end - 1; i > first; i -= step) see(i);
  CHECK(each_once(N - 1, 4, -3));
}

static void direct_calls(void) {
#pragma omp parallel
  {
    ull from, to;
    if (GOMP_loop_ull_static_start(true, base, base + N, 1, 3, &from, &to)) {
      do {
        for (ull i = from; i < to; i++) see(i);
      } while (GOMP_loop_ull_static_next(&from, &to));
    }
    GOMP_loop_end();
  }
  CHECK(each_once(0, N, 1));
#pragma omp parallel
  {
    long from, to;
    if (GOMP_loop_static_start(0, N, 2, 0, &from, &to)) {
      do {
        for (long i = from; i < to; i += 2) see(base + (ull)i);
      } while (GOMP_loop_static_next(&from, &to));
    }
    GOMP_loop_end();
  }
  CHECK(each_once(0, N, 2));
}

/* GCC 13 calls GOMP_taskwait_depend_nowait() for `taskwait depend(...) nowait`. */
static void empty_tasks(void) {
  int x = 0, seen_value = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x) shared(x)
    x = 1;
    void *depend[] = {0, (void *)1, (void *)1, 0, 0, &x};
    GOMP_taskwait_depend_nowait(depend);
#pragma omp task depend(in : x) shared(x, seen_value)
    seen_value = x;
  }
  CHECK(seen_value == 1);
}

int gcc_test(void) {
  static_chunks();
  dynamic();
  monotonic_dynamic();
  guided();
  monotonic_guided();
  for (omp_sched_t kind = omp_sched_static; kind <= omp_sched_auto; kind++) {
    omp_set_schedule(kind, kind == omp_sched_auto ? 0 : 3);
    runtime();
    monotonic_runtime();
    nonmonotonic_runtime();
    ordered_loops();
  }
  CHECK(reduce_ull(base, base + N, 1) == N * (N - 1) / 2);
  CHECK(reduce_long(5, 5 + N, 1) == N * (N - 1) / 2);
  taskloops(base + 4, base + N, 3);
  direct_calls();
  empty_tasks();
  return failures;
}
