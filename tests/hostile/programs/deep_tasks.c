/* 2,000 nested tasks and 200,000 sibling tasks. */
#include "tests/hostile/programs/hostile.h"
static long deep(int n) {
  if (!n) return 1;
  long a = 0;
#pragma omp task shared(a)
  a = deep(n - 1);
#pragma omp taskwait
  return a + 1;
}
int main(void) {
  long r = 0, s = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    r = deep(2000);
    for (int i = 0; i < 200000; i++) {
#pragma omp task
      {
#pragma omp atomic
        s++;
      }
    }
  }
  printf("%ld %ld\n", r, s);
  return r != 2001 || s != 200000;
}
