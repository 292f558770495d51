/* The flat barrier: one word with the phase and the number of arrived threads. The last thread
 * waits until all tasks are done, then starts the next phase. A tree is slower with few threads
 * (bench/q_threads.c). */
#include "abi/kmpc/team/tree_sync.h"
#include "abi/kmpc/team/worker_team.h"

#include "abi/kmpc/team/cancellation.h"
#include "abi/kmpc/team/wait.h"

static uint32_t phase_of(uint64_t word) {
  return (uint32_t)(word >> 32);
}

typedef struct waiting {
  kmpc_worker_team *worker_team;
  uint32_t phase;
} waiting;

static int next_phase_has_begun(void *what) {
  const waiting *at = what;
  return phase_of(solo_load_acquire(&at->worker_team->barrier)) != at->phase ||
         solo_kmp_is_cancelled(&at->worker_team->team); /* pairs with solo_kmp_barrier */
}

static int tasks_are_done(void *what) {
  kmpc_team *team = what;
  return solo_kmp_is_cancelled(team) || solo_kmp_tasks_are_done(team);
}

static SOLO_NOINLINE void await_next_phase(kmpc_thread *self, kmpc_worker_team *worker_team,
                                           uint32_t phase) {
  waiting at = {worker_team, phase};
  solo_kmp_wait(self, &worker_team->team.eventcount, next_phase_has_begun, solo_kmp_help, &at);
}

static SOLO_COLD void await_tasks(kmpc_thread *self, kmpc_team *team) {
  solo_kmp_await(self, &team->eventcount, NULL, tasks_are_done, solo_kmp_help, team);
}

void solo_kmp_barrier(kmpc_thread *self) {
  kmpc_team *team = self->context.team;
  kmpc_worker_team *worker_team = team->worker_team;
  if (SOLO_UNLIKELY(!worker_team)) {
    if (SOLO_UNLIKELY(!solo_kmp_tasks_are_done(team))) solo_kmp_finish_tasks(self);
    return;
  }
  if (SOLO_UNLIKELY(worker_team->has_tree)) {
    solo_kmp_tree_barrier(self, worker_team);
    return;
  }
  /* Invariant: the last thread sees all stores that precede the barrier in each thread.
   * Ordering:  acq_rel: each addition pairs with the later ones in solo_kmp_barrier().
   * Otherwise: the next phase could begin without these stores.
   */
  uint64_t word = solo_add_acq_rel(&worker_team->barrier, 1);
  SOLO_ASSERT((uint32_t)word < (uint32_t)team->size || solo_kmp_is_cancelled(team),
              "more threads are in a barrier than in the team");
  uint32_t phase = phase_of(word);
  if ((uint32_t)word + 1 != (uint32_t)team->size) {
    await_next_phase(self, worker_team, phase);
    return;
  }
  if (SOLO_UNLIKELY(!tasks_are_done(team))) await_tasks(self, team);
  /* the join of a cancelled region resets the word (reset_after_cancellation) */
  if (SOLO_UNLIKELY(solo_kmp_is_cancelled(team))) return;
  /* Invariant: all threads have arrived and all tasks are done when the phase changes.
   * Ordering:  this store pairs with the acquire load in next_phase_has_begun().
   * Otherwise: results could be invisible after the barrier.
   */
  solo_store_seq_cst(&worker_team->barrier, (uint64_t)(phase + 1) << 32);
  solo_kmp_notify(&team->eventcount);
}

static int own_tasks_are_done(void *team) {
  return solo_kmp_tasks_are_done(team);
}

void solo_kmp_finish_tasks(kmpc_thread *self) {
  kmpc_team *team = self->context.team;
  solo_kmp_await(self, &team->eventcount, NULL, own_tasks_are_done, solo_kmp_help, team);
  solo_load_acquire(&solo_kmp_task_ops)->team_end(team); /* pairs with solo_kmp_tasks_begin */
}
