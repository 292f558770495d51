/* Tasks after libomp's documented design (peers.h). Each thread has a deque with a lock. A thread
 * without tasks steals from its last victim, else from a random one. The end of a task changes
 * three atomic counters. */
#include "bench/coherence/peers.h"

#include "runtime/base/atomic.h"

#include <sched.h>

enum { THREADS_MAX = 512, PLACES = 256 };

typedef struct hyper_task {
  SOLO_ALIGNED(SOLO_CACHE_LINE) uint64_t body[16]; /* two lines: descriptor, data */
} hyper_task;

typedef struct hyper_deque {
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t lock;
  uint64_t head, tail; /* protected by the lock */
  _Atomic uint64_t count;
  SOLO_ALIGNED(SOLO_CACHE_LINE) hyper_task *item[PLACES];
  SOLO_ALIGNED(SOLO_CACHE_LINE) uint64_t seed; /* private */
  uint64_t rounds;
  int last_victim; /* number of the thread + 1; 0: none */
} hyper_deque;

static hyper_deque deques[THREADS_MAX];
static hyper_task records[THREADS_MAX];
static struct {
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t group;
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t children, references;
  SOLO_ALIGNED(SOLO_CACHE_LINE)
  _Atomic uint64_t is_over; /* the last round that has ended */
} team;

static void lock(hyper_deque *at) {
  /* pairs with unlock */
  while (solo_load_relaxed(&at->lock) || solo_exchange_acquire(&at->lock, 1)) solo_cpu_relax();
}

static void unlock(hyper_deque *at) {
  solo_store_release(&at->lock, 0); /* pairs with lock */
}

static void push(hyper_deque *at, hyper_task *task) {
  lock(at);
  at->item[at->tail++ % PLACES] = task;
  solo_add_relaxed(&at->count, 1); /* a hint */
  unlock(at);
}

static hyper_task *take(hyper_deque *at, int is_own) {
  hyper_task *task = NULL;
  if (!solo_load_relaxed(&at->count)) return NULL; /* a hint; the lock decides */
  lock(at);
  if (at->head != at->tail) {
    task = at->item[(is_own ? --at->tail : at->head++) % PLACES];
    solo_add_relaxed(&at->count, UINT64_MAX); /* a hint */
  }
  unlock(at);
  return task;
}

static void run(hyper_task *task) {
  task->body[1] = task->body[0];
  solo_add_acq_rel(&team.group, UINT64_MAX);      /* pairs with peer_tasks_create */
  solo_add_acq_rel(&team.children, UINT64_MAX);   /* pairs with a taskwait */
  solo_add_acq_rel(&team.references, UINT64_MAX); /* pairs with the end of the parent */
}

/* Returns 0 if there is no task. */
static int run_one(int number, int size) {
  hyper_deque *own = &deques[number];
  hyper_task *task = take(own, 1);
  int victim = own->last_victim - 1;
  if (!task && victim >= 0 && !(task = take(&deques[victim], 0))) own->last_victim = 0;
  if (!task && size > 1) {
    own->seed = own->seed * 6364136223846793005u + 1442695040888963407u + (uint64_t)number;
    victim = (int)((own->seed >> 33) % (uint64_t)(size - 1));
    victim += victim >= number;
    if ((task = take(&deques[victim], 0))) own->last_victim = victim + 1;
  }
  if (task) run(task);
  return task != NULL;
}

/* Yields, because in the model a pause would wait for a write to the few lines that were read. */
void peer_tasks_help(int number, int size) {
  uint64_t round = ++deques[number].rounds;
  while (solo_load_acquire(&team.is_over) != round) /* pairs with peer_tasks_end */
    if (!run_one(number, size)) sched_yield();
}

void peer_tasks_create(int size) {
  for (int i = 0; i < size; i++) {
    for (int k = 0; k < 16; k += 8) records[i].body[k] = (uint64_t)i;
    solo_add_relaxed(&team.group, 1); /* the lock publishes the task */
    solo_add_relaxed(&team.children, 1);
    solo_add_relaxed(&team.references, 1);
    push(&deques[0], &records[i]);
  }
  while (solo_load_acquire(&team.group)) /* pairs with run */
    if (!run_one(0, size)) sched_yield();
}

void peer_tasks_end(void) {
  solo_store_release(&team.is_over, ++deques[0].rounds); /* pairs with peer_tasks_help */
}
