/* Description: explores the barriers of abi/kmpc/team, flat and over a tree: a thread that has
 * passed a barrier observes all writes before it, and no thread sleeps forever. */
#include "abi/kmpc/team/barrier.c"
#define tasks_are_done tasks_of_tree_are_done /* both included sources define this name */
#include "abi/kmpc/team/tree_sync.c"
#include "tests/explore/explore.h"

#include <string.h>

enum { ROUNDS = 2 };

_Thread_local kmpc_thread solo_kmp_thread_record;
const kmpc_task_ops *_Atomic solo_kmp_task_ops;
static kmpc_config config = {.tree_above = 1, .tree_width = 2};
kmpc_config *solo_kmp_config(void) {
  return &config;
}
/* returns 0, so that a waiting thread sleeps immediately */
int solo_kmp_spin(kmpc_backoff *backoff) {
  (void)backoff;
  return 0;
}
void solo_kmp_await(kmpc_thread *self, kmpc_eventcount *event, kmpc_eventcount *team_event,
                    kmpc_is_over is_over, kmpc_help help, void *what) {
  (void)help;
  solo_kmp_wait_in_team(self, event, team_event, is_over, solo_kmp_no_help, what);
}
void solo_kmp_sleep_unless_over(kmpc_thread *self, kmpc_eventcount *event,
                                kmpc_eventcount *team_event, kmpc_is_over is_over, kmpc_help help,
                                void *what) {
  (void)help;
  solo_kmp_sleep_unless(self, event, team_event, is_over, solo_kmp_no_help, what);
}
const int32_t *solo_kmp_place_packages(void) {
  return NULL;
}
int32_t solo_kmp_procs(void) {
  return EXPLORE_THREADS;
}
uint64_t solo_now_ns(void) {
  return 0;
}
void solo_kmp_fatal(const char *format, ...) {
  (void)format;
  abort();
}

static kmpc_worker_team team;
static kmpc_worker worker[EXPLORE_THREADS];
static kmpc_worker *workers[EXPLORE_THREADS];
static kmpc_node *nodes[2 * EXPLORE_THREADS];
static kmpc_thread record[EXPLORE_THREADS];
static uint64_t cell[EXPLORE_THREADS];

static void begin_team(int size) {
  memset(&team, 0, sizeof team);
  memset(worker, 0, sizeof worker);
  memset(record, 0, sizeof record);
  memset(cell, 0, sizeof cell);
  team.team.size = size;
  team.team.worker_team = &team;
  team.master = &record[0];
  team.worker = workers;
  team.tree.order = nodes;
  team.tree.leader = nodes + EXPLORE_THREADS;
  solo_store_relaxed(&team.root.work.fork, 1 << 16 | (uint64_t)size);
  for (int i = 0; i < size; i++) {
    workers[i] = &worker[i];
    solo_store_relaxed(&worker[i].node.work.fork, 1 << 16 | (uint64_t)size);
    record[i].context.team = &team.team;
    record[i].context.tid = i;
    record[i].worker = i ? &worker[i - 1] : NULL;
  }
}

static void begin_flat(void) {
  begin_team(2);
}

/* The last thread begins in phase 1, and the primary thread in phase 2. */
static void begin_flat_with_stall(void) {
  begin_team(2);
  team.primary_turns = 1;
}

static void begin_flat_of_primary(void) {
  begin_team(2);
  solo_store_relaxed(&team.barrier, KMPC_PRIMARY_BEGINS);
  team.primary_turns = ROUNDS;
}

static void begin_tree(void) {
  begin_team(3);
  team.has_tree = 1;
  solo_kmp_tree_make(&team, 3, NULL);
}

static void begin_small_tree(void) {
  begin_team(2);
  team.has_tree = 1;
  solo_kmp_tree_make(&team, 2, NULL);
}

static void meet(int rounds) {
  int me = explore_self();
  for (int round = 1; round <= rounds; round++) {
    explore_write(&cell[me], (uint64_t)round);
    solo_kmp_barrier(&record[me]);
    for (int i = 0; i < team.team.size; i++)
      explore_check(explore_read(&cell[i]) == (uint64_t)round,
                    "a write before the barrier is not visible after it");
    if (round < rounds) solo_kmp_barrier(&record[me]);
  }
}

static void pass_barrier(void) {
  meet(1);
}

static void pass_barriers(void) {
  meet(ROUNDS);
}

int main(int count, char **arguments) {
  static const explore_scenario flat = {
      "flat, two threads", begin_flat, {pass_barriers, pass_barriers}, NULL, 1, 2};
  static const explore_scenario stalled = {
      "flat, after a stall", begin_flat_with_stall, {pass_barriers, pass_barriers}, NULL, 1, 2};
  static const explore_scenario primary = {"flat, primary thread begins",
                                           begin_flat_of_primary,
                                           {pass_barriers, pass_barriers},
                                           NULL,
                                           1,
                                           2};
  static const explore_scenario small = {
      "tree, two threads", begin_small_tree, {pass_barriers, pass_barriers}, NULL, 1, 1};
  static const explore_scenario tree = {
      "tree, three threads", begin_tree, {pass_barrier, pass_barrier, pass_barrier}, NULL, 1, 1};
  static const char *const flat_bugs[] = {"solo_kmp_barrier", "next_phase_has_begun", NULL};
  static const char *const primary_bugs[] = {"solo_kmp_barrier", "next_phase_has_begun",
                                             "all_have_arrived",
                                             "solo_kmp_publish_and_notify+solo_kmp_notify", NULL};
  static const char *const tree_bugs[] = {"send_up", "send_down", "is_released", "notify_children",
                                          NULL};
  static const char *const none[] = {NULL};
  explore_bounds(count, arguments);
  return explore_all(&flat, flat_bugs) + explore_all(&stalled, flat_bugs) +
         explore_all(&primary, primary_bugs) + explore_all(&small, tree_bugs) +
         explore_all(&tree, none);
}
