/* Description: omp_get_num_procs() in a kernel: the warps that the simulated device holds (4 processors
 * of 64; 104 compute units of 32), as with LLVM's own plug-ins. */
#include <omp.h>
#include <stdio.h>

int main(void) {
  int procs = 0;
#pragma omp target map(from : procs)
  procs = omp_get_num_procs();
  if (procs != 4 * 64 && procs != 104 * 32) printf("wrong: %d\n", procs);
  return procs != 4 * 64 && procs != 104 * 32;
}
