/* The flat barrier: one word with the phase and the number of arrived threads. The last thread
 * waits until all tasks are done, then begins the next phase. If the primary thread has stalled twice
 * (waited longer than STALL_NS), it begins the next PRIMARY_TURNS phases itself
 * (docs/design/waiting.md). */
#include "abi/kmpc/team/tree_sync.h"
#include "abi/kmpc/team/worker_team.h"

#include "abi/kmpc/affinity/procs.h"
#include "abi/kmpc/team/cancellation.h"
#include "abi/kmpc/team/wait.h"

enum {
  STALL_NS = 50000,
  NEAR_PHASES = 8, /* two stalls that are more phases apart are attributed to other programs */
  /* number of phases that the primary thread begins after two stalls; a stall costs as much as 100
   * phases */
  PRIMARY_TURNS = 1024,
};

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

static void await_next_phase(kmpc_thread *self, waiting *at) {
  solo_kmp_wait(self, &at->worker_team->team.eventcount, next_phase_has_begun, solo_kmp_help, at);
}

static int all_have_arrived(void *what) {
  const waiting *at = what;
  /* pairs with solo_kmp_barrier */
  uint64_t word = solo_load_acquire(&at->worker_team->barrier);
  return (int32_t)(word & KMPC_ARRIVED_MASK) == at->worker_team->team.size ||
         solo_kmp_is_cancelled(&at->worker_team->team);
}

/* In a phase with KMPC_PRIMARY_BEGINS, the primary thread waits until all threads have arrived and
 * returns 1. A worker waits until the next phase has begun and returns 0. */
static SOLO_COLD int await_primary(kmpc_thread *self, waiting *at, int is_last) {
  kmpc_worker_team *worker_team = at->worker_team;
  if (self->context.tid == 0) {
    solo_kmp_await(self, &worker_team->root.eventcount, &worker_team->team.eventcount,
                   all_have_arrived, solo_kmp_help, at);
    return 1;
  }
  if (is_last) solo_kmp_publish_and_notify(&worker_team->root.eventcount);
  await_next_phase(self, at);
  return 0;
}

/* If the threads share processors, a worker that begins a phase continues to use its processor, and the
 * primary thread may have to wait for one. If workers then wait for the primary thread in user code,
 * the program progresses only once per time slice. */
static SOLO_COLD void await_and_detect_stall(kmpc_thread *self, waiting *at) {
  uint64_t before = solo_now_ns();
  await_next_phase(self, at);
  /* Invariant: the primary thread accesses `primary_turns` here, before its addition in the next
   *            barrier. The thread that begins a phase accesses it after the additions of all threads.
   * Ordering:  the acq_rel additions in solo_kmp_barrier().
   * Otherwise: a data race.
   */
  if (solo_now_ns() - before < STALL_NS) return;
  if (at->phase - at->worker_team->stalled < NEAR_PHASES)
    at->worker_team->primary_turns = PRIMARY_TURNS;
  at->worker_team->stalled = at->phase;
}

/* Returns 1 if the calling thread must begin the next phase, 0 after this phase has begun. */
static SOLO_NOINLINE int await_others(kmpc_thread *self, kmpc_worker_team *worker_team,
                                      uint64_t word) {
  waiting at = {worker_team, phase_of(word)};
  if (SOLO_UNLIKELY(word & KMPC_PRIMARY_BEGINS))
    return await_primary(self, &at,
                         (int32_t)(word & KMPC_ARRIVED_MASK) + 1 == worker_team->team.size);
  if (SOLO_UNLIKELY(self->context.tid == 0 && self->context.around > solo_kmp_procs()))
    await_and_detect_stall(self, &at);
  else
    await_next_phase(self, &at);
  return 0;
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
  /* Invariant: the thread that begins the next phase sees all stores that precede the barrier.
   * Ordering:  acq_rel: each addition pairs with the later ones in solo_kmp_barrier(), and with
   *            all_have_arrived().
   * Otherwise: that thread could publish the phase without these stores.
   */
  uint64_t word = solo_add_acq_rel(&worker_team->barrier, 1);
  SOLO_ASSERT((int32_t)(word & KMPC_ARRIVED_MASK) < team->size || solo_kmp_is_cancelled(team),
              "more threads are in a barrier than in the team");
  if ((uint32_t)word + 1 != (uint32_t)team->size && !await_others(self, worker_team, word)) return;
  if (SOLO_UNLIKELY(!tasks_are_done(team))) await_tasks(self, team);
  /* the join of a cancelled region resets `barrier` (reset_after_cancellation) */
  if (SOLO_UNLIKELY(solo_kmp_is_cancelled(team))) return;
  /* Invariant: all threads have arrived and all tasks are done when the phase changes.
   * Ordering:  this store pairs with the acquire load in next_phase_has_begun().
   * Otherwise: results could be invisible after the barrier.
   */
  uint64_t next = (uint64_t)(phase_of(word) + 1) << 32;
  if (SOLO_UNLIKELY(worker_team->primary_turns != 0)) {
    worker_team->primary_turns--;
    next |= KMPC_PRIMARY_BEGINS;
  }
  solo_store_seq_cst(&worker_team->barrier, next);
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
