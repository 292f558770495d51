/* A worker team: the persistent workers of one primary thread and the words that synchronise its
 * regions (docs/design/host-threads.md).
 *
 *   fork word = sequence << 16 | KMPC_STEALABLE? | size, or KMPC_DISBAND: return to the pool
 *   primary:  IDLE --publish--> RUNNING --part done--> JOINING --all arrived, tasks done--> IDLE
 *   worker:   WAITING --fork word changed, size > tid--> RUNNING --arrives--> WAITING
 *
 * Invariant: the part of each thread in a stealable region runs once. Worker and primary thread
 *            claim it with a compare-and-swap of `claimed`.
 * Invariant: a worker helps with tasks or teams of a region only while node.helping is set, and
 *            only if `joined` is still an older sequence when it reads `joined` afterwards.
 * Ordering:  the seq_cst stores in worker_help() and help_league() pair with the seq_cst loads in
 *            has_no_helpers() and league_has_no_helpers().
 * Otherwise: a late helper could run tasks or teams of the next region.
 *
 * Ownership: the thread that leads a worker team owns it and frees it when it ends. Workers belong
 * to a worker team or to the pool (worker_pool.c).
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
enum { KMPC_STEALABLE = 0x8000, KMPC_SIZE_MASK = 0x7FFF, KMPC_DISBAND = 0xFFFF };

typedef struct kmpc_worker {
  kmpc_node node;                        /* its event count: where it waits for regions */
  int32_t tid;                           /* its number in the worker team's regions */
  kmpc_worker_team *_Atomic worker_team; /* NULL: in the pool */
  kmpc_thread *_Atomic thread;
  struct kmpc_worker *next;
  pthread_t handle;
  /* place assignment (affinity.c): written by the primary thread while the worker waits; applied
   * when place_version changes */
  int32_t place;
  kmpc_partition partition;
  uint32_t place_version;
  /* sequence of the last stealable region whose part has begun; own line, because the primary
   * thread reads it rarely */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t claimed;
  uint64_t seen;     /* last fork word that it read */
  int32_t took_part; /* executed a part of that region; may help with its tasks */
  /* reduce_tree.c: exchange with the combining thread */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t reduction;
  _Atomic uint64_t reduction_left; /* epoch of the last part that the combiner did not add */
  void *reduction_data;
  /* copy of a short variable list; reduction_data points here */
  void *reduction_list[KMPC_REDUCTION_LIST];
} kmpc_worker;

/* Input of the last place assignment (affinity.c), and the partition of the primary thread in it. */
typedef struct kmpc_place_policy {
  int32_t size; /* 0: none */
  int32_t bind, place;
  kmpc_partition whole, own;
} kmpc_place_policy;

/* Which teams of a league a thread executes (league.c). */
typedef enum kmpc_turn {
  KMPC_OWN_TEAMS, /* its own teams, then teams of others */
  KMPC_OTHERS_TEAMS
} kmpc_turn;

/* The common data of a league's teams. It rarely changes between leagues, so it stays in all
 * caches. */
typedef struct kmpc_league_run {
  void (*run)(kmpc_thread *self, kmpc_work *work, int32_t tid, kmpc_turn turn);
  kmpc_league shape; /* `team` is set per team */
  uint32_t grain;
  int32_t group_limit, strict_limit; /* of each team */
} kmpc_league_run;

struct kmpc_worker_team {
  kmpc_work work; /* regions without a tree: one line that all workers read */
  kmpc_node
      root; /* node of the primary thread; root.work.fork is the last fork word of both kinds */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) kmpc_team team;
  kmpc_task *parent_task;
  int32_t has_tree;          /* the current region has a tree */
  int32_t reduces_in_order;  /* KMPC_REDUCE_TREE: each thread must run its own part */
  int32_t workers, capacity; /* existing workers; size of the arrays */
  kmpc_worker **worker;
  kmpc_worker_team *inner; /* for a region that the primary thread forks inside this one */
  kmpc_thread *master;
  kmpc_place_policy place_policy;
  kmpc_tree tree;
  kmpc_league_run league;
  void *task_storage;
  kmpc_loop_range *ranges[KMPC_LOOP_SLOTS];
  /* end of a region */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint32_t arrived;
  _Atomic uint32_t
      /* low bits of the sequence of the last joined region with tasks, or league over a tree */
      joined;
  _Atomic uint32_t helped; /* an arrived worker has searched for teams of the league */
  /* phase << 32 | arrived threads */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t barrier;
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint32_t singles; /* single constructs executed */
  solo_lock ordered;     /* ordered parts of loops without a slot (loop/dispatch.c) */
  _Atomic int32_t dirty; /* a loop or doacross loop was used: reset at the join */
  /* processor + 1 where the primary thread last waited. Workers do not read this from the thread,
   * whose record may be freed (worker_pool.c, has_master_key). */
  _Atomic int32_t master_cpu;
  void *copyprivate;
  kmpc_loop_slot loops[KMPC_LOOP_SLOTS];
  kmpc_loop_slot crosses[KMPC_LOOP_SLOTS];
};

SOLO_INLINE kmpc_node *solo_kmp_node(kmpc_worker_team *worker_team, int32_t tid) {
  return tid ? &worker_team->worker[tid - 1]->node : &worker_team->root;
}

/* The fork word of the current region of `self`; the team has several threads. */
SOLO_INLINE uint64_t solo_kmp_region_word(const kmpc_thread *self,
                                          const kmpc_worker_team *worker_team) {
  /* relaxed: constant in the region; only the primary thread writes it */
  return worker_team->master == self ? solo_load_relaxed(&worker_team->root.work.fork)
                                     : self->worker->seen;
}

SOLO_INLINE void **solo_kmp_args_of(kmpc_work *work) {
  return SOLO_LIKELY(work->arg_count <= KMPC_INLINE_ARGS) ? work->args : (void **)work->args[0];
}

/* Prepares a worker team with size - 1 workers, or as many as can be created. Returns the size. */
int32_t solo_kmp_worker_team_ready(kmpc_thread *self, kmpc_worker_team **out_worker_team,
                                   int32_t size);

/* Returns a worker for number `tid`; NULL: no thread can be created. */
kmpc_worker *solo_kmp_pool_take(kmpc_worker_team *worker_team, int32_t tid);
/* worker.c: executes the worker's parts of regions until the worker team is disbanded. */
void solo_kmp_serve(kmpc_thread *self, kmpc_worker *worker, kmpc_worker_team *worker_team);
void solo_kmp_run_work(kmpc_thread *self, kmpc_work *work, int32_t tid);
/* Claims a part of the stealable region `sequence`; 0: it has begun already. */
int solo_kmp_claim(kmpc_worker *worker, uint64_t sequence);
/* Returns the workers of all worker teams of the thread to the pool and frees the worker teams. */
void solo_kmp_worker_teams_release(kmpc_thread *self);
/* affinity.c: assigns places for a region with policy `bind`. Returns the partition that `self`
 * must restore after the region. */
kmpc_partition solo_kmp_assign_places(kmpc_thread *self, kmpc_worker_team *worker_team,
                                      int32_t bind);
/* Binds the worker to its assigned place. */
void solo_kmp_take_place(kmpc_thread *self, const kmpc_worker *worker) SOLO_COLD;
/* Initialises the place of a worker that joins the worker team and does not run yet. */
void solo_kmp_reset_place(kmpc_worker *worker, const kmpc_worker_team *worker_team);
/* Prints a changed affinity at the begin of a region (OpenMP 5.2, 21.2.5). */
void solo_kmp_show_affinity(kmpc_thread *self) SOLO_COLD;

/* A thread's reduction variables. */
typedef struct kmpc_part {
  void *data;
  size_t bytes; /* size of the pointer list */
  void (*combine)(void *, void *);
} kmpc_part;

/* reduce_tree.c: combines the parts of the team. All threads of a team of several call it for the
 * same reductions in the same order. punctual: do not wait long for a late thread. Returns 1 if
 * another thread adds the result; 0 if the caller must add its part under the lock. */
int solo_kmp_reduce_tree(kmpc_thread *self, const kmpc_part *part, int32_t punctual);

/* check.c: returns an error text for a joined worker team, or NULL. For SOLO_ASSERT_SOUND. */
const char *solo_kmp_team_check(kmpc_worker_team *worker_team);

void solo_kmp_reset_loops(kmpc_worker_team *worker_team);

typedef struct kmpc_region {
  kmpc_micro micro;
  void **args;
  int32_t arg_count;
  int32_t size;  /* requested threads */
  int32_t bind;  /* proc_bind clause or ICV */
  int32_t teams; /* teams of a league (no group limit, no level is added); 0: parallel region */
  kmpc_strict *strict; /* NULL: fewer threads are allowed */
} kmpc_region;

/* push.c: warns or ends the program if `size` is not the requested number. Clears the request. */
void solo_kmp_check_strict(kmpc_strict *strict, int32_t size) SOLO_COLD;

/* Body of an entry point with variable arguments: calls fork(micro, count, args). */
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

/* The number of threads of a region that requests `wanted` (0: no request). */
int32_t solo_kmp_region_size(kmpc_thread *self, int32_t wanted);
/* Runs a region with region->size > 1 threads, or serialized if no thread can be created. */
void solo_kmp_region_run(kmpc_thread *self, const kmpc_region *region);
/* league.c: runs a league with the announced clauses. shared: kmpc_league. */
void solo_kmp_league_run(kmpc_thread *self, kmpc_micro micro, int32_t count, void **args,
                         int32_t shared);
void solo_kmp_region_serial(kmpc_thread *self, const kmpc_region *region);

#endif
