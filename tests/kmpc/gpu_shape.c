/* Description: checks results and thread counts of leagues and teams of the size that GPUs use.
 *
 *   gpu_shape CASE THREADS...
 *
 * The variable PROCESSORS is the simulated number of processors. pthread_create fails after
 * REFUSED_AFTER threads.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int made; /* number of existing threads, without the initial thread */

static int setting(const char *name, int otherwise) {
  const char *text = getenv(name);
  return text ? atoi(text) : otherwise;
}

typedef void *thread_main(void *);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, thread_main *run,
                          void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, thread_main *run,
                          void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, thread_main *run,
                          void *argument) {
  if (__atomic_add_fetch(&made, 1, __ATOMIC_RELAXED) > setting("REFUSED_AFTER", 2000))
    return EAGAIN;
  return __real_pthread_create(thread, attributes, run, argument);
}

int __wrap_sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *mask);
int __wrap_sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *mask) {
  (void)process;
  memset(mask, 0, bytes);
  for (int i = 0; i < setting("PROCESSORS", 2); i++) ((unsigned char *)mask)[i / 8] |= 1 << i % 8;
  return 0;
}

static int wrong;
static void check(const char *what, long is, long expected) {
  if (is == expected) return;
  printf("%s is %ld, expected %ld\n", what, is, expected);
  wrong = 1;
}

enum { TEAMS = 1024, WORK = 300 };

static void rows(int threads) {
  static double sum[TEAMS];
  int teams = 0;
#pragma omp target teams distribute num_teams(TEAMS) thread_limit(threads) map(from                \
                                                                               : sum) map(tofrom   \
                                                                                          : teams)
  for (int i = 0; i < TEAMS; i++) {
    double s = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : s)
    for (int k = 0; k < WORK; k++) s += k + i;
    sum[i] = s;
    if (i == 0) teams = omp_get_num_teams();
  }
  check("teams", teams, TEAMS);
  for (int i = 0; i < TEAMS; i++)
    check("sum of a row", (long)sum[i], (long)WORK * i + WORK * (WORK - 1) / 2);
}

static void square(int number) {
  int seen[1024] = {0}, parts[1024] = {0}, sizes[1024] = {0}, teams = 0, limit = 0;
#pragma omp target teams num_teams(number) map(tofrom : seen, parts, sizes, teams, limit)
  {
    int team = omp_get_team_num();
    seen[team]++;
    if (team == 0) teams = omp_get_num_teams(), limit = omp_get_thread_limit();
#pragma omp parallel num_threads(number)
    {
#pragma omp atomic
      parts[team]++;
      if (omp_get_thread_num() == 0) sizes[team] = omp_get_num_threads();
    }
  }
  check("teams", teams, number);
  for (int i = 0; i < number; i++) {
    check("runs of a team", seen[i], 1);
    check("threads that took part", parts[i], sizes[i]);
  }
  printf("%d teams of up to %d threads, limit %d\n", teams, sizes[0], limit);
}

/* Computes the sum, then twice after rows() has overwritten the stack. */
static void sum(int teams) {
  for (int round = 1; round <= 3; round++) {
    long total = 0;
#pragma omp target teams distribute parallel for num_teams(teams) reduction(+ : total)
    for (int i = 0; i < TEAMS; i++) total += i;
    check("sum of a league", total, (long)TEAMS * (TEAMS - 1) / 2);
    rows(round);
  }
}

static int plain(int threads) {
  int size = 0, parts = 0;
#pragma omp target map(tofrom : size, parts)
#pragma omp parallel num_threads(threads)
  {
#pragma omp atomic
    parts++;
#pragma omp masked
    size = omp_get_num_threads();
  }
  check("threads that took part", parts, size);
  return size;
}

static void inside(int threads) {
#pragma omp parallel num_threads(threads)
  for (int i = 0; i < 4; i++) plain(256);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "rows";
  int number = argc > 2 ? atoi(argv[2]) : 256;
  if (!strcmp(what, "rows")) rows(number);
  if (!strcmp(what, "square")) square(number);
  if (!strcmp(what, "sum")) sum(number);
  if (!strcmp(what, "plain")) printf("%d threads\n", plain(number));
  if (!strcmp(what, "inside")) inside(number);
  printf("made %d\n", made + 1);
  return wrong;
}
