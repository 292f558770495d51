/* A worker team: the persistent workers of one primary thread and the words that synchronise its
 * regions (docs/design/host-threads.md).
 *
 *   fork word = region number << 16 | KMPC_STEALABLE? | size, or KMPC_DISBAND: return to the pool
 *   primary:  IDLE --publish--> RUNNING --part done--> JOINING --all arrived--> IDLE
 *   worker:   WAITING --fork word changed, size > tid--> RUNNING --arrives--> WAITING
 *
 * Ownership: a worker team belongs to its primary thread; a worker belongs to a worker team or to the
 * pool.
 */
#ifndef SOLO_KMPC_WORKER_TEAM_H
#define SOLO_KMPC_WORKER_TEAM_H

#include "abi/kmpc/env/icv.h"
#include "abi/kmpc/team/region.h"
#include "abi/kmpc/team/tree.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>

enum { KMPC_REDUCTION_LIST = 5 };
/* parts of the barrier word */
enum { KMPC_ARRIVED_MASK = 0xFFFF, KMPC_PRIMARY_BEGINS = 0x10000 };
enum { KMPC_STEALABLE = 0x8000, KMPC_SIZE_MASK = 0x7FFF, KMPC_DISBAND = 0xFFFF };

typedef struct kmpc_worker {
  kmpc_node node;
  int32_t tid;
  kmpc_worker_team *_Atomic worker_team; /* NULL: the worker is in the pool */
  kmpc_thread *_Atomic thread;
  struct kmpc_worker *next;
  void (*end)(kmpc_thread *self); /* not NULL: the worker calls this function and ends */
  pthread_t handle;
  /* assigned place (affinity.c), written while the worker waits */
  int32_t place;
  kmpc_partition partition;
  uint32_t place_version;
  /* region number of the last claimed part; the primary thread accesses this cache line only if the
   * worker is late */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t claimed;
  uint64_t seen; /* last fork word that the worker has read */
  /* 1: the worker has executed a part of the region `seen` and may help with its tasks */
  int32_t is_member_of_region;
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t reduction;
  _Atomic uint64_t reduction_left; /* epoch of the last reduction without this worker's part */
  void *reduction_data;
  /* copy of the list of reduced variables, if it is short */
  void *reduction_list[KMPC_REDUCTION_LIST];
} kmpc_worker;

/* Input and result of the last place assignment. */
typedef struct kmpc_place_policy {
  int32_t size;
  int32_t bind, place;
  kmpc_partition whole, own;
} kmpc_place_policy;

typedef enum kmpc_turn { KMPC_OWN_TEAMS, KMPC_TEAMS_OF_OTHERS } kmpc_turn;

typedef struct kmpc_league_run {
  void (*run)(kmpc_thread *self, kmpc_work *work, int32_t tid, kmpc_turn turn);
  kmpc_league shape;
  uint32_t grain;
  int32_t group_limit, strict_limit;
} kmpc_league_run;

struct kmpc_worker_team {
  kmpc_work work; /* work of regions without a tree; all workers read this line */
  /* node of the primary thread; its fork word is also set for regions without a tree */
  kmpc_node root;
  SOLO_ALIGNED(SOLO_CACHE_PAIR) kmpc_team team;
  kmpc_task *parent_task;
  int32_t has_tree;
  int32_t reduces_in_order;
  int32_t workers, capacity;
  kmpc_worker **worker;
  kmpc_worker_team *inner; /* worker team for nested regions of the primary thread */
  kmpc_thread *master;
  kmpc_place_policy place_policy;
  kmpc_tree tree;
  kmpc_league_run league;
  void *task_storage;
  kmpc_loop_range *ranges[KMPC_LOOP_SLOTS];
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint32_t arrived;
  /* number of the last joined region that had tasks or was a league over a tree; low 32 bits */
  _Atomic uint32_t joined;
  _Atomic uint32_t helped; /* 1: a worker has searched for teams after its arrival */
  /* phase << 32 | KMPC_PRIMARY_BEGINS? | arrived threads */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t barrier;
  int32_t primary_turns; /* number of coming phases that the primary thread begins */
  uint32_t stalled;      /* last phase in which the primary thread was stalled */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint32_t singles;
  solo_lock ordered;     /* lock of ordered regions in loops without a slot (loop/dispatch.c) */
  _Atomic int32_t dirty; /* 1: a loop slot was used; the join resets the slots */
  /* Copy of the primary thread's `cpu`, because its kmpc_thread can be freed before the worker team
   * (worker_pool.c, has_master_key). */
  _Atomic int32_t master_cpu;
  void *copyprivate;
  kmpc_loop_slot loops[KMPC_LOOP_SLOTS];
  kmpc_loop_slot crosses[KMPC_LOOP_SLOTS];
};

SOLO_INLINE kmpc_node *solo_kmp_node(kmpc_worker_team *worker_team, int32_t tid) {
  return tid ? &worker_team->worker[tid - 1]->node : &worker_team->root;
}

/* Returns the fork word of the current region, which has several threads. */
SOLO_INLINE uint64_t solo_kmp_region_word(const kmpc_thread *self,
                                          const kmpc_worker_team *worker_team) {
  return worker_team->master == self ? solo_load_relaxed(&worker_team->root.work.fork)
                                     : self->worker->seen;
}

SOLO_INLINE void **solo_kmp_args_of(kmpc_work *work) {
  return SOLO_LIKELY(work->arg_count <= KMPC_INLINE_ARGS) ? work->args : (void **)work->args[0];
}

/* Prepares a worker team of `size` threads, or of as many as can be created. Returns the size. */
int32_t solo_kmp_worker_team_ready(kmpc_thread *self, kmpc_worker_team **out_worker_team,
                                   int32_t size);

/* Returns NULL if no thread can be created. */
kmpc_worker *solo_kmp_pool_allocate_worker(kmpc_worker_team *worker_team, int32_t tid);
void solo_kmp_worker_run(kmpc_thread *self, kmpc_worker *worker, kmpc_worker_team *worker_team);
void solo_kmp_run_work(kmpc_thread *self, kmpc_work *work, int32_t tid);
/* Claims a part of a stealable region. Returns 0 if another thread has claimed it. */
int solo_kmp_claim(kmpc_worker *worker, uint64_t sequence);
void solo_kmp_worker_teams_release(kmpc_thread *self);
void solo_kmp_pool_end_workers(void);
/* Assigns places for policy `bind` (affinity.c). Returns the partition to restore at the join. */
kmpc_partition solo_kmp_assign_places(kmpc_thread *self, kmpc_worker_team *worker_team,
                                      int32_t bind);
void solo_kmp_worker_apply_place(kmpc_thread *self, const kmpc_worker *worker) SOLO_COLD;
void solo_kmp_reset_place(kmpc_worker *worker, const kmpc_worker_team *worker_team);
void solo_kmp_display_affinity_if_changed(kmpc_thread *self) SOLO_COLD;

typedef struct kmpc_part {
  void *data;
  size_t bytes;
  void (*combine)(void *, void *);
} kmpc_part;

/* Combines the parts of all threads, which all call this function (reduce_tree.c). punctual 1: does not
 * combine parts of late threads. Returns 1 if another thread adds the caller's part, 0 if the caller
 * must add its part under the lock. */
int solo_kmp_reduce_tree(kmpc_thread *self, const kmpc_part *part, int32_t punctual);

const char *solo_kmp_team_check(kmpc_worker_team *worker_team);

void solo_kmp_reset_loops(kmpc_worker_team *worker_team);

typedef struct kmpc_region {
  kmpc_micro micro;
  void **args;
  int32_t arg_count;
  int32_t size;
  int32_t bind;
  int32_t teams;       /* number of teams of a league; 0: parallel region */
  kmpc_strict *strict; /* strict modifier of num_threads; NULL: fewer threads are allowed */
} kmpc_region;

typedef struct kmpc_join {
  kmpc_worker_team *worker_team;
  const kmpc_team *outer;
  kmpc_partition partition;
  int32_t size, limit, is_bound;
} kmpc_join;

typedef struct kmpc_open_region {
  kmpc_frame frame;
  kmpc_join join;
} kmpc_open_region;

/* Opens a region. The calling thread executes its part between open and close (parallel_open.c).
 * region->args must remain valid until close. Returns 0, and opens nothing, if no thread can be
 * created. */
int solo_kmp_region_open(kmpc_thread *self, const kmpc_region *region, kmpc_open_region *open);
void solo_kmp_region_close(kmpc_thread *self, kmpc_open_region *open);

void solo_kmp_check_strict(kmpc_strict *strict, int32_t size) SOLO_COLD;

enum { KMPC_ARGS_ON_STACK = 64 };
#define KMPC_WITH_ARGS(fork, micro, count)                                                         \
  void *few[KMPC_ARGS_ON_STACK];                                                                   \
  void **args = few;                                                                               \
  if (SOLO_UNLIKELY((count) > KMPC_ARGS_ON_STACK) &&                                               \
      !(args = malloc((size_t)(count) * sizeof *args)))                                            \
    solo_kmp_fatal("out of memory for the %d arguments of a region", (int)(count));                \
  va_list list;                                                                                    \
  va_start(list, micro);                                                                           \
  for (int32_t i = 0; i < (count); i++) args[i] = va_arg(list, void *);                            \
  va_end(list);                                                                                    \
  fork(micro, count, args);                                                                        \
  if (SOLO_UNLIKELY(args != few)) free(args);

/* Returns the number of threads of a region; wanted: num_threads, or 0. */
int32_t solo_kmp_region_size(kmpc_thread *self, int32_t wanted);
/* Runs a region with several threads, or serialized if no thread can be created. */
void solo_kmp_region_run(kmpc_thread *self, const kmpc_region *region);
/* Runs a league with the pushed clauses. shared: see kmpc_league. */
void solo_kmp_league_run(kmpc_thread *self, kmpc_micro micro, int32_t count, void **args,
                         int32_t shared);
void solo_kmp_region_serial(kmpc_thread *self, const kmpc_region *region);

#endif
