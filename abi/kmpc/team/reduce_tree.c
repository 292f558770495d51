/* Tree reductions: the threads of a team combine in pairs, in an order that their numbers fix.
 *
 * Thread t takes what t+1, t+2, t+4, ... offer as long as t has no such bit; then it offers all of
 * that to the thread without its lowest bit. What thread 0 has in the end is everybody's. No value
 * is touched by two threads at once, and a team of n waits for log n combinations instead of n.
 *
 * One word per worker, stamped with region and reduction, is how the giver (its owner) and the one
 * taker above it synchronise:
 *
 *   older stamp --giver--> OFFERED --taker--> TAKEN --taker, has combined--> OVER
 *        |                    `--giver, has waited long--> OVER: it withdraws
 *        `--taker, has waited long--> OVER: it goes on without
 *
 * Who withdraws, or comes to a word that is OVER, adds its part to the program's variables itself,
 * under the reduction's lock, as thread 0 does: a late thread holds nobody up, and in a nowait loop
 * no thread depends on one that has not come yet. KMP_FORCE_REDUCTION=tree and
 * KMP_DETERMINISTIC_REDUCTION wait however long it takes: then a sum depends on the team's size
 * and the schedule only, down to the last bit.
 */
#include "abi/kmpc/team/wait.h"
#include "abi/kmpc/team/worker_team.h"

enum { OLDER = 0, OFFERED = 1, TAKEN = 2, OVER = 3, STATES = 3 };
enum { COUNT_SHIFT = 2, REGION_SHIFT = 28 }; /* of a stamp: count has 26 bits, region 36 */
enum { COUNT_MOST = 1 << (REGION_SHIFT - COUNT_SHIFT) };
enum { PATIENCE = 1000 }; /* pauses: some 40 us */

typedef struct meeting {
  kmpc_thread *self;
  uint64_t stamp;
  int32_t punctual; /* 0: wait for ever */
} meeting;

/* Is the word of this reduction or a later one? (Stamps go round; a wrong answer costs the lock.)
 */
static int has_come(uint64_t word, uint64_t stamp) {
  return (int64_t)((word & ~(uint64_t)STATES) - stamp) >= 0;
}

static int is_offered(uint64_t word, uint64_t stamp) {
  return word == (stamp | OFFERED);
}

/* The taker may have gone on to later reductions since. */
static int is_settled(uint64_t word, uint64_t stamp) {
  return word != (stamp | OFFERED) && word != (stamp | TAKEN);
}

/* What a thread waits for at a word. */
typedef struct awaited {
  _Atomic uint64_t *slot;
  uint64_t stamp;
  int (*ready)(uint64_t word, uint64_t stamp);
} awaited;

static int is_ready(void *what) {
  const awaited *a = what;
  return a->ready(solo_load_acquire(a->slot), a->stamp); /* pairs with tell, offer, take */
}

static void await(const meeting *at, _Atomic uint64_t *slot, int (*ready)(uint64_t, uint64_t)) {
  awaited a = {slot, at->stamp, ready};
  solo_kmp_await(at->self, &at->self->context.team->event, NULL, is_ready, solo_kmp_help, &a);
}

/* Waits a little; 0: the word was not ready meanwhile. */
static int await_briefly(const meeting *at, _Atomic uint64_t *slot,
                         int (*ready)(uint64_t, uint64_t)) {
  awaited a = {slot, at->stamp, ready};
  for (int i = 0; i < PATIENCE; i++) {
    if (is_ready(&a)) return 1;
    solo_cpu_relax();
  }
  return 0;
}

static void tell(const meeting *at, _Atomic uint64_t *slot, uint64_t word) {
  solo_store_seq_cst(slot, word); /* pairs with is_ready */
  solo_kmp_notify(&at->self->context.team->event);
}

/* Closes a word that has not come, for good; 0: it has come meanwhile. */
static int give_up(const meeting *at, _Atomic uint64_t *slot) {
  uint64_t word = solo_load_acquire(slot); /* pairs with offer */
  while (!has_come(word, at->stamp))
    if (solo_cas_acq_rel(slot, &word, at->stamp | OVER)) return 1; /* pairs with offer */
  return 0;
}

/* Combines what the worker offers into data. */
static void take(const meeting *at, kmpc_worker *worker, void *data,
                 void (*combine)(void *, void *)) {
  uint64_t offered = at->stamp | OFFERED;
  if (!at->punctual)
    await(at, &worker->reduction, is_offered);
  else if (!await_briefly(at, &worker->reduction, has_come) && give_up(at, &worker->reduction))
    return;
  /* pairs with offer; fails when the worker has withdrawn */
  if (!solo_cas_acq_rel(&worker->reduction, &offered, at->stamp | TAKEN)) return;
  combine(data, worker->reduction_data);
  tell(at, &worker->reduction, at->stamp | OVER);
}

/* Gives data to the taker; 0: there is none, data is still the caller's to add. */
static int offer(const meeting *at, kmpc_worker *worker, void *data) {
  uint64_t word = solo_load_relaxed(&worker->reduction); /* the exchange below decides */
  uint64_t offered = at->stamp | OFFERED;
  worker->reduction_data = data;
  if (!at->punctual) {
    tell(at, &worker->reduction, offered);
    await(at, &worker->reduction, is_settled);
    return 1;
  }
  do {
    if (has_come(word, at->stamp)) return 0;
  } while (!solo_cas_acq_rel(&worker->reduction, &word, offered)); /* pairs with take, give_up */
  if (await_briefly(at, &worker->reduction, is_settled)) return 1;
  /* pairs with take */
  if (solo_cas_acq_rel(&worker->reduction, &offered, at->stamp | OVER)) return 0;
  await(at, &worker->reduction, is_settled); /* it is being combined */
  return 1;
}

int solo_kmp_reduce_tree(kmpc_thread *self, void *data, void (*combine)(void *, void *),
                         int32_t punctual) {
  kmpc_worker_team *worker_team = self->context.team->worker_team;
  uint64_t region = solo_kmp_region_word(self, worker_team) >> 16;
  uint64_t count = self->context.reductions++;
  if (count >= COUNT_MOST) return 0; /* in every thread of the team */
  meeting at = {self, region << REGION_SHIFT | count << COUNT_SHIFT, punctual};
  int32_t tid = self->context.tid, size = self->context.size;
  for (int32_t bit = 1; bit < size; bit <<= 1) {
    if (tid & bit) return offer(&at, worker_team->worker[tid - 1], data);
    if (tid + bit < size) take(&at, worker_team->worker[tid + bit - 1], data, combine);
  }
  return 0;
}
