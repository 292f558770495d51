/* The clock decreases in each call. */
#include "tests/hostile/programs/hostile.h"
#include <sys/syscall.h>
static long back;
int clock_gettime(clockid_t c, struct timespec *t) {
  int r = syscall(SYS_clock_gettime, c, t);
  t->tv_sec -= __atomic_add_fetch(&back, 3, __ATOMIC_RELAXED);
  return r;
}
int gettimeofday(struct timeval *restrict t, void *restrict z) {
  (void)z;
  t->tv_sec = 1000000 - __atomic_add_fetch(&back, 3, __ATOMIC_RELAXED);
  t->tv_usec = 0;
  return 0;
}
int main(void) {
  int w = 0;
  for (int i = 0; i < 500; i++) {
    w += region(i) != i + 1 || loop() || team() < 1;
    if (i % 100 == 0) usleep(1000);
  }
  double a = omp_get_wtime();
  w += a != a;
  printf("%d\n", w);
  return w;
}
