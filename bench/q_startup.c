/* A process with one target region, measured from outside. The limit has no region; the libomp
 * contestant has a parallel region. */
#include <stdlib.h>

int main(void) {
  int answer = 0;
#ifdef BENCH_HOST
#pragma omp parallel
#pragma omp masked
#else
#pragma omp target map(tofrom : answer)
#endif
  answer = 42;
  return answer == 42 ? EXIT_SUCCESS : EXIT_FAILURE;
}
