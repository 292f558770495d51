/* Runs programs in turn, N times, and prints a line of wall times in ms for each: repeat N PROGRAM
 * [ARGUMENT...] [-- PROGRAM [ARGUMENT...]]... */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROGRAMS = 8, TIMES = 1000 };

static char **program[PROGRAMS];
static double ms[PROGRAMS][TIMES];

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Returns the wall time in ms, negative on failure. */
static double run(char **argv) {
  double start = now_ms();
  pid_t child = fork();
  if (child == 0) {
    execvp(argv[0], argv);
    _exit(127);
  }
  int status = 1;
  if (child < 0 || waitpid(child, &status, 0) != child || status) {
    fprintf(stderr, "repeat: %s: status %d\n", argv[0], status);
    return -1;
  }
  return now_ms() - start;
}

int main(int argc, char **argv) {
  int count = 0, times = argc > 2 ? atoi(argv[1]) : 0;
  if (times < 1 || times > TIMES) return 2;
  program[count++] = argv + 2;
  for (int i = 2; i < argc; i++) {
    if (strcmp(argv[i], "--") != 0 || count == PROGRAMS) continue;
    argv[i] = NULL;
    program[count++] = argv + i + 1;
  }
  for (int p = 0; p < count; p++)
    if (run(program[p]) < 0) return 1; /* warm-up */
  for (int n = 0; n < times; n++)
    for (int p = 0; p < count; p++)
      if ((ms[p][n] = run(program[p])) < 0) return 1;
  for (int p = 0; p < count; p++) {
    for (int n = 0; n < times; n++) printf("%s%.3f", n ? " " : "", ms[p][n]);
    printf("\n");
  }
  return 0;
}
