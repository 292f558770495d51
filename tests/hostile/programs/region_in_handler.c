/* Regions in a signal handler, one before any other use of OpenMP. */
#include "tests/hostile/programs/hostile.h"
static int got;
static void on(int s) {
  (void)s;
  got += region(4) == 5;
  got += loop() == 0;
}
int main(void) {
  signal(SIGUSR1, on);
  raise(SIGUSR1);
  region(1);
  raise(SIGUSR1);
  printf("%d\n", got);
  return got != 4;
}
