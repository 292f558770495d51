/* Uses memory that the kernel has freed. */
#include <stdlib.h>

int main(void) {
  int n = 0;
#pragma omp target map(tofrom : n)
  {
    volatile int *p = malloc(100 * sizeof *p);
    p[3] = n;
    free((void *)p);
    n = p[3]; /* here */
  }
  return 0;
}
