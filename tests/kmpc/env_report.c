/* Prints the effect of the environment as lines "name value", which env.sh compares. */
#define _GNU_SOURCE
#include <dirent.h>
#include <limits.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int size_of_region(void) {
  int size = 0;
#pragma omp parallel
#pragma omp masked
  size = omp_get_num_threads();
  return size;
}

static void nested(void) {
  int size[3] = {0}, bind[3] = {0};
  bind[0] = (int)omp_get_proc_bind();
#pragma omp parallel
  if (omp_get_thread_num() == 0) {
    size[0] = omp_get_num_threads();
    bind[1] = (int)omp_get_proc_bind();
#pragma omp parallel
    if (omp_get_thread_num() == 0) {
      size[1] = omp_get_num_threads();
      bind[2] = (int)omp_get_proc_bind();
#pragma omp parallel
      if (omp_get_thread_num() == 0) size[2] = omp_get_num_threads();
    }
  }
  printf("nested %d,%d,%d\nbind %d,%d,%d\n", size[0], size[1], size[2], bind[0], bind[1], bind[2]);
}

/* Returns the state of the thread. ran: its processor time in clock ticks (proc(5), stat). */
static char state_of(const char *task, unsigned long *ran) {
  char path[300], text[300] = "", state = '?';
  unsigned long user = 0, kernel = 0;
  snprintf(path, sizeof path, "/proc/self/task/%s/stat", task);
  FILE *file = fopen(path, "r");
  if (!file) return '?';
  const char *behind_name = fgets(text, sizeof text, file) ? strrchr(text, ')') : NULL;
  fclose(file);
  if (behind_name)
    (void)sscanf(behind_name, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &user,
                 &kernel);
  *ran = user + kernel;
  return state;
}

/* Returns R (runnable) only if the thread has used 200 ms of processor time. A thread that is about
 * to sleep on a loaded machine is therefore not reported as spinning. */
static char final_state(const char *task) {
  const struct timespec pause = {0, 10000000};
  unsigned long ran = ULONG_MAX, most = (unsigned long)sysconf(_SC_CLK_TCK) / 5;
  char state = state_of(task, &ran);
  while (state == 'R' && ran < most) {
    nanosleep(&pause, NULL);
    state = state_of(task, &ran);
  }
  return state;
}

/* Prints the state of the worker 200 ms after its region: S if it sleeps, R if it is runnable. */
static void idle(void) {
  struct timespec pause = {0, 200000000};
  char own[20];
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  if (getenv("IDLE_ON_ONE")) sched_setaffinity(0, sizeof one, &one);
#pragma omp parallel num_threads(2)
  ;
  nanosleep(&pause, NULL);
  snprintf(own, sizeof own, "%d", (int)getpid());
  DIR *dir = opendir("/proc/self/task");
  for (struct dirent *e; (e = readdir(dir));)
    if (e->d_name[0] != '.' && strcmp(e->d_name, own) != 0)
      printf("idle %c\n", final_state(e->d_name));
  closedir(dir);
}

static void cancel(void) {
  int after = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp cancel parallel
#pragma omp atomic
    after++;
  }
  printf("after_cancel %d\n", after);
}

static void clause(void) {
  int place[2] = {0};
#pragma omp parallel num_threads(2) proc_bind(spread)
  place[omp_get_thread_num()] = omp_get_place_num();
  printf("clause %d,%d\n", place[0], place[1]);
}

static __attribute__((noinline)) int use_large_stack(void) {
  volatile char much[24 << 20];
  for (size_t i = 0; i < sizeof much; i += 4096) much[i] = 1;
  return much[4096];
}

static void stack(void) {
  int used = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) used = use_large_stack();
  printf("stack %d\n", used);
}

static int regions(int threads) {
  int count = 0;
#pragma omp parallel num_threads(threads) reduction(+ : count)
  count++;
  return count;
}

/* OMP_DISPLAY_AFFINITY prints 2 + 0 + 3 + 1 + 2 lines for these regions, and 1 + 1 lines for the
 * nested regions. */
static void changes(void) {
  int count = regions(2) + regions(2) + regions(3) + regions(1) + regions(2);
#pragma omp parallel num_threads(1) reduction(+ : count)
  count += regions(1);
  printf("changes %d\n", count);
}

static void teams(void) {
  int count = 0, threads = 0;
#pragma omp teams reduction(+ : count) reduction(max : threads)
  {
    count++;
#pragma omp parallel num_threads(8) reduction(max : threads)
    threads = omp_get_num_threads();
  }
  printf("teams %d\nteam_threads %d\n", count, threads);
}

/* Allocates 16 blocks of 600 bytes with the default allocator and prints their number and
 * alignment. */
static void allocator(void) {
  omp_allocator_handle_t handle = omp_get_default_allocator();
  unsigned low_bits = 0;
  int count = 0;
  for (int i = 0; i < 16; i++) {
    char *block = omp_alloc(600, omp_null_allocator);
    low_bits |= (unsigned)(uintptr_t)block;
    count += block != NULL;
    if (block) memset(block, 1, 600);
  }
  printf("predefined %d aligned %d blocks %d\n", handle == omp_default_mem_alloc,
         low_bits % 4096 == 0, count);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "numbers";
  if (strcmp(what, "nested") == 0) nested();
  if (strcmp(what, "idle") == 0) idle();
  if (strcmp(what, "cancel") == 0) cancel();
  if (strcmp(what, "clause") == 0) clause();
  if (strcmp(what, "stack") == 0) stack();
  if (strcmp(what, "changes") == 0) changes();
  if (strcmp(what, "teams") == 0) teams();
  if (strcmp(what, "allocator") == 0) allocator();
  if (strcmp(what, "region") == 0) printf("region %d\n", size_of_region());
  if (strcmp(what, "numbers") != 0) return 0;
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  printf("max_threads %d\nprocs %d\nlimit %d\nlevels %d\ndynamic %d\n", omp_get_max_threads(),
         omp_get_num_procs(), omp_get_thread_limit(), omp_get_max_active_levels(),
         omp_get_dynamic());
  printf("schedule %x,%d\ncancellation %d\npriority %d\ndevice %d\nallocator %lu\nplaces %d\n",
         (unsigned)kind, chunk, omp_get_cancellation(), omp_get_max_task_priority(),
         omp_get_default_device(), (unsigned long)omp_get_default_allocator(),
         omp_get_num_places());
  printf("max_teams %d\nteams_limit %d\nblocktime %d\nstacksize %zu\n", omp_get_max_teams(),
         omp_get_teams_thread_limit(), kmp_get_blocktime(), kmp_get_stacksize_s());
  return 0;
}
