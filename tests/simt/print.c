/* Description: the output of a kernel appears before its construct completes. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
#pragma omp target nowait
  printf("%d %s %5.2f %c %llx %%\n", 42, "words", 2.5, 'x', 0x123456789abcull);
  usleep(300000); /* the first query ends the wait, without a flush */
#pragma omp taskwait
  _exit(0);
}
