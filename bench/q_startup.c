/* What does a whole process with one target region cost? solo-bench measures it from outside. The
 * limit is the same program without the region, static. */
#include <stdlib.h>

int main(void) {
  int answer = 0;
#pragma omp target map(tofrom : answer)
  answer = 42;
  return answer == 42 ? EXIT_SUCCESS : EXIT_FAILURE;
}
