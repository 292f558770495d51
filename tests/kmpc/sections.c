/* Description: checks sections, lastprivate, nowait, and more sections than threads. */
#include "tests/unit/test.h"
#include <omp.h>

static int ran[8];

/* Not inlined, because Clang hoists loads of globals, which ThreadSanitizer reports as a race. */
static __attribute__((noinline)) void run(int section) {
  ran[section]++;
}

int main(void) {
  int last = 0;
  for (int round = 0; round < 50; round++) {
#pragma omp parallel
    {
#pragma omp sections lastprivate(last)
      {
#pragma omp section
          {run(0);
      last = 1;
    }
#pragma omp section
    {
      run(1);
      last = 2;
    }
#pragma omp section
    {
      run(2);
      last = 3;
    }
#pragma omp section
    {
      run(3);
      last = 4;
    }
#pragma omp section
    {
      run(4);
      last = 5;
    }
  }
#pragma omp sections nowait
  {
    run(5);
#pragma omp section
    run(6);
  }
}
CHECK_INT(last, 5);
}
for (int i = 0; i < 7; i++) CHECK_INT(ran[i], 50);
int sum = 0;
#pragma omp parallel sections reduction(+ : sum)
{
#pragma omp section
  sum += 1;
#pragma omp section
  sum += 10;
}
CHECK_INT(sum, 11);
return TEST_RESULT();
}
