/* Description: what a kernel prints is there when its construct is over. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
#pragma omp target nowait
  printf("%d %s %5.2f %c %llx %%\n", 42, "words", 2.5, 'x', 0x123456789abcull);
  usleep(
      300000); /* the wait ends by its first query, which itself brings nothing out, also on a loaded machine */
#pragma omp taskwait
  _exit(0); /* nothing else that could flush */
}
