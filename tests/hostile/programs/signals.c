/* A signal without SA_RESTART arrives every 200 us. */
#include "tests/hostile/programs/hostile.h"
static volatile sig_atomic_t n;
static void on(int s) {
  (void)s;
  n++;
}
int main(void) {
  struct sigaction a = {.sa_handler = on};
  sigaction(SIGALRM, &a, 0);
  struct itimerval t = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &t, 0);
  int w = 0;
  for (int i = 0; i < 1500; i++) w += region(i) != i + 1 || loop() || team() < 1;
  printf("%d wrong, signals %d\n", w, n > 0);
  return w;
}
