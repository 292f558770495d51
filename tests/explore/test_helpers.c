/* Description: workers that help with the tasks of a finished region (abi/kmpc/team/worker_team.h): whoever looks for tasks
 * does so before the next region is described. Compiled with the two sides of it; what they call is a stand-in. */
#include "abi/kmpc/team/fork.c"
#include "abi/kmpc/team/worker.c"
#include "tests/explore/explore.h"

#include <string.h>

enum { REGIONS = 2 };
_Thread_local kmpc_thread solo_kmp_thread_record;
static kmpc_worker_team team;
static kmpc_worker worker;
static kmpc_worker *workers[] = {&worker};
static kmpc_thread self_of_worker;
static uint64_t
    record; /* of the team: written when a region is described, read by who looks for tasks */

int solo_kmp_spin(kmpc_backoff *backoff) {
  (void)backoff;
  solo_cpu_relax();
  return 1;
}
static int look_for_tasks(kmpc_thread *self, kmpc_look look) {
  (void)self, (void)look;
  (void)explore_read(&record);
  return 0;
}
static const kmpc_task_ops ops = {.run_one = look_for_tasks};
const kmpc_task_ops *_Atomic solo_kmp_task_ops = &ops;

static uint64_t fork_word(uint64_t sequence) {
  return sequence << 16 | 2;
}

/* Region 1, in which the worker took part, is over. */
static void begin(void) {
  memset(&team, 0, sizeof team);
  memset(&worker, 0, sizeof worker);
  memset(&self_of_worker, 0, sizeof self_of_worker);
  record = 0;
  team.worker = workers;
  team.workers = 1;
  team.team.size = 2;
  team.team.worker_team = &team;
  self_of_worker.worker = &worker;
  self_of_worker.context.team = &team.team;
  worker.seen = fork_word(1);
  solo_store_relaxed(&team.team.task_team, (void *)&team); /* nobody runs yet, as below */
  solo_store_relaxed(&team.work.fork, fork_word(1));
}

/* The regions behind it have tasks, too, and the worker is not in them. */
static void master(void) {
  for (uint64_t region = 1; region <= REGIONS; region++) {
    end_helping(&team, fork_word(region));
    explore_write(&record, region);
    solo_store_seq_cst(&team.work.fork, fork_word(region + 1)); /* as publish does */
  }
}

static void helper(void) {
  (void)worker_help(&self_of_worker, KMPC_LOOK_QUICK);
}

int main(int count, char **arguments) {
  static const explore_scenario late = {"a late helper", begin, {master, helper}, NULL, 4, 8};
  static const char *const bugs[] = {"end_helping/store", "has_no_helpers", "worker_help/load",
                                     "worker_help/store", NULL};
  explore_bounds(count, arguments);
  return explore_all(&late, bugs);
}
