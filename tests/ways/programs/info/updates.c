/* LIBOMPTARGET_INFO: updates, present. */
#include <stdio.h>
int main(void) {
  int a[20], b[10];
  for (int i = 0; i < 20; i++) a[i] = i;
#pragma omp target enter data map(to : a [0:20]) map(alloc : b)
#pragma omp target update to(a [5:5])
#pragma omp target update from(b) from(a)
#pragma omp target update from(present : a [0:3])
#pragma omp target map(present, tofrom : a [0:20]) map(from : b)
  for (int i = 0; i < 10; i++) b[i] = a[i];
#pragma omp target update from(b) if (b[0] >= 0)
#pragma omp target map(always, from : b)
  b[2] = 9;
#pragma omp target exit data map(from : a) map(delete : b)
  int c[3];
#pragma omp target update to(c)
  printf("%d\n", b[2]);
}
