/* Compiled by Clang. Regions of Clang and of GCC (nested_gcc.c) nest in each other and share the
 * state of locks and of omp.h. */
#include <omp.h>
#include <stdio.h>

enum { N = 100 };
void gcc_loop(int *counts, int n);
void gcc_region(int *count);
void gcc_tasks(int *count, int n);
void gcc_outer(int *counts, int n, int *regions, int *tasks);

static int failures;
#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      failures++;                                                                                  \
      printf("failed: %s:%d: %s\n", __FILE__, __LINE__, #condition);                               \
    }                                                                                              \
  } while (0)

void clang_loop(int *counts, int n) {
#pragma omp for schedule(dynamic, 3)
  for (int i = 0; i < n; i++) counts[i]++;
#pragma omp single
  counts[0] += 10;
}

void clang_region(int *count) {
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic
    *count += omp_get_num_threads() == 2;
  }
}

void clang_tasks(int *count, int n) {
#pragma omp taskgroup
  for (int i = 0; i < n; i++) {
#pragma omp task
    {
#pragma omp atomic
      (*count)++;
    }
  }
}

static void check(const int *counts, int regions, int tasks) {
  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += counts[i] != (i ? 3 : 33);
  CHECK(!wrong);
  CHECK(regions == 2 * omp_get_max_threads());
  CHECK(tasks == 2 * N);
}

int main(void) {
  omp_set_max_active_levels(2);
  for (int round = 0; round < 20; round++) {
    int counts[N] = {0}, regions = 0, tasks = 0;
#pragma omp parallel
    {
      gcc_loop(counts, N);
      clang_loop(counts, N);
      gcc_loop(counts, N);
      gcc_region(&regions);
#pragma omp single
      {
        gcc_tasks(&tasks, N);
        clang_tasks(&tasks, N);
      }
    }
    check(counts, regions, tasks);
    int counts_2[N] = {0}, regions_2 = 0, tasks_2 = 0;
    gcc_outer(counts_2, N, &regions_2, &tasks_2);
    check(counts_2, regions_2, tasks_2);
  }
  return failures != 0;
}
