/* Tree reductions: the threads of a team combine their parts in an order that their numbers fix, no part is touched by
 * two threads at once, and what thread 0 has in the end is everybody's. One word per worker, marked with region
 * and reduction, is how the contributor (its owner) and the one combiner above it synchronise.
 *
 * In pairs: thread t takes what t+1, t+2, t+4, ... offer as long as t has no such bit; then it offers all of that to
 * the thread without its lowest bit. A team of n waits for log n combinations instead of n.
 *
 *   older epoch --contributor--> OFFERED --combiner--> TAKEN --combiner, has combined--> OVER
 *        |                          `--contributor, has waited long--> OVER: it withdraws
 *        `--combiner, has waited long--> OVER: it goes on without
 *
 * Over the team's tree, where its region has one (tree.h): a thread takes from all its children at once, without an
 * exchange for each, so that their lines come at the same time; a short list of variables lies in the line of the word.
 *
 *   older epoch --contributor--> OFFERED --combiner, has combined--> OVER
 *        |                          `--contributor, has waited long--> LEAVING --combiner--> OVER,
 *        |                                                                  or OLDER: not taken
 *        `--combiner, has waited long--> OVER: it goes on without
 *
 * A combiner first stores the epoch in its word `taking`, then looks at the children; a contributor that
 * leaves first stores LEAVING, then looks at `taking`: so either the combiner sees that it leaves, or it
 * sees that the combiner is at work, and waits for the answer.
 *
 * A thread that withdraws, or comes to a word that is OVER, adds its part to the program's variables itself,
 * under the reduction's lock, as thread 0 does: a late thread holds nobody up, and in a nowait loop
 * no thread depends on one that has not come yet. KMP_FORCE_REDUCTION=tree and
 * KMP_DETERMINISTIC_REDUCTION go in pairs and wait however long it takes: then a sum depends on the team's size
 * and the schedule only, down to the last bit.
 */
#include "abi/kmpc/team/wait.h"
#include "abi/kmpc/team/worker_team.h"
#include <string.h>

enum { OLDER = 0, OFFERED = 1, TAKEN = 2, LEAVING = 2, OVER = 3, STATES = 3 };
enum { COUNT_SHIFT = 2, REGION_SHIFT = 28 }; /* of an epoch: count has 26 bits, region 36 */
enum { COUNT_MOST = 1 << (REGION_SHIFT - COUNT_SHIFT) };
enum { PATIENCE = 1000 }; /* pauses: some 40 us */

typedef struct meeting {
  kmpc_thread *self;
  uint64_t epoch;
  int32_t punctual; /* 0: wait for ever */
  const kmpc_part *part;
} meeting;

/* Is the word of this reduction or a later one? Epochs wrap around; a wrong answer only means that the lock is used. */
static int has_come(uint64_t word, uint64_t epoch) {
  return (int64_t)((word & ~(uint64_t)STATES) - epoch) >= 0;
}

static int is_offered(uint64_t word, uint64_t epoch) {
  return word == (epoch | OFFERED);
}

/* The combiner may have gone on to later reductions since. */
static int is_decided(uint64_t word, uint64_t epoch) {
  return word != (epoch | OFFERED) && word != (epoch | TAKEN);
}

/* What a thread waits for at a word. */
typedef struct awaited {
  _Atomic uint64_t *slot;
  uint64_t epoch;
  int (*ready)(uint64_t word, uint64_t epoch);
} awaited;

static int is_ready(void *what) {
  const awaited *a = what;
  return a->ready(solo_load_acquire(a->slot), a->epoch); /* pairs with notify_of, offer, take */
}

static void await(const meeting *at, _Atomic uint64_t *slot, int (*ready)(uint64_t, uint64_t)) {
  awaited a = {slot, at->epoch, ready};
  solo_kmp_await(at->self, &at->self->context.team->eventcount, NULL, is_ready, solo_kmp_help, &a);
}

/* Waits a little; 0: the word was not ready meanwhile. */
static int await_briefly(const meeting *at, _Atomic uint64_t *slot,
                         int (*ready)(uint64_t, uint64_t)) {
  awaited a = {slot, at->epoch, ready};
  for (int i = 0; i < PATIENCE; i++) {
    if (is_ready(&a)) return 1;
    solo_cpu_relax();
  }
  return 0;
}

static void notify_of(const meeting *at, _Atomic uint64_t *slot, uint64_t word) {
  solo_store_seq_cst(slot, word); /* pairs with is_ready */
  solo_kmp_notify(&at->self->context.team->eventcount);
}

/* Closes a word that has not come, for good; 0: it has come meanwhile. */
static int give_up(const meeting *at, _Atomic uint64_t *slot) {
  uint64_t word = solo_load_acquire(slot); /* pairs with offer */
  while (!has_come(word, at->epoch))
    if (solo_cas_acq_rel(slot, &word, at->epoch | OVER)) return 1; /* pairs with offer */
  return 0;
}

/* --- in pairs ----------------------------------------------------------------------------------*/

/* Combines what the worker offers into the thread's own part. */
static void take(const meeting *at, kmpc_worker *worker) {
  uint64_t offered = at->epoch | OFFERED;
  if (!at->punctual)
    await(at, &worker->reduction, is_offered);
  else if (!await_briefly(at, &worker->reduction, has_come) && give_up(at, &worker->reduction))
    return;
  /* pairs with offer; fails when the worker has withdrawn */
  if (!solo_cas_acq_rel(&worker->reduction, &offered, at->epoch | TAKEN)) return;
  at->part->combine(at->part->data, worker->reduction_data);
  notify_of(at, &worker->reduction, at->epoch | OVER);
}

/* Gives the part to the combiner; 0: there is none, the part is still the caller's to add. */
static int offer(const meeting *at, kmpc_worker *worker) {
  uint64_t word = solo_load_relaxed(&worker->reduction); /* the exchange below decides */
  uint64_t offered = at->epoch | OFFERED;
  worker->reduction_data = at->part->data;
  if (!at->punctual) {
    notify_of(at, &worker->reduction, offered);
    await(at, &worker->reduction, is_decided);
    return 1;
  }
  do {
    if (has_come(word, at->epoch)) return 0;
  } while (!solo_cas_acq_rel(&worker->reduction, &word, offered)); /* pairs with take, give_up */
  if (await_briefly(at, &worker->reduction, is_decided)) return 1;
  /* pairs with take */
  if (solo_cas_acq_rel(&worker->reduction, &offered, at->epoch | OVER)) return 0;
  await(at, &worker->reduction, is_decided); /* it is being combined */
  return 1;
}

static int reduce_in_pairs(const meeting *at, kmpc_worker_team *worker_team) {
  int32_t tid = at->self->context.tid, size = at->self->context.size;
  for (int32_t bit = 1; bit < size; bit <<= 1) {
    if (tid & bit) return offer(at, worker_team->worker[tid - 1]);
    if (tid + bit < size) take(at, worker_team->worker[tid + bit - 1]);
  }
  return 0;
}

/* --- over the team's tree ----------------------------------------------------------------------*/

/* The root is nobody's child. */
static kmpc_worker *worker_of(kmpc_node *child) {
  return (kmpc_worker *)(void *)((char *)child - offsetof(kmpc_worker, node));
}

static int children_have_come(const meeting *at, const kmpc_node *node) {
  int missing = 0;
  for (int32_t i = 0; i < node->children; i++) /* acquire: pairs with offer_up */
    missing |= !has_come(solo_load_acquire(&worker_of(node->child[i])->reduction), at->epoch);
  return !missing;
}

/* The child may have left, and be in the next reduction: then nobody reads this. */
static SOLO_COLD void let_leave(const meeting *at, kmpc_worker *child) {
  uint64_t leaving = at->epoch | LEAVING;
  solo_store_relaxed(&child->reduction_left, at->epoch); /* published by the exchange */
  (void)solo_cas_acq_rel(&child->reduction, &leaving, at->epoch | OLDER); /* pairs with was_taken */
}

/* Combines what the children offer. A child that is late is left out, and one that is leaving finds OLDER in its word.
 * The other words stay as they are, without an exchange for each, so that the children's cache lines come at the same
 * time. */
static void take_from_children(const meeting *at, kmpc_node *node) {
  for (int i = 0; i < PATIENCE && !children_have_come(at, node); i++) solo_cpu_relax();
  solo_store_relaxed(&node->taking, at->epoch);
  solo_fence_seq_cst(); /* pairs with was_taken */
  for (int32_t i = 0; i < node->children; i++) {
    kmpc_worker *child = worker_of(node->child[i]);
    if (SOLO_UNLIKELY(give_up(at, &child->reduction))) continue;
    uint64_t word = solo_load_acquire(&child->reduction); /* pairs with offer_up */
    if (SOLO_LIKELY(is_offered(word, at->epoch)))
      at->part->combine(at->part->data, child->reduction_data);
    else if (word == (at->epoch | LEAVING))
      let_leave(at, child);
  }
}

/* Those whose parts have been taken: the others have another word by now. */
static void let_children_go(const meeting *at, const kmpc_node *node) {
  for (int32_t i = 0; i < node->children; i++) {
    kmpc_worker *child = worker_of(node->child[i]);
    uint64_t word = solo_load_relaxed(&child->reduction); /* only whether it still waits counts */
    if (word == (at->epoch | OFFERED) || word == (at->epoch | LEAVING))
      solo_store_release(&child->reduction, at->epoch | OVER); /* pairs with is_decided */
  }
  solo_fence_seq_cst(); /* pairs with solo_kmp_eventcount_prepare */
  solo_kmp_notify(&at->self->context.team->eventcount);
}

/* 0: it has been given up. */
static int offer_up(const meeting *at, kmpc_worker *worker) {
  uint64_t word = solo_load_relaxed(&worker->reduction); /* the exchange below decides */
  const kmpc_part *part = at->part;
  worker->reduction_data = part->data;
  if (part->bytes <= sizeof worker->reduction_list) {
    memcpy(worker->reduction_list, part->data, part->bytes);
    worker->reduction_data = worker->reduction_list;
  }
  do {
    if (has_come(word, at->epoch)) return 0;
    /* pairs with take_from_children, give_up */
  } while (!solo_cas_acq_rel(&worker->reduction, &word, at->epoch | OFFERED));
  return 1;
}

/* Has the part been taken? Waits for that, but not for a late combiner. */
static int was_taken(const meeting *at, kmpc_worker *worker) {
  uint64_t offered = at->epoch | OFFERED;
  if (SOLO_LIKELY(await_briefly(at, &worker->reduction, is_decided))) return 1;
  /* seq_cst, both: pair with the fence in take_from_children. What fails is taken. */
  if (!solo_cas_seq_cst(&worker->reduction, &offered, at->epoch | LEAVING)) return 1;
  if (!has_come(solo_load_seq_cst(&worker->node.parent->taking), at->epoch)) return 0;
  await(at, &worker->reduction, is_decided);
  /* relaxed: settled by let_leave, or not. The word itself may be of a later reduction by now. */
  return solo_load_relaxed(&worker->reduction_left) != at->epoch;
}

/* Of a region with a tree. A thread offers its part before it lets its children go: others wait for that. */
static int reduce_over_tree(const meeting *at, kmpc_worker_team *worker_team) {
  kmpc_worker *worker = at->self->context.tid ? at->self->worker : NULL;
  kmpc_node *node = worker ? &worker->node : &worker_team->root;
  if (node->children) take_from_children(at, node);
  int is_offered_up = worker && offer_up(at, worker);
  if (node->children) let_children_go(at, node);
  return is_offered_up && was_taken(at, worker);
}

int solo_kmp_reduce_tree(kmpc_thread *self, const kmpc_part *part, int32_t punctual) {
  kmpc_worker_team *worker_team = self->context.team->worker_team;
  uint64_t region = solo_kmp_region_word(self, worker_team) >> 16;
  uint64_t count = self->context.reductions++;
  if (count >= COUNT_MOST) return 0; /* in every thread of the team */
  meeting at = {self, region << REGION_SHIFT | count << COUNT_SHIFT, punctual, part};
  if (worker_team->has_tree && punctual) return reduce_over_tree(&at, worker_team);
  return reduce_in_pairs(&at, worker_team);
}
