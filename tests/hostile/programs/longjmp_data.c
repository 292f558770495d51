/* longjmp leaves a target data construct; the program then releases the mapping. */
#include "tests/hostile/programs/hostile.h"
static jmp_buf j;
static void out(void) {
  longjmp(j, 1);
}
int main(void) {
  int a[10] = {0};
  volatile int w = 0;
  for (volatile int i = 0; i < 200; i++) {
    if (!setjmp(j)) {
#pragma omp target data map(tofrom : a)
      {
#pragma omp target
        a[0]++;
        out();
      }
    }
  }
  for (int i = 0; i < 200; i++) {
#pragma omp target exit data map(from : a)
  }
  w += omp_target_is_present(a, 0);
  printf("%d %d\n", a[0], w);
  return a[0] != 200 || w;
}
