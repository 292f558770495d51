/* Description: a thread calls exit while other threads, atexit functions and destructors execute
 * target regions. Checks the exit status. Each thread has executed a region before, because libomp
 * does not support a first call during exit. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BUSY = 2 };
static int parent;

static int region(int x) {
#pragma omp target map(tofrom : x)
  x++;
  return x;
}

static void last(void) {
  if (region(1) != 2) _exit(3);
}

/* Runs after the functions that the compiler registered with atexit. */
__attribute__((destructor)) static void later(void) {
  if (parent) return;
  for (int i = 0; i < 200; i++)
    if (region(i) != i + 1) _exit(4);
}

static atomic_int met; /* threads that have executed a region */

static void meet(void) {
  if (region(1) != 2) _exit(6);
  met++;
}

static void *busy(void *unused) {
  meet();
  for (;;)
    if (region(1) != 2) _exit(5);
  return unused;
}

static void *end(void *unused) {
  usleep(3000);
  exit(7);
  return unused;
}

static void child(int how) {
  pthread_t thread;
  atexit(last);
  alarm(300); /* seconds; long, because the machine may be loaded */
  meet();
  for (int i = 0; i < BUSY; i++)
    if (pthread_create(&thread, NULL, busy, NULL)) _exit(2);
  while (met <= BUSY) usleep(100);
  if (how % 2) {
    int x = 0;
#pragma omp target data map(tofrom : x)
    exit(7 + 0 * x);
  }
  if (pthread_create(&thread, NULL, end, NULL)) _exit(2);
  busy(NULL);
}

int main(void) {
  parent = 1;
  for (int i = 0; i < 20; i++) {
    int status = -1;
    pid_t pid = fork();
    if (pid == 0) {
      parent = 0;
      child(i);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 7 << 8)
      return printf("child %d: wait status %x, expected 700\n", i, (unsigned)status), 1;
  }
  puts("ok");
  return 0;
}
