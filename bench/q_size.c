/* A static program with one feature (FEATURE in bench.ninja). solo-bench measures the size of the
 * stripped file. The limit is an empty program. */
#define NOTHING  0
#define TARGET   1
#define DATA     2
#define TEAMS    3
#define PARALLEL 4
#define TASKS    5
#define API      6

#if FEATURE == API
#include <omp.h>
#endif

int main(int argc, char **argv) {
  (void)argv;
  double x[100] = {0}, sum = argc;
#if FEATURE == TARGET
#pragma omp target map(tofrom : sum)
  sum += 1;
#elif FEATURE == DATA
#pragma omp target data map(tofrom : x)
  {
#pragma omp target map(tofrom : sum)
    sum += x[3];
#pragma omp target update from(x [0:20:2])
  }
#elif FEATURE == TEAMS
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : x)
  for (int i = 0; i < 100; i++) sum += x[i];
#elif FEATURE == PARALLEL
#pragma omp parallel for reduction(+ : sum) schedule(runtime)
  for (int i = 0; i < 100; i++) sum += x[i];
#elif FEATURE == TASKS
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task depend(inout : x[i % 10])
    x[i % 10] += 1;
#pragma omp target nowait depend(inout : x[i % 10])
    x[i % 10] += 1;
  }
#elif FEATURE == API
  double *d = omp_target_alloc(sizeof x, omp_get_default_device());
  omp_target_memcpy(d, x, sizeof x, 0, 0, omp_get_default_device(), omp_get_initial_device());
  omp_target_free(d, omp_get_default_device());
#endif
  return sum + x[5] > 1e9;
}
