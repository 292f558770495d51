/* Regions run when no file descriptor is free. */
#include "tests/hostile/programs/hostile.h"
int main(void) {
  struct rlimit l = {64, 64};
  setrlimit(RLIMIT_NOFILE, &l);
  while (open("/dev/null", O_RDONLY) >= 0) continue;
  int w = region(1) != 2;
  w += loop();
  w += team() < 1;
  printf("%d\n", w);
  return w;
}
