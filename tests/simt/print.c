/* Description: checks that the output of a kernel appears before the end of its construct. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
#pragma omp target nowait
  printf("%d %s %5.2f %c %llx %%\n", 42, "words", 2.5, 'x', 0x123456789abcull);
  /* the kernel has completed, so the first query ends the wait; a query does not flush the output */
  usleep(300000);
#pragma omp taskwait
  _exit(0);
}
