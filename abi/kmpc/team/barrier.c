/* The barrier of a team: one word, phase and count, flat.
 *
 * Whoever comes last waits until no task of the team is unfinished (the others help), then starts
 * the next phase. On few processors one line that goes round beats a tree (bench/q_threads.c).
 */
#include "abi/kmpc/team/worker_team.h"

#include "abi/kmpc/team/cancel.h"

static uint32_t phase_of(uint64_t word) {
  return (uint32_t)(word >> 32);
}

static int tasks_done(kmpc_team *team) {
  if (SOLO_LIKELY(!solo_load_acquire(&team->task_team))) return 1; /* pairs with task.c */
  return solo_load_acquire(&solo_kmp_task_ops)->all_done(team);    /* pairs with task.c */
}

/* May the thread go on? The last one: when the tasks are done; the others: in the next phase. */
static int may_go(kmpc_worker_team *worker_team, uint32_t phase, int is_last) {
  if (solo_kmp_is_cancelled(&worker_team->team)) return 1;
  if (is_last) return tasks_done(&worker_team->team);
  return phase_of(solo_load_seq_cst(&worker_team->barrier)) != phase; /* pairs with release below */
}

static void wait(kmpc_thread *self, kmpc_worker_team *worker_team, uint32_t phase, int is_last) {
  kmpc_eventcount *event = &worker_team->team.event;
  kmpc_backoff backoff = {0};
  while (!may_go(worker_team, phase, is_last)) {
    if (solo_kmp_help(self)) {
      backoff.round = 0;
      continue;
    }
    if (SOLO_LIKELY(solo_kmp_spin(&backoff))) continue;
    uint32_t key = solo_kmp_event_prepare(event);
    if (may_go(worker_team, phase, is_last) || solo_kmp_help(self))
      solo_kmp_event_cancel(event);
    else
      solo_kmp_event_sleep(event, key);
  }
}

void solo_kmp_barrier(kmpc_thread *self) {
  kmpc_team *team = self->context.team;
  kmpc_worker_team *worker_team = team->worker_team;
  if (SOLO_UNLIKELY(!worker_team)) {
    if (SOLO_UNLIKELY(!tasks_done(team))) solo_kmp_finish_tasks(self);
    return;
  }
  /* pairs with the release below of the last and with wait: what was before the barrier anywhere
   * is before what is after it anywhere */
  uint64_t word = solo_add_acq_rel(&worker_team->barrier, 1);
  uint32_t phase = phase_of(word);
  if ((uint32_t)word + 1 != (uint32_t)team->size) {
    wait(self, worker_team, phase, 0);
    return;
  }
  wait(self, worker_team, phase, 1);
  if (SOLO_UNLIKELY(solo_kmp_is_cancelled(team))) return; /* join puts the word right */
  solo_store_seq_cst(&worker_team->barrier, (uint64_t)(phase + 1) << 32); /* pairs with may_go */
  solo_kmp_notify(&team->event);
}

void __kmpc_barrier(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT void __kmpc_barrier(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
  solo_kmp_barrier(solo_kmp_self());
}
