/* Each CPU device has its own copy of a global variable. */
#include <omp.h>
#include <stdio.h>

#pragma omp declare target
int counter = 100;
#pragma omp end declare target

int main(void) {
  int devices = omp_get_num_devices();
  printf("%d devices:", devices);
  for (int d = 0; d < devices; d++) {
    int value = 0, number = -1;
    for (int k = 0; k <= d; k++) {
#pragma omp target device(d) map(from : value)
      {
        counter += d + 1;
        value = counter;
      }
    }
#pragma omp target device(d) map(from : number)
    number = omp_get_device_num();
    printf(" %d(%d)", value, number);
  }
  printf(" host %d\n", counter);
  return 0;
}
