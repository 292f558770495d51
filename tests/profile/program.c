/* Description: constructs with known numbers of kernels, copies and bytes: THREADS threads execute
 * ROUNDS rounds, thread t with 1000 + t doubles. Modes: return, exit-thread, atexit and destructor
 * (a region after main), fork (a child exits), chdir, fail (a region that fails). */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 300 };

static const char *mode = "return";
static int wrong;

static void scale(double *x, int n) {
#pragma omp target teams distribute parallel for map(tofrom : x[:n])
  for (int i = 0; i < n; i++) x[i] *= 2;
}

static void one_round(double *x, int n) {
#pragma omp target enter data map(to : x[:n])
  scale(x, n); /* present: copies nothing */
#pragma omp target update from(x[:n])
#pragma omp target exit data map(delete : x[:n])
}

static void *work(void *argument) {
  int n = 1000 + (int)(long)argument;
  double *x = malloc((size_t)n * sizeof *x);
  for (int i = 0; i < n; i++) x[i] = 1;
  for (int r = 0; r < ROUNDS; r++) {
    one_round(x, n);
    if (x[n - 1] != 2) wrong = 1;
    for (int i = 0; i < n; i++) x[i] = 1;
  }
  scale(x, n); /* absent: copies in both directions */
  if (x[n - 1] != 2) wrong = 1;
  free(x);
  return NULL;
}

static void *leave(void *unused) {
  (void)unused;
  exit(wrong);
}

static void late(void) {
  double x[7] = {0};
  scale(x, 7);
}

__attribute__((destructor)) static void later(void) {
  if (strcmp(mode, "destructor") == 0) late();
}

static void run_mode(void) {
  if (strcmp(mode, "fork") == 0) {
    pid_t child = fork();
    if (child == 0) exit(0);
    int status;
    if (waitpid(child, &status, 0) != child || status) wrong = 1;
    /* the file is empty: only the parent writes the profile */
    FILE *file = fopen(getenv("LIBOMPTARGET_PROFILE"), "r");
    if (file && fgetc(file) != EOF) wrong = 1;
    if (file) fclose(file);
  } else if (strcmp(mode, "fail") == 0) {
    char *x = malloc(100);
#pragma omp target enter data map(to : x[:10])
#pragma omp target map(tofrom : x[:100])
    x[99] = 1;
  } else if (strcmp(mode, "exit-thread") == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, leave, NULL);
    pthread_join(thread, NULL);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) mode = argv[1];
  if (strcmp(mode, "atexit") == 0)
    atexit(late); /* registered first, so it runs after solo's handler */
  pthread_t thread[THREADS];
  double first[1] = {1};
  scale(first, 1);
  if (strcmp(mode, "chdir") == 0 && chdir("/") != 0) return 1;
  for (long t = 0; t < THREADS; t++) pthread_create(&thread[t], NULL, work, (void *)t);
  for (long t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
  void *p = omp_target_alloc(64, 0);
  if (omp_target_memcpy(p, first, 8, 0, 0, 0, omp_get_initial_device()) != 0) wrong = 1;
  omp_target_free(p, 0);
  run_mode();
  return wrong;
}
