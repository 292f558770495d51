/* Description: omp_get_num_procs() in a kernel is the device's number of warps (4 * 64 or 104 * 32
 * simulated, or DEVICE_WARPS). */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int procs = 0;
#pragma omp target map(from : procs)
  procs = omp_get_num_procs();
  const char *warps = getenv("DEVICE_WARPS");
  int right = warps ? procs == atoi(warps) : procs == 4 * 64 || procs == 104 * 32;
  if (!right) printf("wrong: %d\n", procs);
  return !right;
}
