/* Threads receive signals while they execute regions. */
#include "tests/hostile/programs/hostile.h"
static volatile sig_atomic_t n;
static pthread_t t[3];
static volatile int stop, w;
static void on(int s) {
  (void)s;
  n++;
}
static void *busy(void *u) {
  while (!stop) w += region(1) != 2 || loop();
  return u;
}
int main(void) {
  struct sigaction a = {.sa_handler = on};
  sigaction(SIGUSR1, &a, 0);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, busy, 0);
  for (int i = 0; i < 3000; i++) {
    pthread_kill(t[i % 3], SIGUSR1);
    usleep(50);
  }
  stop = 1;
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  printf("%d\n", w);
  return w;
}
