/* Prints the results of omp_pause_resource for the initial device, omp_initial_device, a device and
 * an invalid kind, and then the sum of a region and a target region. */
#include <omp.h>
#include <stdio.h>

int main(void) {
  int sum = 0, device = 0, host = omp_get_initial_device();
#pragma omp parallel reduction(+ : sum)
  sum++;
#pragma omp target map(tofrom : device)
  device = 5;
  printf("host %d device %d kind %d\n", omp_pause_resource(omp_pause_soft, host) != 0,
         omp_pause_resource(omp_pause_soft, 0) != 0,
         omp_pause_resource((omp_pause_resource_t)77, host) != 0);
  sum = 0;
#pragma omp parallel reduction(+ : sum)
  sum++;
  printf("host %d all %d device %d threads %d\n", omp_pause_resource(omp_pause_hard, host) != 0,
         omp_pause_resource_all(omp_pause_soft) != 0, device, sum > 0);
  return 0;
}
