/* Creates workers, adds them to worker teams, and pools unused workers.
 *
 * Threads: pool_lock guards the pool. */
#define _GNU_SOURCE
#include "abi/kmpc/affinity/procs.h"
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/wait.h"
#include "abi/kmpc/team/worker_team.h"
#include "runtime/base/assert.h"
#include "runtime/base/fork.h"
#include "runtime/host_threads.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
  STACK_LEAST = 64 << 10,
  STACK_UNIT = 64 << 10, /* the largest page size */
};

static solo_lock pool_lock = SOLO_LOCK_INIT(SOLO_RANK_WORKERS);
static kmpc_worker *idle;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/* Key with the destructor release_thread_resources(). */
static pthread_key_t master_key;
/* 0: no key was available; the workers of an ended thread are not reused */
static int has_master_key;

static void *aligned_zero(size_t bytes) {
  void *memory = NULL;
  if (posix_memalign(&memory, SOLO_CACHE_PAIR, bytes) != 0) return NULL;
  SOLO_ASSERT(solo_is_pair_aligned(memory), "threads' records share a pair of cache lines");
  memset(memory, 0, bytes);
  return memory;
}

static void release_thread_resources(void *argument) {
  kmpc_thread *self = argument;
  solo_kmp_worker_teams_release(self);
  for (kmpc_serial *frame = self->serial_free, *next; frame; frame = next) {
    next = frame->outer;
    free(frame);
  }
  self->serial_free = NULL;
  const kmpc_task_ops *ops =
      solo_load_acquire(&solo_kmp_task_ops); /* pairs with solo_kmp_tasks_begin */
  if (ops) ops->thread_end(self);
}

static void reset_workers_after_fork(void) {
  idle = NULL;
  solo_kmp_thread_record.worker_team = NULL;
}

static void pool_begin(void) {
  has_master_key = pthread_key_create(&master_key, release_thread_resources) == 0;
  static const solo_fork_member workers = {.child = reset_workers_after_fork,
                                           .orphan = reset_workers_after_fork};
  solo_fork_register(SOLO_FORK_WORKERS, &workers);
  solo_fork_install_handlers();
}

void solo_kmp_register_thread_end(kmpc_thread *self) {
  pthread_once(&once, pool_begin);
  if (!self->worker && has_master_key) pthread_setspecific(master_key, self);
}

static int has_worker_team(void *what) {
  kmpc_worker *worker = what;
  return solo_load_acquire(&worker->worker_team) !=
         NULL; /* pairs with solo_kmp_pool_allocate_worker */
}

static void *worker_main(void *argument) {
  kmpc_worker *worker = argument;
  kmpc_thread *self = &solo_kmp_thread_record;
  self->gtid = solo_kmp_new_gtid();
  self->worker = worker;
  self->place = -1;
  /* pairs with shares_processor: the record is initialised */
  solo_store_release(&worker->thread, self);
  for (;;) {
    while (!has_worker_team(worker))
      solo_kmp_sleep_unless_over(self, &worker->node.eventcount, NULL, has_worker_team,
                                 solo_kmp_no_help, worker);
    /* pairs with solo_kmp_pool_allocate_worker */
    kmpc_worker_team *worker_team = solo_load_acquire(&worker->worker_team);
    if (SOLO_UNLIKELY(worker->end != NULL)) break;
    solo_kmp_worker_run(self, worker, worker_team);
    solo_kmp_worker_teams_release(self);
    solo_store_relaxed(&worker->worker_team, NULL);
    /* Invariant: a worker that `arrived` counts does not access the worker team any more.
     * Ordering:  this release pairs with the acquire load in all_have_left().
     * Otherwise: disband() could free memory in use.
     */
    solo_add_release(&worker_team->arrived, 1);
  }
  worker->end(self);
  return NULL;
}

/* Initialises a worker that is pooled or not yet started. The store of worker->worker_team
 * publishes these stores. */
static void join(kmpc_worker *worker, kmpc_worker_team *worker_team, int32_t tid) {
  worker->tid = tid;
  solo_kmp_reset_place(worker, worker_team);
  worker->seen = solo_load_relaxed(&worker_team->root.work.fork);
  solo_store_relaxed(&worker->claimed, worker->seen >> 16);
  /* relaxed, all: published with worker->worker_team */
  solo_store_relaxed(&worker->reduction, 0);
  solo_store_relaxed(&worker->reduction_left, 0);
  solo_store_relaxed(&worker->node.work.fork, 0);
  solo_store_relaxed(&worker->node.work.release, 0);
  solo_store_relaxed(&worker->node.taking, 0);
  solo_store_relaxed(&worker->node.arrived, 0);
}

static kmpc_worker *start_thread(kmpc_worker_team *worker_team, int32_t tid) {
  kmpc_worker *worker = aligned_zero(sizeof *worker);
  if (!worker) return NULL;
  if (&solo_second_runtime) solo_second_runtime.warn_once();
  worker->place = -1;
  join(worker, worker_team, tid);
  solo_store_relaxed(&worker->worker_team, worker_team); /* pthread_create publishes */
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  size_t stack = solo_kmp_stack_size(solo_kmp_config());
  if (stack < STACK_LEAST) stack = STACK_LEAST;
  if (stack < (size_t)PTHREAD_STACK_MIN) stack = (size_t)PTHREAD_STACK_MIN;
  pthread_attr_setstacksize(&attributes, (stack + STACK_UNIT - 1) & ~(size_t)(STACK_UNIT - 1));
  int failed = pthread_create(&worker->handle, &attributes, worker_main, worker);
  pthread_attr_destroy(&attributes);
  if (failed) {
    free(worker);
    return NULL;
  }
  return worker;
}

kmpc_worker *solo_kmp_pool_allocate_worker(kmpc_worker_team *worker_team, int32_t tid) {
  solo_lock_acquire(&pool_lock);
  kmpc_worker *worker = idle;
  if (worker) idle = worker->next;
  solo_lock_release(&pool_lock);
  if (!worker) return start_thread(worker_team, tid);
  join(worker, worker_team, tid);
  /* Invariant: all fields that join() sets are valid when worker_team is not NULL.
   * Ordering:  this store pairs with the acquire load in has_worker_team().
   * Otherwise: the worker could use the thread number of its previous worker team.
   */
  solo_store_seq_cst(&worker->worker_team, worker_team);
  solo_kmp_notify(&worker->node.eventcount);
  return worker;
}

static void end_worker(kmpc_thread *self) {
  self->context.team = NULL; /* the worker's team is freed */
  release_thread_resources(self);
  self->worker = NULL;
}

void solo_kmp_pool_end_workers(void) {
  solo_lock_acquire(&pool_lock);
  kmpc_worker *worker = idle, *next;
  idle = NULL;
  solo_lock_release(&pool_lock);
  for (; worker; worker = next) {
    next = worker->next;
    worker->end = end_worker;
    /* pairs with has_worker_team; the value is not used */
    solo_store_seq_cst(&worker->worker_team, (kmpc_worker_team *)(void *)worker);
    solo_kmp_notify(&worker->node.eventcount);
    pthread_join(worker->handle, NULL);
    free(worker);
  }
}

static int all_have_left(void *what) {
  kmpc_worker_team *worker_team = what;
  return solo_load_acquire(&worker_team->arrived) ==
         (uint32_t)worker_team->workers; /* pairs with worker_main */
}

static void disband(kmpc_worker_team *worker_team) {
  int32_t n = worker_team->workers;
  if (n == 0) return;
  uint64_t sequence = (solo_load_relaxed(&worker_team->root.work.fork) >> 16) + 1;
  solo_store_seq_cst(&worker_team->work.fork,
                     sequence << 16 | KMPC_DISBAND); /* pairs with newest_fork */
  for (int32_t i = 0; i < n; i++) solo_kmp_notify(&worker_team->worker[i]->node.eventcount);
  /* a short wait: each worker only releases its inner worker teams and increments `arrived` */
  solo_kmp_spin_until(all_have_left, worker_team);
  solo_store_relaxed(&worker_team->arrived, 0);
  worker_team->workers = 0;
  solo_lock_acquire(&pool_lock);
  /* in reverse order, so that workers get the same thread numbers again (threadprivate) */
  for (int32_t i = n; i-- > 0;) {
    worker_team->worker[i]->next = idle;
    idle = worker_team->worker[i];
  }
  solo_lock_release(&pool_lock);
}

void solo_kmp_worker_teams_release(kmpc_thread *self) {
  while (self->worker_team) {
    kmpc_worker_team *worker_team = self->worker_team;
    self->worker_team = worker_team->inner;
    disband(worker_team);
    free(worker_team->ranges[0]);
    free(worker_team->worker);
    free(worker_team->task_storage);
    free(worker_team);
  }
}

static int32_t tree_above(const kmpc_config *config) {
  if (config->tree_above != KMPC_TREE_ABOVE) return config->tree_above;
  return solo_kmp_procs() > KMPC_TREE_ABOVE_ROOMY ? KMPC_TREE_ABOVE_ROOMY : KMPC_TREE_ABOVE;
}

static kmpc_worker_team *new_worker_team(kmpc_thread *self) {
  kmpc_worker_team *worker_team = aligned_zero(sizeof *worker_team);
  if (!worker_team) return NULL;
  worker_team->master = self;
  worker_team->team.worker_team = worker_team;
  const kmpc_config *config = solo_kmp_config();
  worker_team->tree.above = tree_above(config);
  worker_team->reduces_in_order = config->reduction == KMPC_REDUCE_TREE;
  for (uint32_t i = 0; i < KMPC_LOOP_SLOTS; i++) {
    solo_store_relaxed(&worker_team->loops[i].turn, i); /* not shared yet */
    solo_store_relaxed(&worker_team->crosses[i].turn, i);
  }
  solo_kmp_register_thread_end(self);
  return worker_team;
}

/* Enlarges two blocks of memory: the arrays of workers and tree nodes, and the ranges. Returns 0 if
 * memory is exhausted. */
static int grow(kmpc_worker_team *worker_team, int32_t size) {
  if (size <= worker_team->capacity) return 1;
  int32_t capacity = size < 8 ? 8 : size;
  if (capacity < 2 * worker_team->capacity && worker_team->capacity <= KMPC_THREADS_MAX / 2)
    capacity = 2 * worker_team->capacity;
  kmpc_worker **list = realloc(worker_team->worker, 3 * (size_t)capacity * sizeof *list);
  if (!list) return 0;
  worker_team->worker = list;
  worker_team->tree.order = (kmpc_node **)(void *)(list + capacity);
  worker_team->tree.leader = worker_team->tree.order + capacity;
  worker_team->tree.size = 0; /* rebuilds the tree, because nodes point into the old block */
  kmpc_loop_range *ranges = aligned_zero(KMPC_LOOP_SLOTS * (size_t)capacity * sizeof *ranges);
  if (!ranges) return 0;
  free(worker_team->ranges[0]);
  for (int i = 0; i < KMPC_LOOP_SLOTS; i++) worker_team->ranges[i] = ranges + i * capacity;
  worker_team->capacity = capacity;
  return 1;
}

int32_t solo_kmp_worker_team_ready(kmpc_thread *self, kmpc_worker_team **out_worker_team,
                                   int32_t size) {
  kmpc_worker_team *worker_team = self->worker_team;
  if (SOLO_UNLIKELY(!worker_team)) worker_team = self->worker_team = new_worker_team(self);
  if (SOLO_UNLIKELY(!worker_team)) return 1;
  *out_worker_team = worker_team;
  if (SOLO_LIKELY(worker_team->workers >= size - 1)) return size;
  if (!grow(worker_team, size)) return worker_team->workers + 1;
  while (worker_team->workers < size - 1) {
    kmpc_worker *worker = solo_kmp_pool_allocate_worker(worker_team, worker_team->workers + 1);
    if (!worker) {
      static _Atomic int32_t has_warned;
      if (!solo_exchange_relaxed(&has_warned, 1)) /* relaxed: only one thread warns */
        solo_kmp_warn("cannot start thread %d of %d: the team is smaller\n"
                      "  hint: raise the limits on processes or memory, or lower OMP_STACKSIZE",
                      worker_team->workers + 2, size);
      break;
    }
    worker_team->worker[worker_team->workers++] = worker;
  }
  return worker_team->workers + 1;
}
