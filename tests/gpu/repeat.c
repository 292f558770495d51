/* repeat N PROGRAM [ARGUMENT...]: runs it N times and prints each wall time in ms, as bench lines
 * have values. Fails when the program does. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  for (int n = atoi(argv[1]); n > 0; n--) {
    double start = now_ms();
    pid_t child = fork();
    if (child == 0) {
      execv(argv[2], argv + 2);
      _exit(127);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child || status) return 1;
    printf(" %.3f", now_ms() - start);
  }
  printf("\n");
  return 0;
}
