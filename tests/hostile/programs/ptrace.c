/* A tracer attaches and detaches repeatedly. */
#include "tests/hostile/programs/hostile.h"
#include <sys/ptrace.h>
int main(void) {
  pid_t pid = fork();
  if (!pid) {
    int w = 0;
    for (int i = 0; i < 1000; i++) w += region(i) != i + 1 || loop() || team() < 1;
    _exit(w != 0);
  }
  int st = 0, n = 0;
  for (;;) {
    if (ptrace(PTRACE_SEIZE, pid, 0, 0)) {
      if (waitpid(pid, &st, 0) == pid && (WIFEXITED(st) || WIFSIGNALED(st))) break;
      continue;
    }
    if (ptrace(PTRACE_INTERRUPT, pid, 0, 0) == 0 && waitpid(pid, &st, 0) == pid) {
      if (WIFEXITED(st) || WIFSIGNALED(st)) break;
    }
    ptrace(PTRACE_DETACH, pid, 0, 0);
    usleep(500);
    n++;
    if (waitpid(pid, &st, WNOHANG) == pid && (WIFEXITED(st) || WIFSIGNALED(st))) break;
  }
  printf("%x\n", st);
  return st != 0;
}
