/* An OpenMP program for killed.sh, which kills the device server between two regions or during the
 * second region.
 *   killed between|during
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 1 << 18 };

int main(int argc, char **argv) {
  int during = argc > 1 && strcmp(argv[1], "during") == 0, on_host = 1, wrong = 0;
  long *values = calloc(LENGTH, sizeof *values);
  if (!values) return 2;
#pragma omp target map(tofrom : values [0:LENGTH]) map(from : on_host)
  {
    on_host = omp_is_initial_device();
    for (int i = 0; i < LENGTH; i++) values[i] += i;
  }
  printf("first on the %s\n", on_host ? "host" : "device");
  fflush(stdout);
  if (!during && getchar() == EOF) return 2;
#pragma omp target map(tofrom : values [0:LENGTH]) map(from : on_host)
  {
    on_host = omp_is_initial_device();
    for (int i = 0; i < LENGTH; i++) values[i] += 1;
    volatile int goes_on = during && !on_host;
    while (goes_on) {
    }
  }
  for (int i = 0; i < LENGTH; i++) wrong += values[i] != i + 1;
  printf("second on the %s, %d wrong\n", on_host ? "host" : "device", wrong);
  return wrong != 0;
}
