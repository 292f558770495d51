/* Threads created inside a parallel region use OpenMP. */
#include "tests/hostile/programs/hostile.h"
static void *in(void *u) {
  *(int *)u = region(1) == 2 && team() >= 1 && loop() == 0 && omp_get_level() == 0;
  return u;
}
int main(void) {
  int w = 0;
#pragma omp parallel num_threads(4) reduction(+ : w)
  for (int i = 0; i < 30; i++) {
    int ok = 0;
    pthread_t t;
    pthread_create(&t, 0, in, &ok);
    if (i % 2) w += region(i) != i + 1;
    pthread_join(t, 0);
    w += !ok;
  }
  printf("%d\n", w);
  return w;
}
