/* Calls the functions of GCC before 4.9 as its objects did: the primary thread calls the body of
 * the region. */
#include "tests/gcc/check.h"

#include <omp.h>
#include <stdbool.h>
#include <stddef.h>

typedef void body(void *data);
void GOMP_parallel_start(body *b, void *data, unsigned threads);
void GOMP_parallel_end(void);
void GOMP_parallel_loop_dynamic_start(body *b, void *data, unsigned threads, long start, long end,
                                      long step, long chunk);
void GOMP_parallel_loop_runtime_start(body *b, void *data, unsigned threads, long start, long end,
                                      long step);
void GOMP_parallel_loop_static_start(body *b, void *data, unsigned threads, long start, long end,
                                     long step, long chunk);
void GOMP_parallel_loop_guided_start(body *b, void *data, unsigned threads, long start, long end,
                                     long step, long chunk);
bool GOMP_loop_static_next(long *start, long *end);
bool GOMP_loop_guided_next(long *start, long *end);
void GOMP_target(int device, body *b, const void *unused, size_t count, void **hosts, size_t *sizes,
                 unsigned char *kinds);
void GOMP_target_data(int device, const void *unused, size_t count, void **hosts, size_t *sizes,
                      unsigned char *kinds);
void GOMP_target_end_data(void);
void GOMP_target_update(int device, const void *unused, size_t count, void **hosts, size_t *sizes,
                        unsigned char *kinds);
void GOMP_teams(unsigned teams, unsigned thread_limit);
bool GOMP_loop_dynamic_next(long *start, long *end);
bool GOMP_loop_runtime_next(long *start, long *end);
void GOMP_loop_end_nowait(void);
void GOMP_parallel_sections_start(body *b, void *data, unsigned threads, unsigned count);
unsigned GOMP_sections_next(void);
void GOMP_sections_end_nowait(void);
void GOMP_barrier(void);

static void add(int *to, int value) {
#pragma omp atomic
  *to += value;
}

static void count(void *data) {
  add(data, 1);
  GOMP_barrier();
  add(data, omp_get_num_threads() == omp_get_team_size(omp_get_level()) ? 100 : 0);
}

static void inner(void *data) {
  GOMP_parallel_start(count, data, 2);
  count(data);
  GOMP_parallel_end();
}

static void dynamic_loop(void *data) {
  long start, end;
  while (GOMP_loop_dynamic_next(&start, &end))
    for (long i = start; i < end; i++) add(data, (int)i);
  GOMP_loop_end_nowait();
}

static void static_loop(void *data) {
  long start, end;
  while (GOMP_loop_static_next(&start, &end))
    for (long i = start; i < end; i++) add(data, (int)i);
  GOMP_loop_end_nowait();
}

static void guided_loop(void *data) {
  long start, end;
  while (GOMP_loop_guided_next(&start, &end))
    for (long i = start; i < end; i++) add(data, (int)i);
  GOMP_loop_end_nowait();
}

static void target_region(void *data) {
  int **variables = data;
  GOMP_teams(4, 2);
  *variables[0] += omp_get_num_teams() == 1 && omp_get_thread_limit() <= 2;
}

/* The host executes the region with the host's data. */
static void target_constructs(void) {
  int x = 1;
  void *hosts[] = {&x};
  size_t sizes[] = {sizeof x};
  unsigned char kinds[] = {3};
  GOMP_target_data(-1, NULL, 1, hosts, sizes, kinds);
  GOMP_target(-1, target_region, NULL, 1, hosts, sizes, kinds);
  GOMP_target_update(-1, NULL, 1, hosts, sizes, kinds);
  GOMP_target_end_data();
  CHECK(x == 2 && omp_get_num_teams() == 1 && omp_get_thread_limit() > 2);
}

static void runtime_loop(void *data) {
  long start, end;
  while (GOMP_loop_runtime_next(&start, &end))
    for (long i = start; i > end; i -= 2) add(data, (int)i);
  GOMP_loop_end_nowait();
}

static void sections(void *data) {
  for (unsigned number; (number = GOMP_sections_next());) add(data, (int)number);
  GOMP_sections_end_nowait();
}

int gcc_test(void) {
  int threads = omp_get_max_threads();
  omp_set_max_active_levels(2);
  for (int round = 0; round < 20; round++) {
    int n = 0, nested = 0, sum = 0, down = 0, numbers = 0;
    GOMP_parallel_start(count, &n, 0);
    count(&n);
    GOMP_parallel_end();
    CHECK(n == 101 * threads && omp_get_level() == 0);
    GOMP_parallel_start(inner, &nested, 0);
    inner(&nested);
    GOMP_parallel_end();
    CHECK(nested == 2 * 101 * threads);
    GOMP_parallel_loop_dynamic_start(dynamic_loop, &sum, 3, 0, 100, 1, 3);
    dynamic_loop(&sum);
    GOMP_parallel_end();
    CHECK(sum == 4950);
    for (int chunk = 0; chunk < 4; chunk += 3) {
      int all = 0;
      GOMP_parallel_loop_static_start(static_loop, &all, 0, 0, 100, 1, chunk);
      static_loop(&all);
      GOMP_parallel_end();
      GOMP_parallel_loop_guided_start(guided_loop, &all, 0, 0, 100, 1, chunk ? chunk : 1);
      guided_loop(&all);
      GOMP_parallel_end();
      CHECK(all == 2 * 4950);
    }
    GOMP_parallel_loop_runtime_start(runtime_loop, &down, 0, 100, 0, -2);
    runtime_loop(&down);
    GOMP_parallel_end();
    CHECK(down == 2550);
    GOMP_parallel_sections_start(sections, &numbers, 0, 4);
    sections(&numbers);
    GOMP_parallel_end();
    CHECK(numbers == 10);
  }
  target_constructs();
  return failures;
}
