/* Another thread runs regions after pthread_exit in the initial thread. */
#include "tests/hostile/programs/hostile.h"
static void *on(void *u) {
  usleep(30000);
  int w = 0;
  for (int i = 0; i < 300; i++) w += region(i) != i + 1 || loop() || team() < 1;
  printf("%d\n", w);
  fflush(stdout);
  exit(w);
  return u;
}
int main(void) {
  pthread_t t;
  region(1);
  team();
  pthread_create(&t, 0, on, 0);
  pthread_exit(0);
}
