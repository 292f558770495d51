/* Description: a worker that waits on the processor of the primary thread must leave this processor.
 * Threads: 2 */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TRIES = 200 };
static int shared_cpu;
static _Atomic int has_left;
static _Thread_local int is_worker;

/* Replaces the function of the C library, which the waiting worker calls. */
int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *mask) {
  if (is_worker && !CPU_ISSET_S(shared_cpu, size, mask)) has_left = 1;
  return (int)syscall(SYS_sched_setaffinity, thread, size, mask);
}

static void move_to(const cpu_set_t *mask) {
  if (syscall(SYS_sched_setaffinity, 0, sizeof *mask, mask) != 0) perror("sched_setaffinity");
}

static void work(double seconds) {
  double end = omp_get_wtime() + seconds;
  while (omp_get_wtime() < end) {
  }
}

int main(void) {
  cpu_set_t all, one;
  if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2) {
    printf("skipped: one processor\n");
    return 77;
  }
  while (!CPU_ISSET(shared_cpu, &all)) shared_cpu++;
  CPU_ZERO(&one);
  CPU_SET(shared_cpu, &one);
#pragma omp parallel num_threads(2)
  is_worker = omp_get_thread_num() == 1;
  move_to(&one); /* the primary thread */
  int tries = 0;
  for (; tries < TRIES && !has_left; tries++) {
#pragma omp parallel num_threads(2)
    if (is_worker) work(1e-3); /* the primary thread waits and notes its processor */
#pragma omp parallel num_threads(2)
    if (is_worker) {
      move_to(&one);
      move_to(&all);
    } else {
      work(5e-3);
    }
  }
  printf("%d tries\n", tries);
  return !has_left;
}
