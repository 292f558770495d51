/* Description: forks at bad times: again in a child, during another thread's first use of OpenMP, and
 * inside a critical section whose child has two threads. A hang is ended by alarm(2). */
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int region(int x) {
#pragma omp target map(tofrom : x)
  x++;
  return x;
}

static int finish(pid_t pid) {
  int status = -1;
  return pid < 0 || waitpid(pid, &status, 0) != pid ? -1 : status;
}

static atomic_int stop;

static void *busy(void *unused) {
  while (!stop) region(1);
  return unused;
}

/* A child forks, and its child, while other threads of the first process use the device. A fork that waits for
 * what nobody will give back takes 0.2 s, every time: on a loaded machine the scheduler makes one or another as long. */
static int again(int depth) {
  int slow = 0;
  for (int i = 0; i < 10; i++) {
    double begin = seconds();
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
      alarm(20);
      int wrong = omp_get_num_devices() != 1 || region(1) != 2 || (depth && again(depth - 1));
      _exit(wrong);
    }
    double taken = seconds() - begin;
    if (finish(pid)) return printf("depth %d: a child failed\n", depth), 1;
    slow += depth < 2 && taken > 0.15;
  }
  if (slow > 5) printf("depth %d: %d of 10 forks took 0.15 s\n", depth, slow);
  return slow > 5;
}

static int second_fork(void) {
  pthread_t thread;
  if (region(1) != 2 || pthread_create(&thread, NULL, busy, NULL)) return 1;
  int wrong = again(2);
  stop = 1;
  pthread_join(thread, NULL);
  return wrong;
}

static atomic_int begun;

static void *first_use(void *how) {
  begun = 1;
  if (how)
    region(1);
  else
#pragma omp parallel num_threads(2)
    (void)omp_get_thread_num();
  return NULL;
}

/* One process: its thread uses OpenMP for the first time while it forks after so many steps. */
static int first(int steps, void *how) {
  pthread_t thread;
  alarm(10);
  if (pthread_create(&thread, NULL, first_use, how)) return 1;
  while (!begun) continue;
  for (volatile int i = 0; i < steps; i++) continue;
  pid_t pid = fork();
  if (pid == 0) {
    alarm(5);
    int sum = 0;
    if (how && getenv("LIBOMP"))
      sum = 2; /* its own first use may hang the child */
    else
#pragma omp parallel num_threads(2) reduction(+ : sum)
      sum++;
    int value = region(1);
    if (sum != 2 || value != 2) printf("%d threads, region gives %d\n", sum, value), fflush(stdout);
    _exit(sum != 2 || value != 2);
  }
  int status = finish(pid);
  pthread_join(thread, NULL);
  if (status) printf("the child's status is %x\n", status), fflush(stdout);
  return status;
}

static int first_uses(void *how, int rounds) {
  for (int i = 0; i < rounds; i++) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) _exit(first(i * 97 % 60000, how) != 0);
    int status = finish(pid);
    if (status) return printf("after %d steps: status %x\n", i * 97 % 60000, status), 1;
  }
  return 0;
}

static atomic_int inside, together;

static void *enter(void *unused) {
#pragma omp critical(one)
  together |= ++inside > 1;
  inside--;
  return unused;
}

static int critical(void) {
  int wrong = 0;
#pragma omp parallel num_threads(2) /* host threads have been used */
  wrong += omp_get_num_threads() < 1;
#pragma omp critical(one)
  {
    pthread_t other;
    pthread_create(&other, NULL, busy, NULL); /* the process has threads */
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
      pthread_t thread;
      alarm(10);
      inside = 1;
      pthread_create(&thread, NULL, enter, NULL);
      usleep(50000);
      inside = 0;
      _exit(together);
    }
    wrong = finish(pid);
    stop = 1;
    pthread_join(other, NULL);
  }
  return wrong;
}

int main(int argc, char **argv) {
  int wrong = 1;
  switch (argc > 1 ? argv[1][0] : 0) {
  case 's':
    wrong = second_fork();
    break;
  case 'h':
    wrong = first_uses(NULL, 600);
    break;
  case 'd':
    wrong = first_uses(&wrong, 600);
    break;
  case 'c':
    wrong = critical();
    break;
  }
  puts(wrong ? "failed" : "ok");
  return wrong != 0;
}
