/* Description: checks that no thread exists before the first active region, that native threads can
 * be primary threads, and that regions work in a forked child.
 * Env: OMP_WAIT_POLICY=passive */
#include "tests/unit/test.h"
#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#if __has_feature(thread_sanitizer) /* ThreadSanitizer starts an additional thread */
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

static int threads_now(void) {
  int count = 0;
  DIR *dir = opendir("/proc/self/task");
  for (struct dirent *e; (e = readdir(dir));) count += e->d_name[0] != '.';
  closedir(dir);
  return count;
}

#if !SANITIZED
/* Allocates the resources of a thread without a team. They must be freed when the thread ends. */
static void *alone(void *argument) {
  int *count = argument, one = 1;
#pragma omp parallel if (!one)
  ++*count;
#pragma omp task depend(inout : one)
  ++*count;
#pragma omp taskwait
  return NULL;
}

static long resident_pages(void) {
  long size = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &size, &resident) != 2) resident = 0;
  if (file) fclose(file);
  return resident;
}

static void check_thread_resources(void) {
  long before = 0;
  int count = 0;
  for (int i = 0; i < 600; i++) {
    pthread_t thread;
    if (i == 100) before = resident_pages();
    pthread_create(&thread, NULL, alone, &count);
    pthread_join(thread, NULL);
  }
  CHECK_INT(count, 1200);
  CHECK(resident_pages() - before < 600);
}
#endif

static void *master(void *argument) {
  long *sum = argument;
  for (int k = 0; k < 200; k++) {
    long part = 0;
#pragma omp parallel for reduction(+ : part) num_threads(3)
    for (int i = 0; i < 100; i++) part += i;
    *sum += part;
  }
  return NULL;
}

int main(void) {
  int before = threads_now(), n = 0;
  omp_set_num_threads(atoi(getenv("OMP_NUM_THREADS")));
  CHECK(omp_get_max_threads() >= 1);
  double start = omp_get_wtime();
#pragma omp parallel if (0)
  n++;
#pragma omp parallel num_threads(1)
  n++;
#pragma omp teams num_teams(1)
  n++;
  CHECK(omp_get_wtime() >= start);
  CHECK_INT(n, 3);
  CHECK_INT(threads_now(), before);
#pragma omp parallel num_threads(3)
#pragma omp master
  n = omp_get_num_threads();
  CHECK(threads_now() == before + n - 1 || (SANITIZED && threads_now() == before + n));

  pthread_t others[4];
  long sums[4] = {0};
  for (int i = 0; i < 4; i++) pthread_create(&others[i], NULL, master, &sums[i]);
  long own = 0;
  master(&own);
  for (int i = 0; i < 4; i++) {
    pthread_join(others[i], NULL);
    CHECK_INT(sums[i], 200 * 4950);
  }
  CHECK_INT(own, 200 * 4950);
  int many = threads_now();
  for (int k = 0; k < 20; k++) { /* later threads reuse the workers of ended primary threads */
    pthread_create(&others[0], NULL, master, &sums[0]);
    pthread_join(others[0], NULL);
  }
  CHECK(threads_now() <= many + 2);
#if !SANITIZED
  check_thread_resources();
  pid_t child = fork();
  if (child == 0) {
    long sum = 0;
    master(&sum);
    _exit(sum != 200 * 4950);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK_INT(status, 0);
#endif
  return TEST_RESULT();
}
