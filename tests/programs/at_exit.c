/* Description: a thread ends the process while others are in target regions; functions given to atexit and
 * destructors have regions, too. The status is what exit was given. Each thread has had a region before: libomp, which
 * ends at exit as well, cannot stand a thread that meets it for the first time then, with whatever offload runtime. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BUSY = 2 }; /* threads in regions at exit, beside the one that exits */
static int parent;

static int region(int x) {
#pragma omp target map(tofrom : x)
  x++;
  return x;
}

static void last(void) {
  if (region(1) != 2) _exit(3);
}

/* After what the compiler has registered to be called at exit. */
__attribute__((destructor)) static void later(void) {
  if (parent) return;
  for (int i = 0; i < 200; i++)
    if (region(i) != i + 1) _exit(4);
}

static atomic_int met; /* threads that have had a region */

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
  alarm(40);
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
      return printf("child %d: status %x\n", i, (unsigned)status), 1;
  }
  puts("ok");
  return 0;
}
