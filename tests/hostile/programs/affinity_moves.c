/* Regions run while a thread changes the CPU affinity every 300 us. */
#include "tests/hostile/programs/hostile.h"
#include <sched.h>
static volatile int stop;
static void *mover(void *u) {
  cpu_set_t all, s;
  sched_getaffinity(0, sizeof all, &all);
  int n = 0;
  while (!stop) {
    CPU_ZERO(&s);
    int k = n++ % 2;
    if (CPU_ISSET(k, &all))
      CPU_SET(k, &s);
    else
      s = all;
    sched_setaffinity(getpid(), sizeof s, &s);
    usleep(300);
  }
  sched_setaffinity(getpid(), sizeof all, &all);
  return u;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, mover, 0);
  int w = 0;
  for (int i = 0; i < 1000; i++) w += region(i) != i + 1 || loop() || team() < 1;
  stop = 1;
  pthread_join(t, 0);
  printf("%d\n", w);
  return w;
}
