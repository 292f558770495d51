/* Regions run with all signals blocked. */
#include "tests/hostile/programs/hostile.h"
int main(void) {
  sigset_t a;
  sigfillset(&a);
  pthread_sigmask(SIG_SETMASK, &a, 0);
  int w = region(1) != 2 || loop() || team() < 1;
  sigset_t b;
  pthread_sigmask(SIG_SETMASK, 0, &b);
  w += !sigismember(&b, SIGUSR1);
  printf("%d\n", w);
  return w;
}
