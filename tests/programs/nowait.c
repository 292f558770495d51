/* Description: checks target nowait with dependences, and data constructs with nowait. */
#include "check.h"
#include <omp.h>

int main(void) {
  int a = 0, b = 0, v[10] = {0};
  for (int i = 0; i < 100; i++) {
#pragma omp target nowait map(tofrom : a) depend(inout : a)
    a = a * 2 + 1;
#pragma omp target nowait map(tofrom : a) depend(inout : a)
    a %= 1000;
  }
#pragma omp target nowait map(tofrom : b) depend(out : b)
  b = 5;
#pragma omp taskwait
  int expected = 0;
  for (int i = 0; i < 100; i++) expected = (expected * 2 + 1) % 1000;
  CHECK_INT(a, expected);
  CHECK_INT(b, 5);
#pragma omp target enter data nowait map(to : v) depend(out : v)
#pragma omp target nowait depend(inout : v)
  for (int i = 0; i < 10; i++) v[i] = i;
#pragma omp target update from(v) nowait depend(inout : v)
#pragma omp target exit data nowait map(release : v) depend(inout : v)
#pragma omp taskwait
  for (int i = 0; i < 10; i++) CHECK_INT(v[i], i);
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int k = 0; k < 50; k++) {
#pragma omp target nowait map(tofrom : v) depend(inout : v)
    for (int i = 0; i < 10; i++) v[i]++;
  }
  for (int i = 0; i < 10; i++) CHECK_INT(v[i], i + 50);
  return result();
}
