/* Regions run under repeated SIGSTOP and SIGCONT. */
#include "tests/hostile/programs/hostile.h"
int main(void) {
  pid_t pid = fork();
  if (!pid) {
    int w = 0;
    for (int i = 0; i < 1500; i++) w += region(i) != i + 1 || loop() || team() < 1;
    _exit(w != 0);
  }
  int st = 0, n = 0;
  while (waitpid(pid, &st, WNOHANG) != pid) {
    kill(pid, SIGSTOP);
    usleep(300);
    kill(pid, SIGCONT);
    usleep(700);
    n++;
  }
  printf("%x\n", st);
  return st != 0;
}
