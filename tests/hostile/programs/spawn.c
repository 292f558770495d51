/* posix_spawn and vfork while other threads execute regions. */
#include "tests/hostile/programs/hostile.h"
#include <spawn.h>
extern char **environ;
static volatile int stop, w;
static void *busy(void *u) {
  while (!stop) w += region(1) != 2 || loop();
  return u;
}
int main(void) {
  pthread_t t[2];
  int bad = 0;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, busy, 0);
  char *args[] = {"true", 0};
  for (int i = 0; i < 100; i++) {
    pid_t pid;
    int st = 1;
    if (i % 2) {
      pid = vfork();
      if (!pid) {
        execv("/bin/true", args);
        _exit(9);
      }
    } else if (posix_spawn(&pid, "/bin/true", 0, 0, args, environ))
      bad++;
    waitpid(pid, &st, 0);
    bad += st != 0;
    bad += team() < 1;
  }
  stop = 1;
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  printf("%d %d\n", bad, w);
  return bad || w;
}
