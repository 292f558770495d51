/* Nested parallel regions have one thread. */
#include "app.h"
#include <omp.h>

/* Clang 19's openmp-opt pass folds the inner sums to 0, also for real GPUs. */
enum { MAY_LOSE_SUMS = __clang_major__ < 20 };

APP(nested) {
  int outer = 0, inner = 0, level = 0, sum = 0;
#pragma omp target map(tofrom : outer, inner, level, sum) thread_limit(32)
#pragma omp parallel num_threads(16)
  {
#pragma omp atomic
    outer++;
    int part = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp atomic
      inner++;
#pragma omp critical
      if (omp_get_level() > level) level = omp_get_level();
#pragma omp for reduction(+ : part)
      for (int i = 0; i < 10; i++) part += i;
    }
#pragma omp atomic
    sum += part;
  }
  if (outer < 1 || inner != outer || level != 2 ||
      (sum != 45 * outer && !(MAY_LOSE_SUMS && sum == 0))) {
    printf("  outer %d, inner %d, level %d, sum %d\n", outer, inner, level, sum);
    return 1;
  }
  return 0;
}
