/* Privileges, new threads, files and locked memory become unavailable after the first region. */
#include "tests/hostile/programs/hostile.h"
int main(void) {
  int w = region(1) != 2;
  if (getuid() == 0 && (setgid(65534) || setuid(65534))) return 3;
  struct rlimit none = {4, 4};
  setrlimit(RLIMIT_NPROC, &none);
  w += region(1) != 2;
  w += loop();
  w += team() < 1;
  struct rlimit f = {0, 0};
  setrlimit(RLIMIT_NOFILE, &f);
  setrlimit(RLIMIT_MEMLOCK, &f);
  w += region(1) != 2;
  w += loop();
  w += team() < 1;
  printf("%d\n", w);
  return w;
}
