/* The question `scale`: transfers of cache lines (model.h) of constructs with 2 to 512 threads.
 *
 *   scale                          all designs
 *   scale --model DESIGN [--quick] lines for solo-bench
 *   scale [--near NS] [--above N] --one DESIGN CONSTRUCT THREADS
 *                                  one result; NS per transfer, trees above N threads
 *   scale --check [THREADS]        exit status 1: missed goal
 *
 * Designs: solo, flat (solo without trees), hyper (libomp), central (libgomp).
 */
#define _GNU_SOURCE
#include "abi/kmpc/env/icv.h"
#include "bench/coherence/peers.h"
#include "bench/coherence/threads.h"
#include "runtime/backend.h"
#include "runtime/host_threads.h"

#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WARM = 3, SOLO, FLAT, HYPER, CENTRAL, DESIGNS };
enum { FORK_JOIN, BARRIER, REDUCTION, TARGET, LEAGUE, TASKS, LOOP, CONSTRUCTS };
static const char *const design_name[] = {
    [SOLO] = "solo", [FLAT] = "flat", [HYPER] = "hyper", [CENTRAL] = "central"};
static const char *const construct_name[] = {
    [FORK_JOIN] = "forkjoin", [BARRIER] = "barrier", [REDUCTION] = "reduction", [TARGET] = "target",
    [LEAGUE] = "league",      [TASKS] = "tasks",     [LOOP] = "dynamic"};

static tally result;
static double sum;

static void fork_join(int size) {
  for (int i = 0; i <= WARM; i++) {
    measure_begin();
#pragma omp parallel num_threads(size)
    __asm__ volatile("");
    result = measure_end();
  }
}

static void barrier(int size) {
#pragma omp parallel num_threads(size)
  for (int i = 0; i <= WARM; i++) {
    measure_begin_together(size);
#pragma omp barrier
    tally t = measure_end_together(size);
    if (omp_get_thread_num() == 0) result = t;
  }
}

static void reduction(int size) {
  for (int i = 0; i <= WARM; i++) {
    measure_begin();
#pragma omp parallel num_threads(size) reduction(+ : sum)
    sum += 1;
    result = measure_end();
  }
}

static void begin_target(solo_target_frame *frame) {
  static const solo_launch_record launch = {0};
  static const solo_target_call call = {.launch = &launch};
  solo_host_threads.enter_target(frame, 0, &call);
}

static void target(int size) {
  solo_target_frame frame;
  for (int i = 0; i <= WARM; i++) {
    begin_target(&frame);
    measure_begin();
#pragma omp parallel num_threads(size)
    __asm__ volatile("");
    result = measure_end();
    solo_host_threads.leave_target(&frame);
  }
}

/* target teams distribute parallel for, teams of one thread */
static void league(int size) {
  solo_target_frame frame;
  for (int i = 0; i <= WARM; i++) {
    begin_target(&frame);
    measure_begin();
#pragma omp teams distribute parallel for num_teams(size) thread_limit(1)
    for (int k = 0; k < size; k++) __asm__ volatile("");
    result = measure_end();
    solo_host_threads.leave_target(&frame);
  }
}

static void tasks(int size) {
#pragma omp parallel num_threads(size)
#pragma omp single
  for (int i = 0; i <= WARM; i++) {
    measure_begin();
#pragma omp taskgroup
    for (int k = 0; k < size; k++) {
#pragma omp task
      __asm__ volatile("");
    }
    result = measure_end();
  }
}

static void loop(int size) {
#pragma omp parallel num_threads(size)
  for (int i = 0; i <= WARM; i++) {
    measure_begin_together(size);
#pragma omp for schedule(dynamic, 1)
    for (int k = 0; k < 4 * size; k++) {
    }
    tally t = measure_end_together(size);
    if (omp_get_thread_num() == 0) result = t;
  }
}

typedef struct peer_run {
  const peer *peer;
  int construct, size, number;
} peer_run;

static void run_peer_tasks(const peer_run *run) {
  for (int i = 0; i <= WARM; i++) {
    measure_begin_together(run->size);
    if (run->number) {
      peer_tasks_help(run->number, run->size);
    } else {
      peer_tasks_create(run->size);
      result = measure_end();
      peer_tasks_end();
    }
    (void)measure_end_together(run->size);
  }
}

static void *run_peer(void *argument) {
  const peer_run *run = argument;
  if (run->construct == TASKS) {
    run_peer_tasks(run);
    return NULL;
  }
  for (int i = 0; i <= WARM; i++) {
    if (run->construct == BARRIER || run->construct == LOOP) {
      measure_begin_together(run->size);
      if (run->construct == LOOP) run->peer->loop(run->size, 4 * run->size);
      run->peer->barrier(run->number, run->size);
      tally t = measure_end_together(run->size);
      if (run->number == 0) result = t;
      continue;
    }
    if (run->number == 0) measure_begin();
    run->peer->fork(run->number, run->size);
    if (run->construct == REDUCTION) run->peer->reduce(run->number, run->size);
    run->peer->join(run->number, run->size);
    if (run->number == 0) result = measure_end();
  }
  return NULL;
}

static void start_peers(const peer *design, int construct, int size) {
  static peer_run run[CORES_MAX];
  pthread_t thread;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 1 << 16);
  for (int i = 0; i < size; i++) run[i] = (peer_run){design, construct, size, i};
  for (int i = 1; i < size; i++)
    if (pthread_create(&thread, &small, run_peer, &run[i]) != 0) exit(1);
  run_peer(&run[0]);
}

static int tree_above; /* 0: the library's default */

static void run_here(int design, int construct, int size) {
  static void (*const own[])(int) = {fork_join, barrier, reduction, target, league, tasks, loop};
  threads_begin();
  if (design == HYPER || design == CENTRAL) {
    start_peers(design == HYPER ? &peer_hyper : &peer_central, construct, size);
    return;
  }
  /* Threads must not sleep: the simulated clock jumps during waits. */
  solo_kmp_config()->blocktime_ns = UINT64_MAX;
  if (design == FLAT) tree_above = CORES_MAX;
  if (tree_above) solo_kmp_config()->tree_above = tree_above;
  own[construct](size);
}

static tally measure(int design, int construct, int size) {
  int ends[2];
  tally t = {0};
  if (pipe(ends) != 0) return t;
  pid_t child = fork();
  if (child == 0) {
    run_here(design, construct, size);
    _exit(write(ends[1], &result, sizeof result) != sizeof result);
  }
  close(ends[1]);
  if (child < 0 || read(ends[0], &t, sizeof t) != sizeof t) t.chain = UINT32_MAX;
  close(ends[0]);
  if (child > 0) waitpid(child, NULL, 0);
  return t;
}

/* One thread creates an empty task per thread. Each steal moves the task's record and the deque, so
 * the chain is linear. If each thread scanned all others, the chain would be quadratic. Limits per
 * task, and of the chain: */
enum { TASK_TRANSFERS = 24, TASK_CHAIN = 3, TASK_CHAIN_LEAST = 16, TASKS_PEER_MOST = 128 };

/* Not modelled: tasks of central, and libomp's dynamic loop, which works like solo's. */
static int is_measured(int design, int construct, int size) {
  if (construct == LEAGUE && design == FLAT)
    return size <= 256; /* n^2: each thread scans all others */
  if (construct <= LEAGUE) return 1;
  if (design == HYPER) return construct == TASKS && size <= TASKS_PEER_MOST; /* n^2 */
  if (design == CENTRAL) return construct == LOOP;
  return design == SOLO && (construct == TASKS || size <= 256); /* n^2 */
}

/* ceil(2 log4(n)) + 4 */
static uint32_t goal(int size) {
  uint32_t bits = 0;
  while (1 << bits < size) bits++;
  return bits + 4;
}

/* A region with a reduction traverses the tree twice. */
static uint32_t goal_of(int construct, int size) {
  return construct == REDUCTION ? 2 * goal(size) : goal(size);
}

static int number_of(const char *name, const char *const *names, int count) {
  for (int i = 0; i < count; i++)
    if (names[i] && !strcmp(name, names[i])) return i;
  fprintf(stderr, "scale: unknown design or construct: %s\n", name);
  exit(2);
}

static void print_one(char **argument) {
  run_here(number_of(argument[0], design_name, DESIGNS),
           number_of(argument[1], construct_name, CONSTRUCTS), atoi(argument[2]));
  printf("chain %u, %lu transfers (%lu upgrades), %.0f ns\n", result.chain,
         (unsigned long)result.transfers, (unsigned long)result.upgrades, result.ns);
}

static void print_table(void) {
  printf("chain: longest sequence of dependent transfers; all: transfers (including upgrades); "
         "ns: simulated time\n"
         "(%g ns within a package of %d cores, %g ns between packages)\n\n",
         the_machine.near_ns, the_machine.per_package, the_machine.far_ns);
  printf("%-10s %7s %-8s %7s %7s %9s %9s %9s\n", "construct", "threads", "design", "chain", "goal",
         "all", "upgrades", "ns");
  for (int construct = 0; construct < CONSTRUCTS; construct++)
    for (int size = 2; size <= CORES_MAX; size *= 2)
      for (int design = SOLO; design < DESIGNS; design++) {
        if (!is_measured(design, construct, size)) continue;
        tally t = measure(design, construct, size);
        char wanted[16] = "";
        if (construct <= LEAGUE && design == SOLO)
          snprintf(wanted, sizeof wanted, "%u", goal_of(construct, size));
        printf("%-10s %7d %-8s %7u %7s %9lu %9lu %9.0f\n", construct_name[construct], size,
               design_name[design], t.chain, wanted, (unsigned long)t.transfers,
               (unsigned long)t.upgrades, t.ns);
        fflush(stdout);
      }
}

static void print_lines(int design, int most, const char *only) {
  static const int sizes[] = {8, 32, 128, 512};
  for (int construct = FORK_JOIN; construct <= TASKS; construct++)
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      char name[64];
      if (sizes[i] > most || !is_measured(design, construct, sizes[i])) continue;
      snprintf(name, sizeof name, "scale/%s_%d", construct_name[construct], sizes[i]);
      if (strncmp(name, only, strlen(only)) != 0) continue;
      tally t = measure(design, construct, sizes[i]);
      printf("%s.chain lines %u\n%s.all lines %lu\n%s.model ns %.0f\n", name, t.chain, name,
             (unsigned long)t.transfers, name, t.ns);
    }
}

static int check_tasks(int size) {
  tally own = measure(SOLO, TASKS, size), libomp = {.chain = UINT32_MAX};
  uint32_t most = (uint32_t)(TASK_CHAIN * size + TASK_CHAIN_LEAST);
  if (size <= TASKS_PEER_MOST) libomp = measure(HYPER, TASKS, size);
  int is_met = own.chain <= most && own.chain <= libomp.chain &&
               own.transfers <= TASK_TRANSFERS * (uint64_t)size;
  printf("tasks with %d threads: chain %u (goal %u, libomp's design %d), %lu transfers: %s\n", size,
         own.chain, most, (int)libomp.chain, (unsigned long)own.transfers,
         is_met ? "met" : "MISSED");
  return is_met;
}

static int check(int most_threads) {
  static const int sizes[] = {9, 16, 33, 64, 128, 256, 512};
  int wrong = 0;
  size_t count = 0;
  while (count < sizeof sizes / sizeof sizes[0] && sizes[count] <= most_threads) count++;
  for (size_t i = 0; i < count; i++) wrong += !check_tasks(sizes[i]);
  for (int construct = FORK_JOIN; construct <= LEAGUE; construct++)
    for (size_t i = 0; i < count; i++) {
      int size = sizes[i];
      uint64_t most = construct == REDUCTION ? 10 : 4; /* transfers per thread */
      tally own = measure(SOLO, construct, size), libomp = measure(HYPER, construct, size);
      int is_met = own.chain <= libomp.chain && own.transfers <= most * (uint64_t)size;
      if (size == 64 || size == 128) is_met &= own.chain <= goal_of(construct, size);
      wrong += !is_met;
      printf("%s with %d threads: chain %u (goal %u, libomp's design %u), %lu transfers: %s\n",
             construct_name[construct], size, own.chain, goal_of(construct, size), libomp.chain,
             (unsigned long)own.transfers, is_met ? "met" : "MISSED");
    }
  return wrong != 0;
}

int main(int argc, char **argv) {
  int design = 0, most = CORES_MAX;
  const char *only = "";
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--pairs")) the_machine.line_bytes = 128;
    if (!strcmp(argv[i], "--check")) return check(i + 1 < argc ? atoi(argv[i + 1]) : most);
    if (!strcmp(argv[i], "--quick")) most = 128;
    if (!strcmp(argv[i], "--near") && i + 1 < argc) the_machine.near_ns = atof(argv[++i]);
    if (!strcmp(argv[i], "--above") && i + 1 < argc) tree_above = atoi(argv[++i]);
    if (!strcmp(argv[i], "--only") && i + 1 < argc) only = argv[++i];
    if (!strcmp(argv[i], "--model") && i + 1 < argc)
      design = number_of(argv[++i], design_name, DESIGNS);
    if (!strcmp(argv[i], "--one") && i + 3 < argc) {
      print_one(&argv[i + 1]);
      fflush(stdout);
      _exit(0);
    }
  }
  if (design)
    print_lines(design, most, only);
  else
    print_table();
  return 0;
}
