/* Description: checks that doacross sources happen before their sinks, in one and two dimensions. */
#include "tests/unit/test.h"
#include <omp.h>
#include <sched.h>

enum { N = 120, M = 40 };
static long line[N], grid[N][M];

/* Compilers normalize the loops, so each step is positive. */
typedef struct dimension {
  int64_t lower, upper, step;
} dimension;
void __kmpc_doacross_init(void *loc, int32_t gtid, int32_t count, const dimension *d);
void __kmpc_doacross_wait(void *loc, int32_t gtid, const int64_t *vector);
void __kmpc_doacross_post(void *loc, int32_t gtid, const int64_t *vector);
void __kmpc_doacross_fini(void *loc, int32_t gtid);

static void counts_down(void) {
  int threads = 0, seen = 0, posted = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads, seen)
  {
    const dimension down = {10, 1, -1};
    const int64_t iteration = 7;
    threads++;
    __kmpc_doacross_init(NULL, 0, 1, &down);
    if (omp_get_thread_num() == 1) {
      for (int i = 0; i < 2000; i++) sched_yield();
#pragma omp atomic write seq_cst
      posted = 1;
      __kmpc_doacross_post(NULL, 0, &iteration);
    } else if (omp_get_num_threads() == 2) {
      int now;
      __kmpc_doacross_wait(NULL, 0, &iteration);
#pragma omp atomic read seq_cst
      now = posted;
      seen += now;
    }
    __kmpc_doacross_fini(NULL, 0);
  }
  CHECK_INT(seen, threads == 2);
}

/* The chunks of each thread ascend, even if no iteration waits for another iteration and one thread
 * is slow. */
static void is_monotonic(void) {
  int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
  {
    int last = -1;
#pragma omp for ordered(1) schedule(dynamic, 3)
    for (int i = 0; i < 3000; i++) {
#pragma omp ordered depend(sink : i - 3000)
      if (omp_get_thread_num() == 0 && i % 3 == 0) sched_yield();
      wrong += i < last;
      last = i;
#pragma omp ordered depend(source)
    }
  }
  CHECK_INT(wrong, 0);
}

int main(void) {
  counts_down();
  for (int i = 0; i < 20; i++) is_monotonic();
  for (int round = 0; round < 3; round++) {
    memset(line, 0, sizeof line);
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
      line[i] = line[i - 1] + i;
#pragma omp ordered depend(source)
    }
    CHECK_INT(line[N - 1], (long)N * (N - 1) / 2);
    for (int i = 0; i < N; i++) grid[i][0] = i;
    for (int j = 0; j < M; j++) grid[0][j] = j;
#pragma omp parallel for ordered(2) schedule(dynamic)
    for (int i = 1; i < N; i++)
      for (int j = 1; j < M; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
        grid[i][j] = (grid[i - 1][j] + grid[i][j - 1]) % 1000003;
#pragma omp ordered depend(source)
      }
    static long want[N][M];
    for (int i = 0; i < N; i++)
      for (int j = 0; j < M; j++)
        want[i][j] = !i ? j : !j ? i : (want[i - 1][j] + want[i][j - 1]) % 1000003;
    int wrong = 0;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < M; j++) wrong += grid[i][j] != want[i][j];
    CHECK_INT(wrong, 0);
  }
  memset(line, 0, sizeof line);
#pragma omp parallel
  for (int k = 0; k < 6; k++) {
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = N - 2; i >= 0; i -= 2) {
#pragma omp ordered depend(sink : i + 2)
      line[i] = (i + 2 < N ? line[i + 2] : 0) + 1;
#pragma omp ordered depend(source)
    }
  }
  CHECK_INT(line[0], N / 2);
  return TEST_RESULT();
}
