/* Checks a joined worker team, in builds for tests. */
#include "abi/kmpc/team/worker_team.h"
#include "runtime/base/assert.h"

#ifdef SOLO_CHECK
static const char *check_slots(kmpc_loop_slot *slots) {
  for (uint32_t i = 0; i < KMPC_LOOP_SLOTS; i++) { /* relaxed, all: the worker team is idle */
    if (solo_load_relaxed(&slots[i].turn) != i) return "a loop slot is not at its first turn";
    if (solo_load_relaxed(&slots[i].state) != KMPC_SLOT_FREE) return "a loop slot is not free";
    if (solo_load_relaxed(&slots[i].left)) return "a loop slot still counts threads";
    if (solo_load_relaxed(&slots[i].flags)) return "a doacross loop has not freed its flags";
  }
  return NULL;
}

static const char *check_workers(const kmpc_worker_team *worker_team) {
  /* relaxed: own writes */
  uint64_t sequence = solo_load_relaxed(&worker_team->root.work.fork) >> 16;
  for (int32_t i = 0; i < worker_team->workers; i++) {
    kmpc_worker *worker = worker_team->worker[i];
    if (worker->tid != i + 1) return "a worker has a wrong thread number";
    if (solo_load_relaxed(&worker->worker_team) != worker_team)
      return "a worker refers to another worker team";
    if (solo_load_relaxed(&worker->claimed) > sequence)
      return "a worker has claimed a part of a later region";
  }
  return NULL;
}

const char *solo_kmp_team_check(kmpc_worker_team *worker_team) {
  kmpc_team *team = &worker_team->team;
  if (team->size < 2 || team->size > worker_team->workers + 1)
    return "a team has fewer than 2 threads, or more than its workers and primary thread";
  if (worker_team->workers > worker_team->capacity)
    return "a worker team has more workers than its capacity";
  /* relaxed: all threads have joined */
  if (solo_load_relaxed(&worker_team->arrived))
    return "a thread arrived twice at the end of a region";
  /* `helping` is not checked: a late worker may set it shortly after the join */
  if (solo_load_relaxed(&worker_team->barrier) & KMPC_ARRIVED_MASK)
    return "a barrier of a joined region still counts threads";
  const char *what = check_slots(worker_team->loops);
  if (!what) what = check_slots(worker_team->crosses);
  if (!what) what = check_workers(worker_team);
  if (!what && solo_load_relaxed(&team->task_team))
    what = solo_load_acquire(&solo_kmp_task_ops)->check(team); /* pairs with solo_kmp_tasks_begin */
  return what;
}
#else
typedef int solo_kmp_team_check_is_off;
#endif
