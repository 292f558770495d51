/* Description: checks parallel regions: team size, thread numbers, many variables, if,
 * serialization, levels. */
#include "tests/unit/test.h"
#include <omp.h>

static int team_size(int wanted) {
  int size = 0, seen[64] = {0};
#pragma omp parallel num_threads(wanted)
  {
#pragma omp atomic
    seen[omp_get_thread_num()]++;
    if (omp_get_thread_num() == 0) size = omp_get_num_threads();
  }
  for (int i = 0; i < size; i++) CHECK_INT(seen[i], 1);
  CHECK_INT(seen[size], 0);
  return size;
}

static void many_variables(void) {
  long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12,
       m = 13, n = 14, o = 15, wrong = 0;
#pragma omp parallel num_threads(3) shared(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, wrong)
  {
    long sum = a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9 + j * 10 + k * 11 +
               l * 12 + m * 13 + n * 14 + o * 15;
    if (sum != 1240) {
#pragma omp atomic
      wrong++;
    }
  }
  CHECK_INT(wrong, 0);
  long five = 0;
#pragma omp parallel num_threads(3) firstprivate(a, b, c, d) shared(five)
  {
    a += b + c + d + omp_get_thread_num();
#pragma omp atomic
    five += a;
  }
  CHECK_INT(five, 3 * 10 + 3);
}

static void levels(void) {
  int level = -1, active = -1, inner = -1, size = -1, in = -1, ancestor = -1;
  CHECK_INT(omp_get_level(), 0);
  CHECK_INT(omp_in_parallel(), 0);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    level = omp_get_level();
    active = omp_get_active_level();
    in = omp_in_parallel();
#pragma omp parallel num_threads(2)
    {
      inner = omp_get_level();
      size = omp_get_num_threads();
      ancestor = omp_get_ancestor_thread_num(1);
    }
  }
  CHECK_INT(level, 1);
  CHECK_INT(active, 1);
  CHECK_INT(in, 1);
  CHECK_INT(inner, 2);
  CHECK_INT(size, 1);
  CHECK_INT(ancestor, 1);
  CHECK_INT(omp_get_level(), 0);
}

static void conditions(volatile int no) {
  int size = 0, level = 0;
#pragma omp parallel if (no) num_threads(4)
  {
    size = omp_get_num_threads();
    level = omp_get_level();
  }
  CHECK_INT(size, 1);
  CHECK_INT(level, 1);
#pragma omp parallel if (no)
#pragma omp parallel if (no)
  level = omp_get_level();
  CHECK_INT(level, 2);
  CHECK_INT(omp_get_level(), 0);
}

/* The num_threads clause of a serialized region must not affect the next region. */
void __kmpc_push_num_threads(void *location, int gtid, int threads);
void __kmpc_fork_call_if(void *location, int count, void *micro, int condition, void *argument);
static void count_one(int *gtid, int *tid, void *count) {
  (void)gtid, (void)tid;
  ++*(int *)count;
}
static void conditional(void) {
  int count = 0;
  __kmpc_push_num_threads(NULL, 0, 11);
  __kmpc_fork_call_if(NULL, 1, (void *)count_one, 0, &count);
  CHECK_INT(count, 1);
  int size = 0;
#pragma omp parallel
#pragma omp master
  size = omp_get_num_threads();
  CHECK_INT(size, omp_get_max_threads());
}

int main(void) {
  for (int round = 0; round < 50; round++)
    for (int n = 1; n <= 17; n += 4) CHECK_INT(team_size(n), n);
  int wanted = atoi(getenv("OMP_NUM_THREADS")), size = 0;
#pragma omp parallel
#pragma omp master
  size = omp_get_num_threads();
  CHECK_INT(size, wanted);
  CHECK_INT(omp_get_max_threads(), wanted);
  many_variables();
  levels();
  conditions(0);
  conditional();
  return TEST_RESULT();
}
