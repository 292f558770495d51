/* Orphaned constructs in regions inside a host parallel region and in target tasks. Each construct
 * must bind to the region's team of one thread and must not change the host's team or settings. */
#include <omp.h>
#include <stdio.h>

enum { N = 12 };

static int wrong;
static void check(const char *what, int is, int expected) {
  if (is == expected) return;
#pragma omp critical
  {
    printf("%s is %d, expected %d\n", what, is, expected);
    wrong = 1;
  }
}

#pragma omp declare target
static int loop_static(void) {
  int sum = 0;
#pragma omp for
  for (int i = 0; i < N; i++) sum += i;
  return sum;
}
static int loop_dynamic(void) {
  int sum = 0;
#pragma omp for schedule(dynamic, 2)
  for (int i = 0; i < N; i++) sum += i;
  return sum;
}
static int loop_ordered(void) {
  int sum = 0;
#pragma omp for ordered schedule(dynamic)
  for (int i = 0; i < N; i++) {
#pragma omp ordered
    sum = 2 * sum + 1;
  }
  return sum;
}
static int loop_doacross(void) {
  int sum = 0;
#pragma omp for ordered(1)
  for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
    sum += i;
#pragma omp ordered depend(source)
  }
  return sum;
}
static int sections(void) {
  int sum = 0;
#pragma omp sections
  {
    sum += 1;
#pragma omp section
    sum += 2;
#pragma omp section
    sum += 4;
  }
  return sum;
}
static int barrier(void) {
#pragma omp barrier
  return 7;
}
static int single(void) {
  int sum = 0;
#pragma omp single
  sum = 7;
  return sum;
}
static int masked(void) {
  int sum = 0;
#pragma omp masked
  sum = 7;
  return sum;
}
static int tasks(void) {
  int sum = 0;
#pragma omp task shared(sum)
  sum += omp_get_num_threads();
#pragma omp taskwait
  return sum;
}
static int group(void) {
  int sum = 0;
#pragma omp taskgroup
  for (int i = 0; i < 4; i++) {
#pragma omp task shared(sum)
    sum++;
  }
  return sum;
}
static int loop_of_tasks(void) {
  int sum = 0;
#pragma omp taskloop shared(sum) num_tasks(4)
  for (int i = 0; i < N; i++) sum++;
  return sum;
}
static int thread(void) {
  return omp_get_thread_num() * 100 + omp_get_num_threads();
}
static int final(void) {
  return omp_in_final();
}
static int setting(void) {
  omp_set_num_threads(5);
  omp_set_schedule(omp_sched_dynamic, 3);
  return omp_get_max_threads();
}
static int teams(void) {
  return omp_get_num_teams() * 10 + omp_get_team_num();
}
#pragma omp end declare target

#define KINDS(XX)                                                                                  \
  XX(loop_static, 66)                                                                              \
  XX(loop_dynamic, 66)                                                                             \
  XX(loop_ordered, 4095)                                                                           \
  XX(loop_doacross, 66)                                                                            \
  XX(sections, 7)                                                                                  \
  XX(barrier, 7)                                                                                   \
  XX(single, 7)                                                                                    \
  XX(masked, 7)                                                                                    \
  XX(tasks, 1)                                                                                     \
  XX(group, 4)                                                                                     \
  XX(loop_of_tasks, 12)                                                                            \
  XX(thread, 1)                                                                                    \
  XX(final, 0)                                                                                     \
  XX(setting, 5)                                                                                   \
  XX(teams, 10)

#define KIND(name, answer)                                                                         \
  static void region_##name(void) {                                                                \
    int r = -1, host = omp_get_thread_num();                                                       \
    _Pragma("omp target map(from : r)") r = name();                                                \
    check(#name, r, answer);                                                                       \
    check("host thread number after " #name, omp_get_thread_num(), host);                          \
  }                                                                                                \
  static void task_##name(void) {                                                                  \
    int r = -1;                                                                                    \
    _Pragma("omp target nowait map(tofrom : r)") r = name();                                       \
    _Pragma("omp taskwait") check(#name " in a target task", r, answer);                           \
  }
KINDS(KIND)

int main(void) {
#define REGION(name, answer) region_##name();
#define TASK(name, answer)   task_##name();
#pragma omp parallel num_threads(3)
  {
    KINDS(REGION)
    check("size of the host team", omp_get_num_threads(), 3);
    check("number of threads set on the host", omp_get_max_threads() == 5, 0);
  }
  /* one task at a time, because libomp fails with two tasks at once (host_orphans.c) */
  KINDS(TASK)
  check("level afterwards", omp_get_level(), 0);
  if (!wrong) printf("orphans correct\n");
  return wrong;
}
