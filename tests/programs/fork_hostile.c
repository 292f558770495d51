/* Description: forks at critical times: in a forked child, during another thread's first use of
 * OpenMP, and inside a critical section. alarm(2) ends a hang. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* waits of solo's fork handlers in this thread: the handlers call sched_yield */
static _Thread_local int yields;

int sched_yield(void) {
  yields++;
  return (int)syscall(SYS_sched_yield);
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

/* A child forks again. The parent had other threads that used the device. The child has one thread,
 * so its fork must not wait. */
static int again(int depth) {
  for (int i = 0; i < 5; i++) {
    fflush(NULL);
    yields = 0;
    pid_t pid = fork();
    if (pid == 0) {
      alarm(20);
      int wrong = omp_get_num_devices() != 1 || region(1) != 2 || (depth && again(depth - 1));
      _exit(wrong);
    }
    int waited = depth < 2 && yields;
    if (finish(pid)) return printf("depth %d: a child failed\n", depth), 1;
    if (waited) return printf("depth %d: fork waited %d times\n", depth, yields), 1;
  }
  return 0;
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

/* The main thread forks during another thread's first use of a device, after `steps` loop
 * iterations. */
static int first(int steps) {
  pthread_t thread;
  if (getenv("LIBOMP"))
    /* initializes libomp, because a fork during libomp's initialization may hang the child */
    (void)omp_get_default_device();
  alarm(60);
  if (pthread_create(&thread, NULL, first_use, &thread)) return 1;
  while (!begun) continue;
  for (volatile int i = 0; i < steps; i++) continue;
  pid_t pid = fork();
  if (pid == 0) {
    alarm(50);
    int sum = 0;
    if (getenv("LIBOMP"))
      sum = 2;
    else
#pragma omp parallel num_threads(2) reduction(+ : sum)
      sum++;
    int value = region(1);
    if (sum != 2 || value != 2)
      printf("%d threads, value %d from the region\n", sum, value), fflush(stdout);
    _exit(sum != 2 || value != 2);
  }
  int status = finish(pid);
  pthread_join(thread, NULL);
  if (status) printf("the child's status is %x\n", status), fflush(stdout);
  return status;
}

static int first_uses(int rounds) {
  for (int i = 0; i < rounds; i++) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) _exit(first(i * 291 % 60000) != 0);
    int status = finish(pid);
    if (status) return printf("fork after %d steps: child status %x\n", i * 291 % 60000, status), 1;
  }
  return 0;
}

/* Makes stderr a full pipe, so that a message blocks. */
static int fill_stderr(void) {
  int ends[2];
  char page[4096] = {0};
  if (pipe(ends) || fcntl(ends[1], F_SETFL, O_NONBLOCK)) return 1;
  while (write(ends[1], page, sizeof page) > 0) continue;
  return fcntl(ends[1], F_SETFL, 0) || dup2(ends[1], 2) < 0;
}

/* Returns whether the other thread sleeps. */
static int other_thread_sleeps(void) {
  int sleeping = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *task; tasks && (task = readdir(tasks));) {
    char path[300], state = 0;
    if (atoi(task->d_name) <= 0 || atoi(task->d_name) == getpid()) continue;
    snprintf(path, sizeof path, "/proc/self/task/%s/stat", task->d_name);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d %*s %c", &state) == 1) sleeping = state == 'S';
    if (file) fclose(file);
  }
  closedir(tasks);
  return sleeping;
}

/* Not inlined: the caller must not read settings, which a function with a parallel region does at
 * its beginning. */
static __attribute__((noinline)) int two_threads(void) {
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum++;
  return sum;
}

/* Forks while another thread reports a wrong setting and is blocked in write (fork_hostile.sh). The
 * child must not wait for that thread. */
static int fork_during_settings(void) {
  int with_libomp = getenv("LIBOMP") != NULL;
  pthread_t thread;
  alarm(20);
  if (fill_stderr() || pthread_create(&thread, NULL, first_use, with_libomp ? &with_libomp : NULL))
    return 1;
  for (int quiet = 0; quiet < 20; usleep(2000)) quiet = other_thread_sleeps() ? quiet + 1 : 0;
  pid_t pid = fork();
  if (pid == 0) {
    alarm(60);
    if (freopen("/dev/null", "w", stderr) == NULL) _exit(2);
    int sum = with_libomp ? 2 : two_threads();
    _exit(sum != 2 || region(1) != 2);
  }
  int status = finish(pid);
  if (status) printf("the child's status is %x\n", status);
  fflush(stdout);
  _exit(status != 0); /* the other thread never ends, so the process must not wait */
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
#pragma omp parallel num_threads(2)
  wrong += omp_get_num_threads() < 1;
#pragma omp critical(one)
  {
    pthread_t other;
    /* makes the process multithreaded, so that fork handlers must acquire locks */
    pthread_create(&other, NULL, busy, NULL);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
      pthread_t thread;
      alarm(60);
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
    wrong = fork_during_settings();
    break;
  case 'd':
    wrong = first_uses(200);
    break;
  case 'c':
    wrong = critical();
    break;
  }
  puts(wrong ? "failed" : "ok");
  return wrong != 0;
}
