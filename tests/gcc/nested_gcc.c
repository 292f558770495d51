/* Constructs that regions of Clang call, and regions that call Clang's constructs (nested_clang.c). */
#include <omp.h>

void clang_loop(int *counts, int n);
void clang_region(int *count);
void clang_tasks(int *count, int n);

void gcc_loop(int *counts, int n) {
#pragma omp for schedule(dynamic, 2)
  for (int i = 0; i < n; i++) counts[i]++;
#pragma omp single
  counts[0] += 10;
}

void gcc_region(int *count) {
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic
    *count += omp_get_num_threads() == 2;
  }
}

void gcc_tasks(int *count, int n) {
#pragma omp taskgroup
  for (int i = 0; i < n; i++) {
#pragma omp task
    {
#pragma omp atomic
      (*count)++;
    }
  }
}

void gcc_outer(int *counts, int n, int *regions, int *tasks) {
#pragma omp parallel
  {
    clang_loop(counts, n);
    gcc_loop(counts, n);
    clang_loop(counts, n);
    clang_region(regions);
#pragma omp single
    {
      clang_tasks(tasks, n);
      gcc_tasks(tasks, n);
    }
  }
}
