/* A question over MPI executes itself again as rank 0 of a job of two ranks. Each rank has its own
 * processor: MPI waits by spinning, so two ranks on one processor would need a time slice for each
 * message. */
#ifndef SOLO_BENCH_MPI_JOB_H
#define SOLO_BENCH_MPI_JOB_H

#include <unistd.h>

#define BENCH_TEXT_(word) #word
#define BENCH_TEXT(word)  BENCH_TEXT_(word)
#ifdef BENCH_FAR
#define BENCH_JOB_NAME "mpi_" BENCH_TEXT(BENCH_MPI) "_far"
#else
#define BENCH_JOB_NAME "mpi_" BENCH_TEXT(BENCH_MPI)
#endif

/* Factor of the batch length of round trips, because the first milliseconds of a job vary. */
enum { BENCH_JOB_BATCH = 100 };

/* Returns only in the job. other: the program of rank 1, without arguments. */
static inline void bench_enter_job(int argc, char **argv, const char *other) {
  enum { MOST = 24 };
  static const char *command[MOST] = {"mpirun." BENCH_TEXT(BENCH_MPI)};
  int n = 1;
  if (getenv("BENCH_IN_JOB")) return;
  setenv("BENCH_IN_JOB", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  if (strcmp(BENCH_TEXT(BENCH_MPI), "openmpi") == 0) command[n++] = "--use-hwthread-cpus";
  command[n++] = "--bind-to";
  command[n++] = "hwthread";
  command[n++] = "-n";
  command[n++] = "1";
  for (int i = 0; i < argc && n < MOST - 5; i++) command[n++] = argv[i];
  command[n++] = ":";
  command[n++] = "-n";
  command[n++] = "1";
  command[n++] = other;
  execvp(command[0], (char *const *)command);
  perror(command[0]);
  exit(1);
}

#endif
