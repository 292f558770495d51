/* Description: checks that no wait of a team misses its wake-up. A native thread fulfils each
 * detachable task 0 to 400 pause instructions after it was posted, so the wake-up occurs at any
 * point between a waiting thread's last check and its sleep. For each waiting policy, three copies
 * of the program run concurrently, for WAIT_STRESS_SECONDS.
 * Flags: -fopenmp-version=51 */
#include "runtime/base/atomic.h"
#include "tests/kmpc/task_test.h"
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COPIES = 3, RING = 256, PAUSES = 401, SECONDS_UNTIL_HUNG = 30, REGIONS_PER_LOOK = 16 };

static omp_event_handle_t _Atomic ring[RING]; /* 0: the slot is free */
static _Atomic uint32_t posted;
static _Atomic int stop;

static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static void *fulfiller(void *seed) {
  uint32_t random = (uint32_t)(uintptr_t)seed;
  for (uint32_t taken = 0;;) {
    /* pairs with the release store in post() */
    omp_event_handle_t event = solo_load_acquire(&ring[taken % RING]);
    if (!event) {
      if (solo_load_acquire(&stop)) return NULL; /* pairs with the release store in copy() */
      if (taken % 8)
        solo_cpu_relax();
      else
        sched_yield();
      continue;
    }
    solo_store_release(&ring[taken++ % RING], 0); /* pairs with the acquire load in post() */
    for (uint32_t pauses = next_random(&random) % PAUSES; pauses; pauses--) solo_cpu_relax();
    omp_fulfill_event(event);
  }
}

static void post(omp_event_handle_t event) {
  uint32_t place = solo_add_relaxed(&posted, 1) % RING;
  /* pairs with the release store in fulfiller() */
  while (solo_load_acquire(&ring[place])) sched_yield();
  solo_store_release(&ring[place], event); /* pairs with the acquire load in fulfiller() */
}

static int wrong;

static void post_one(void) {
  omp_event_handle_t event = 0;
#pragma omp task detach(event)
  post(event);
}

static void end_of_region(int threads) {
#pragma omp parallel num_threads(threads)
  post_one();
}

static void end_of_single(int threads) {
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int i = 0; i < threads; i++) post_one();
}

static void in_barrier(int threads) {
#pragma omp parallel num_threads(threads)
  {
    if (omp_get_thread_num() == 0) post_one();
#pragma omp barrier
    if (omp_get_thread_num() == omp_get_num_threads() - 1) post_one();
#pragma omp barrier
  }
}

static void in_taskgroup(int threads) {
#pragma omp parallel num_threads(threads)
#pragma omp taskgroup
  post_one();
}

static void in_taskwait(int threads) {
#pragma omp parallel num_threads(threads)
  {
    post_one();
#pragma omp taskwait
  }
}

static void in_dependence(int threads) {
#pragma omp parallel num_threads(threads)
  {
    int x = 0;
    omp_event_handle_t event = 0;
#pragma omp task detach(event) depend(out : x)
    post(event);
#pragma omp task depend(inout : x) shared(x)
    x++;
#pragma omp taskwait depend(in : x)
    if (x != 1) {
#pragma omp atomic
      wrong++;
    }
  }
}

static const struct {
  const char *name;
  void (*run)(int threads);
} waits[] = {
    {"the end of a region", end_of_region},
    {"the end of a single", end_of_single},
    {"a barrier", in_barrier},
    {"a taskgroup", in_taskgroup},
    {"a taskwait", in_taskwait},
    {"a wait for a dependence", in_dependence},
};
enum { WAITS = sizeof waits / sizeof waits[0] };

static const char *volatile now_waits = "the start";
static const char *policy;

static void hung(int signal) {
  static const char *volatile part[6];
  (void)signal;
  part[0] = "hung in ", part[1] = now_waits, part[2] = ", policy ", part[3] = policy,
  part[4] = "\n";
  for (int i = 0; part[i]; i++)
    if (write(STDERR_FILENO, part[i], strlen(part[i])) < 0) break;
  _exit(1);
}

static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int copy(const char *name, double seconds, int number) {
  policy = name;
  signal(SIGALRM, hung);
  pthread_t thread;
  pthread_create(&thread, NULL, fulfiller, (void *)(uintptr_t)(number + getpid()));
  int most = omp_get_max_threads();
  long regions = 0;
  for (int64_t end = now_ms() + (int64_t)(1000 * seconds); now_ms() < end;) {
    alarm(SECONDS_UNTIL_HUNG);
    for (int i = 0; i < REGIONS_PER_LOOK; i++, regions++) {
      size_t which = i % 2 ? (size_t)regions % WAITS : 0;
      now_waits = waits[which].name;
      /* mostly one thread, because another thread of the team could wake the waiting thread */
      waits[which].run(i % 4 ? 1 : most);
    }
  }
  solo_store_release(&stop, 1); /* pairs with the acquire load in fulfiller() */
  pthread_join(thread, NULL);
  if (getenv("WAIT_STRESS_VERBOSE")) printf("%s: %ld regions\n", name, regions);
  CHECK_INT(wrong, 0);
  return TEST_RESULT();
}

static const struct {
  const char *name, *variable, *value;
} policies[] = {
    {"active", "OMP_WAIT_POLICY", "active"},
    {"passive", "OMP_WAIT_POLICY", "passive"},
    {"blocktime 0", "KMP_BLOCKTIME", "0"},
};

static pid_t start_copy(const char *program, int which, int number) {
  char text[16];
  snprintf(text, sizeof text, "%d", number);
  pid_t child = fork();
  if (child) return child;
  setenv(policies[which].variable, policies[which].value, 1);
  execl("/proc/self/exe", program, policies[which].name, text, (char *)NULL);
  _exit(2);
}

int main(int count, char **argument) {
  const char *asked = getenv("WAIT_STRESS_SECONDS");
  double seconds = asked ? atof(asked) : 0.1;
  if (count == 3) return copy(argument[1], seconds, atoi(argument[2]));
  for (size_t which = 0; which < sizeof policies / sizeof policies[0]; which++) {
    pid_t child[COPIES];
    for (int i = 0; i < COPIES; i++) child[i] = start_copy(argument[0], (int)which, i);
    for (int i = 0; i < COPIES; i++) {
      int status = -1;
      CHECK(child[i] > 0 && waitpid(child[i], &status, 0) == child[i]);
      CHECK_INT(status, 0);
    }
  }
  return TEST_RESULT();
}
