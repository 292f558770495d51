/* Description: checks declare target variables (enter, to, link, static), functions and updates. */
#include "check.h"
#include <omp.h>

#pragma omp declare target
int counter = 5;
static int hidden[8] = {1, 2, 3};
static int twice(int x) {
  return 2 * x;
}
#pragma omp end declare target
int linked[10];
#pragma omp declare target link(linked)
int entered = 3;
#if _OPENMP >= 202111
#pragma omp declare target enter(entered)
#else
#pragma omp declare target to(entered)
#endif

int main(void) {
  int d = omp_get_default_device();
  CHECK_INT(omp_target_is_present(&counter, d), 1);
  CHECK_INT(omp_target_is_present(&entered, d), 1);
  CHECK_INT(omp_target_is_present(linked, d), 0);
  int seen = 0;
#pragma omp target map(from : seen)
  {
    counter = twice(counter);
    hidden[0] += 10;
    seen = counter + hidden[0] + entered;
  }
  CHECK_INT(seen, 10 + 11 + 3);
  CHECK_INT(counter, 5);
#pragma omp target update from(counter)
  CHECK_INT(counter, 10);
  counter = 100;
  entered = 50;
#pragma omp target update to(counter, entered)
#pragma omp target map(from : seen)
  seen = counter + entered;
  CHECK_INT(seen, 150);
  for (int i = 0; i < 10; i++) linked[i] = i;
#pragma omp target map(tofrom : linked)
  linked[3] += 30;
  CHECK_INT(linked[3], 33);
#pragma omp target enter data map(to : linked)
#pragma omp target
  linked[4] = 44;
  CHECK_INT(linked[4], 4);
#pragma omp target exit data map(from : linked)
  CHECK_INT(linked[4], 44);
  CHECK_INT(omp_target_is_present(&counter, d), 1);
#pragma omp target exit data map(delete : counter) /* a global stays mapped */
  CHECK_INT(omp_target_is_present(&counter, d), 1);
  return result();
}
