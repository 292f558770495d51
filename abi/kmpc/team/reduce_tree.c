/* Tree reductions (docs/design/host-threads.md). The word kmpc_worker.reduction holds an epoch
 * (region and reduction) and a state. The contributor is the thread that owns the word; the
 * combiner adds the contributor's part to its own.
 *
 * A reduction in pairs: thread t combines the parts of t+1, t+2, t+4, ...
 *
 *   older epoch --contributor--> OFFERED --combiner--> TAKEN --combined--> OVER
 *        |                          `--contributor, timeout--> OVER
 *        `--combiner, timeout--> OVER
 *
 * A reduction over the team's tree: the combiner writes a child's word only after it has combined
 * the part.
 *
 *   older epoch --contributor--> OFFERED --combined--> OVER
 *        |                          `--contributor, timeout--> LEAVING --combiner--> OVER,
 *        |                                                             or OLDER: not combined
 *        `--combiner, timeout--> OVER
 *
 * Invariant: each part is added once. The contributor adds its part under the lock in three cases:
 *            it finds OVER before it offers the part; it withdraws the offer after a timeout; the
 *            combiner did not combine the part of a LEAVING contributor.
 *
 * Deterministic reductions use pairs without timeouts.
 */
#include "abi/kmpc/team/wait.h"
#include "abi/kmpc/team/worker_team.h"
#include <string.h>

enum { OLDER = 0, OFFERED = 1, TAKEN = 2, LEAVING = 2, OVER = 3, STATES = 3 };
enum { COUNT_SHIFT = 2, REGION_SHIFT = 28 }; /* 26 bits count reductions, 36 bits regions */
enum { COUNT_MOST = 1 << (REGION_SHIFT - COUNT_SHIFT) };
enum { PATIENCE = 1000 };

typedef struct reduction_step {
  kmpc_thread *self;
  uint64_t epoch;
  int32_t punctual; /* 1: waits have a timeout; 0: none */
  const kmpc_part *part;
} reduction_step;

/* Compares modulo 2^64, because epochs wrap around. */
static int has_reached_epoch(uint64_t word, uint64_t epoch) {
  return (int64_t)((word & ~(uint64_t)STATES) - epoch) >= 0;
}

static int is_offered(uint64_t word, uint64_t epoch) {
  return word == (epoch | OFFERED);
}

static int is_decided(uint64_t word, uint64_t epoch) {
  return word != (epoch | OFFERED) && word != (epoch | TAKEN);
}

typedef struct awaited {
  _Atomic uint64_t *slot;
  uint64_t epoch;
  int (*ready)(uint64_t word, uint64_t epoch);
} awaited;

static int is_ready(void *what) {
  const awaited *a = what;
  return a->ready(solo_load_acquire(a->slot), a->epoch); /* pairs with notify_of, offer, collect */
}

static void await(const reduction_step *at, _Atomic uint64_t *slot,
                  int (*ready)(uint64_t, uint64_t)) {
  awaited a = {slot, at->epoch, ready};
  solo_kmp_await(at->self, &at->self->context.team->eventcount, NULL, is_ready, solo_kmp_help, &a);
}

static int await_briefly(const reduction_step *at, _Atomic uint64_t *slot,
                         int (*ready)(uint64_t, uint64_t)) {
  awaited a = {slot, at->epoch, ready};
  for (int i = 0; i < PATIENCE; i++) {
    if (is_ready(&a)) return 1;
    solo_cpu_relax();
  }
  return 0;
}

static void notify_of(const reduction_step *at, _Atomic uint64_t *slot, uint64_t word) {
  solo_store_seq_cst(slot, word); /* pairs with is_ready */
  solo_kmp_notify(&at->self->context.team->eventcount);
}

/* Sets a word of an older epoch to OVER, so that the late contributor adds its part under the lock.
 * Returns 0 if the contributor has already offered its part. */
static int mark_late(const reduction_step *at, _Atomic uint64_t *slot) {
  uint64_t word = solo_load_acquire(slot); /* pairs with offer */
  while (!has_reached_epoch(word, at->epoch))
    if (solo_cas_acq_rel(slot, &word, at->epoch | OVER)) return 1; /* pairs with offer */
  return 0;
}

static void collect(const reduction_step *at, kmpc_worker *worker) {
  uint64_t offered = at->epoch | OFFERED;
  if (!at->punctual)
    await(at, &worker->reduction, is_offered);
  else if (!await_briefly(at, &worker->reduction, has_reached_epoch) &&
           mark_late(at, &worker->reduction))
    return;
  /* Invariant: one exchange replaces OFFERED, by TAKEN (combiner) or by OVER (contributor).
   * Ordering:  this exchange pairs with the exchanges in offer().
   * Otherwise: both threads could add the part.
   */
  if (!solo_cas_acq_rel(&worker->reduction, &offered, at->epoch | TAKEN)) return;
  at->part->combine(at->part->data, worker->reduction_data);
  notify_of(at, &worker->reduction, at->epoch | OVER);
}

/* Returns 0 if the caller must add the part itself. */
static int offer(const reduction_step *at, kmpc_worker *worker) {
  uint64_t word = solo_load_relaxed(&worker->reduction); /* relaxed: the exchange validates word */
  uint64_t offered = at->epoch | OFFERED;
  worker->reduction_data = at->part->data;
  if (!at->punctual) {
    notify_of(at, &worker->reduction, offered);
    await(at, &worker->reduction, is_decided);
    return 1;
  }
  do {
    if (has_reached_epoch(word, at->epoch)) return 0;
    /* Invariant: from OFFERED to OVER the contributor does not access its part.
     * Ordering:  this exchange pairs with the acquire load in is_ready() and with mark_late().
     * Otherwise: the combiner could read an incomplete part.
     */
  } while (!solo_cas_acq_rel(&worker->reduction, &word, offered));
  if (await_briefly(at, &worker->reduction, is_decided)) return 1;
  /* pairs with collect */
  if (solo_cas_acq_rel(&worker->reduction, &offered, at->epoch | OVER)) return 0;
  await(at, &worker->reduction, is_decided);
  return 1;
}

static int reduce_in_pairs(const reduction_step *at, kmpc_worker_team *worker_team) {
  int32_t tid = at->self->context.tid, size = at->self->context.size;
  for (int32_t bit = 1; bit < size; bit <<= 1) {
    if (tid & bit) return offer(at, worker_team->worker[tid - 1]);
    if (tid + bit < size) collect(at, worker_team->worker[tid + bit - 1]);
  }
  return 0;
}

static kmpc_worker *worker_of(kmpc_node *child) {
  return (kmpc_worker *)(void *)((char *)child - offsetof(kmpc_worker, node));
}

static int children_have_arrived(const reduction_step *at, const kmpc_node *node) {
  int missing = 0;
  for (int32_t i = 0; i < node->children; i++) /* acquire: pairs with offer_up */
    missing |=
        !has_reached_epoch(solo_load_acquire(&worker_of(node->child[i])->reduction), at->epoch);
  return !missing;
}

/* Confirms to a leaving child that its part was not combined. The exchange fails if the child has
 * already begun its next reduction and therefore does not read reduction_left. */
static SOLO_COLD void confirm_leaving_child(const reduction_step *at, kmpc_worker *child) {
  uint64_t leaving = at->epoch | LEAVING;
  solo_store_relaxed(&child->reduction_left, at->epoch);
  (void)solo_cas_acq_rel(&child->reduction, &leaving,
                         at->epoch | OLDER); /* pairs with was_combined */
}

/* The combiner reads offered words but does not write them, so the cache lines of several children
 * can arrive concurrently. */
static void combine_children(const reduction_step *at, kmpc_node *node) {
  for (int i = 0; i < PATIENCE && !children_have_arrived(at, node); i++) solo_cpu_relax();
  solo_store_relaxed(&node->taking, at->epoch);
  /* Invariant: the combiner stores `taking` before it reads the children's words; a contributor stores
   *            LEAVING before it reads `taking`.
   * Ordering:  this fence pairs with the seq_cst operations in was_combined().
   * Otherwise: both threads could add the part.
   */
  solo_fence_seq_cst();
  for (int32_t i = 0; i < node->children; i++) {
    kmpc_worker *child = worker_of(node->child[i]);
    if (SOLO_UNLIKELY(mark_late(at, &child->reduction))) continue;
    uint64_t word = solo_load_acquire(&child->reduction); /* pairs with offer_up */
    if (SOLO_LIKELY(is_offered(word, at->epoch)))
      at->part->combine(at->part->data, child->reduction_data);
    else if (word == (at->epoch | LEAVING))
      confirm_leaving_child(at, child);
  }
}

static void release_combined_children(const reduction_step *at, const kmpc_node *node) {
  for (int32_t i = 0; i < node->children; i++) {
    kmpc_worker *child = worker_of(node->child[i]);
    /* relaxed: meanwhile the child can only change OFFERED to LEAVING */
    uint64_t word = solo_load_relaxed(&child->reduction);
    if (word == (at->epoch | OFFERED) || word == (at->epoch | LEAVING))
      solo_store_release(&child->reduction, at->epoch | OVER);
  }
  solo_fence_seq_cst(); /* pairs with solo_kmp_eventcount_prepare */
  solo_kmp_notify(&at->self->context.team->eventcount);
}

static int offer_up(const reduction_step *at, kmpc_worker *worker) {
  uint64_t word = solo_load_relaxed(&worker->reduction); /* relaxed: the exchange validates word */
  const kmpc_part *part = at->part;
  worker->reduction_data = part->data;
  if (part->bytes <= sizeof worker->reduction_list) {
    memcpy(worker->reduction_list, part->data, part->bytes);
    worker->reduction_data = worker->reduction_list;
  }
  do {
    if (has_reached_epoch(word, at->epoch)) return 0;
    /* pairs with combine_children and mark_late */
  } while (!solo_cas_acq_rel(&worker->reduction, &word, at->epoch | OFFERED));
  return 1;
}

/* Returns 1 if the parent combined the part. Waits if the parent has begun to combine; does not
 * wait for a late parent. */
static int was_combined(const reduction_step *at, kmpc_worker *worker) {
  uint64_t offered = at->epoch | OFFERED;
  if (SOLO_LIKELY(await_briefly(at, &worker->reduction, is_decided))) return 1;
  /* If the exchange fails, the part was combined. The exchange and the next load pair with the
   * fence in combine_children. */
  if (!solo_cas_seq_cst(&worker->reduction, &offered, at->epoch | LEAVING)) return 1;
  if (!has_reached_epoch(solo_load_seq_cst(&worker->node.parent->taking), at->epoch)) return 0;
  await(at, &worker->reduction, is_decided);
  /* relaxed: the exchange in confirm_leaving_child published reduction_left */
  return solo_load_relaxed(&worker->reduction_left) != at->epoch;
}

/* A thread offers its part to its parent before it releases its children, because its ancestors wait
 * for the part. */
static int reduce_over_tree(const reduction_step *at, kmpc_worker_team *worker_team) {
  kmpc_worker *worker = at->self->context.tid ? at->self->worker : NULL;
  kmpc_node *node = worker ? &worker->node : &worker_team->root;
  if (node->children) combine_children(at, node);
  int is_offered_up = worker && offer_up(at, worker);
  if (node->children) release_combined_children(at, node);
  return is_offered_up && was_combined(at, worker);
}

int solo_kmp_reduce_tree(kmpc_thread *self, const kmpc_part *part, int32_t punctual) {
  kmpc_worker_team *worker_team = self->context.team->worker_team;
  uint64_t region = solo_kmp_region_word(self, worker_team) >> 16;
  uint64_t count = self->context.reductions++;
  if (count >= COUNT_MOST) return 0; /* all threads have the same count */
  reduction_step at = {self, region << REGION_SHIFT | count << COUNT_SHIFT, punctual, part};
  if (worker_team->has_tree && punctual) return reduce_over_tree(&at, worker_team);
  return reduce_in_pairs(&at, worker_team);
}
