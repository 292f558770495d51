/* SIGTERM and SIGALRM terminate a program inside regions. */
#include "tests/hostile/programs/hostile.h"
int main(void) {
  int bad = 0;
  for (int i = 0; i < 30; i++) {
    fflush(0);
    pid_t pid = fork();
    if (!pid) {
#pragma omp parallel num_threads(3)
      for (;;) region(1);
    }
    usleep(3000 + i * 1000);
    kill(pid, i % 2 ? SIGTERM : SIGALRM);
    int st;
    waitpid(pid, &st, 0);
    bad += !WIFSIGNALED(st);
  }
  printf("%d\n", bad);
  return bad;
}
