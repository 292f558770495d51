/* With a limit of 1 to 200 MiB of address space, the result must be right, or a message must
 * appear. */
#include "tests/hostile/programs/hostile.h"
int main(void) {
  int bad = 0;
  for (long mb = 1; mb < 200; mb += mb < 40 ? 1 : 20) {
    fflush(0);
    int p[2];
    char text[400] = {0};
    pipe(p);
    pid_t pid = fork();
    if (!pid) {
      alarm(25);
      dup2(p[1], 2);
      close(p[0]);
      struct rlimit l = {mb << 20, mb << 20};
      setrlimit(RLIMIT_AS, &l);
      int *a = malloc(3 << 20);
      if (!a) _exit(0);
      memset(a, 0, 3 << 20);
#pragma omp target teams distribute parallel for map(tofrom : a [0:3 << 18])
      for (int i = 0; i < 3 << 18; i++) a[i]++;
      int w = 0;
      for (int i = 0; i < 3 << 18; i++) w += a[i] != 1;
      w += team() < 1;
      _exit(w ? 50 : 0);
    }
    close(p[1]);
    ssize_t got = 0, k;
    while ((k = read(p[0], text + got, 399 - got)) > 0) got += k;
    close(p[0]);
    int st;
    waitpid(pid, &st, 0);
    if (st && !(got > 5 && ((WIFEXITED(st) && WEXITSTATUS(st) != 50) || WTERMSIG(st) == SIGABRT))) {
      bad++;
      fprintf(stderr, "%ld MiB: status %x '%s'\n", mb, st, text);
    }
  }
  printf("%d\n", bad);
  return bad != 0;
}
