/* Device code that calls runtime functions, so that its image links members of the archive. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
  int data[10] = {0}, device = omp_get_default_device(), host = omp_get_initial_device();
  int mapped = -1, absent = -1, same = -1, copied = -1;
  /* an integer, because the compiler would map and translate a pointer */
  uintptr_t number = (uintptr_t)&data;
#pragma omp target data map(tofrom : data)
#pragma omp target map(from : mapped, absent, same, copied) firstprivate(number, device, host)
  {
    void *address = (void *)number;
    int here = 5, there = 0;
    mapped = omp_target_is_present(address, device) != 0;
    absent = omp_target_is_present(&here, device) != 0;
    same = omp_get_mapped_ptr(address, device) != 0;
    copied = omp_target_memcpy(&there, &here, sizeof here, 0, 0, host, host) + there;
  }
  printf("mapped %d absent %d pointer %d copied %d\n", mapped, absent, same, copied);
  return 0;
}
