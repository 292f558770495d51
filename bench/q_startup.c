/* What does a whole process with one target region cost? solo-bench measures it from outside. The
 * limit is the same program without the region, static; libomp's is one parallel region. */
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
