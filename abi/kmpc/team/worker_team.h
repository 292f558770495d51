/* A worker team: a master's persistent workers, and the words by which the threads of its regions synchronise.
 *
 * The master publishes a region by writing its work and then the fork word; workers whose number is
 * below the region's size run it, count themselves in `arrived` and wait for the next change of the
 * fork word. Nothing else is written per region unless it changed, so that the team's record stays
 * shared in all caches.
 *
 *   fork word = sequence << 16 | KMPC_STEALABLE? | size (KMPC_DISBAND: workers return to the pool)
 *
 *   master:  IDLE --publish--> RUNNING --own part done--> JOINING
 *            JOINING --arrived == size - 1, tasks done--> (joined = sequence, nobody helping) --> IDLE
 *   worker:  WAITING --fork word changed, size > tid--> RUNNING --arrived++--> WAITING, helping with tasks
 *
 * Stealable regions (those of targets and leagues, where threadprivate cannot occur, unless they have a tree): a worker must
 * first move its `claimed` word up to the region's sequence. A master that is through and finds a
 * worker that has not begun does that itself and runs the worker's part. So a descheduled or
 * sleeping worker costs nothing on a busy machine. A region with a barrier is not affected: its
 * master cannot be through before everybody has begun.
 *
 * A worker helps with tasks of a finished region only while its node's word `helping` is set and after it
 * has seen that the region is not joined; so no late helper meets the next region's tasks.
 *
 * Large teams begin and end their regions over a tree (tree.h): then the fork word is in each worker's node, `arrived`
 * is not used, and the next region's fork word is the newer of the two. A worker that is in no region any more hears
 * of the first one that it is not in. A worker that has arrived in a league and hears of no region for a while takes teams
 * that others have left, with `helping` set and after it has seen that the league is not joined: set to
 * KMPC_HELPING_LEAGUE, since its master may sleep until it is not. It sets `helped` before, so that the master need not
 * ask each worker where nobody has.
 *
 * Ownership: a worker team belongs to the thread that leads it and is never freed while the process lives
 * unless that thread ends; workers belong to a worker team or to the pool (worker_pool.c).
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
  kmpc_node node;                        /* its event: where it waits for its next region */
  int32_t tid;                           /* its number in the worker team's regions */
  kmpc_worker_team *_Atomic worker_team; /* NULL: in the pool */
  kmpc_thread *_Atomic thread;
  struct kmpc_worker *next; /* pool list */
  pthread_t handle;
  /* its place assignment (affinity.c): written by its master while it waits, taken over when place_version has changed */
  int32_t place;
  kmpc_partition partition;
  uint32_t place_version;
  /* sequence of the last stealable region whose part has begun (all of it: 2^31 other regions may
   * lie between); a line of its own: the master looks at it only when the worker is late */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t claimed;
  uint64_t seen;     /* the fork word that it saw last */
  int32_t took_part; /* in that region, and may help with its tasks */
  /* reduce_tree.c: where this worker and the thread that takes its part meet; one line */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t reduction;
  _Atomic uint64_t
      reduction_left; /* epoch of the last part that its combiner, when asked, had not taken */
  void *reduction_data;
  void *reduction_list[KMPC_REDUCTION_LIST]; /* a short list of variables: what the data is then */
} kmpc_worker;

/* What the place assignment of a region with a policy follows from, and the master's partition in it. A worker
 * that joins later has a number beyond the size. */
typedef struct kmpc_place_policy {
  int32_t size; /* 0: none */
  int32_t bind, place;
  kmpc_partition whole, own;
} kmpc_place_policy;

/* How the threads of a region run the teams of a league (league.c): which ones. */
typedef enum kmpc_turn {
  KMPC_OWN_TEAMS,   /* the thread's own, then what others have left */
  KMPC_OTHERS_TEAMS /* what others have left: the thread has arrived already */
} kmpc_turn;

/* What the teams of a league have in common. Most leagues of a program have the same, so that those who read it have
 * it in their caches: what differs travels with the work. */
typedef struct kmpc_league_run {
  void (*run)(kmpc_thread *self, kmpc_work *work, int32_t tid, kmpc_turn turn);
  kmpc_league shape;                 /* team is filled in per team */
  uint32_t grain;                    /* teams taken at once */
  int32_t group_limit, strict_limit; /* of each team */
} kmpc_league_run;

struct kmpc_worker_team {
  kmpc_work
      work; /* of regions without a tree: written by the master, one line, read by every worker */
  kmpc_node
      root; /* the master's; work.fork there: the fork word of the last region of either kind */
  /* read-mostly */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) kmpc_team team;
  kmpc_task *parent_task;
  int32_t has_tree;          /* its region */
  int32_t reduces_in_order;  /* KMPC_REDUCE_TREE: each thread runs its own part */
  int32_t workers, capacity; /* workers present; numbers for which arrays have room */
  kmpc_worker **worker;
  kmpc_worker_team *inner; /* the worker team for a region inside this one's master */
  kmpc_thread *master;
  kmpc_place_policy place_policy; /* what its workers' places follow from */
  kmpc_tree tree;
  kmpc_league_run league; /* its region's, if that is one */
  void *task_storage;
  kmpc_loop_range *ranges[KMPC_LOOP_SLOTS];
  /* end of the region */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint32_t arrived;
  _Atomic uint32_t
      joined; /* low bits of the sequence of the last joined region with tasks, or league over a tree */
  _Atomic uint32_t helped; /* a worker that had arrived has looked for teams of the league */
  /* barrier: phase << 32 | threads that have arrived */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t barrier;
  /* worksharing */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint32_t singles; /* single constructs taken */
  solo_lock ordered;     /* around ordered parts of loops that have no slot (loop/dispatch.c) */
  _Atomic int32_t dirty; /* loops or doacross used in this region: reset at its end */
  /* where the master was when it last waited here, plus 1: workers do not ask the master itself, which may be a thread
   * that has ended without a word (worker_pool.c, has_master_key) */
  _Atomic int32_t master_cpu;
  void *copyprivate;
  kmpc_loop_slot loops[KMPC_LOOP_SLOTS];
  kmpc_loop_slot crosses[KMPC_LOOP_SLOTS];
};

/* The node of a thread of the worker team's regions. */
SOLO_INLINE kmpc_node *solo_kmp_node(kmpc_worker_team *worker_team, int32_t tid) {
  return tid ? &worker_team->worker[tid - 1]->node : &worker_team->root;
}

/* The fork word of the region in which self is, of a team of several. */
SOLO_INLINE uint64_t solo_kmp_region_word(const kmpc_thread *self,
                                          const kmpc_worker_team *worker_team) {
  /* constant in the region; only the master writes it */
  return worker_team->master == self ? solo_load_relaxed(&worker_team->root.work.fork)
                                     : self->worker->seen;
}

SOLO_INLINE void **solo_kmp_args_of(kmpc_work *work) {
  return SOLO_LIKELY(work->arg_count <= KMPC_INLINE_ARGS) ? work->args : (void **)work->args[0];
}

/* A worker team of self's with at least size - 1 workers, or as many as could be had: returns the size. */
int32_t solo_kmp_worker_team_ready(kmpc_thread *self, kmpc_worker_team **out_worker_team,
                                   int32_t size);

/* worker_pool.c: a worker for the worker team as number tid; NULL: no thread can be had. */
kmpc_worker *solo_kmp_pool_take(kmpc_worker_team *worker_team, int32_t tid);
/* worker.c: the worker takes part in the worker team's regions until that is disbanded. */
void solo_kmp_serve(kmpc_thread *self, kmpc_worker *worker, kmpc_worker_team *worker_team);
/* Runs a part of a region, which the thread has entered. */
void solo_kmp_run_work(kmpc_thread *self, kmpc_work *work, int32_t tid);
/* Lets the part of a stealable region (its sequence) begin, once; 0: it has begun. */
int solo_kmp_claim(kmpc_worker *worker, uint64_t sequence);
/* Sends the workers of all worker teams of a thread back to the pool and frees the worker teams. */
void solo_kmp_worker_teams_release(kmpc_thread *self);
/* affinity.c: assigns places to self, its master, and the worker team's workers for a region whose policy is
 * bind. Returns the partition that self has again after the region. */
kmpc_partition solo_kmp_assign_places(kmpc_thread *self, kmpc_worker_team *worker_team,
                                      int32_t bind);
/* The worker binds itself to the place that its master assigned. */
void solo_kmp_take_place(kmpc_thread *self, const kmpc_worker *worker) SOLO_COLD;
/* The worker joins the worker team: no place yet, its master's partition. It waits, or does not run yet.
 */
void solo_kmp_reset_place(kmpc_worker *worker, const kmpc_worker_team *worker_team);
/* At a region's begin: prints the thread's affinity if OMP_DISPLAY_AFFINITY asks, when it or the thread's team and
 * number are not what they were (OpenMP 5.2, 21.2.5). */
void solo_kmp_show_affinity(kmpc_thread *self) SOLO_COLD;

/* A thread's part of a reduction: a list of pointers to its copies of the variables, and how two are combined. */
typedef struct kmpc_part {
  void *data;
  size_t bytes; /* of the list */
  void (*combine)(void *, void *);
} kmpc_part;

/* reduce_tree.c: combines the parts of the team; punctual: nobody waits long for a late thread. 1:
 * done, somebody else adds the result to the program's variables; 0: the caller must add what is
 * now in its part, and not alone. Every thread of the team (of several) calls it, for the same
 * reductions in one order. */
int solo_kmp_reduce_tree(kmpc_thread *self, const kmpc_part *part, int32_t punctual);

/* check.c: what is wrong with a worker team whose region is joined; NULL: nothing. For SOLO_ASSERT_SOUND: the variants
 * for tests only. */
const char *solo_kmp_team_check(kmpc_worker_team *worker_team);

/* fork.c: makes all loop slots free and puts them at their first turn; nobody may be in a loop. */
void solo_kmp_reset_loops(kmpc_worker_team *worker_team);

/* A parallel region or a league, ready to run. */
typedef struct kmpc_region {
  kmpc_micro micro;
  void **args;
  int32_t arg_count;
  int32_t size;        /* wanted threads */
  int32_t bind;        /* proc_bind clause or ICV */
  int32_t teams;       /* of a league: no group's limit holds, no level is added; 0: no league */
  kmpc_strict *strict; /* what it must have; NULL: fewer threads will do */
} kmpc_region;

/* A region begins with this many threads: warns or ends the program if it had to be another number
 * (push.c). The request is over then. */
void solo_kmp_check_strict(kmpc_strict *strict, int32_t size) SOLO_COLD;

/* The body of an entry point (..., count, micro, ...): fork(micro, count, its variable arguments).
 */
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

/* How many threads a region may have that asks for wanted (0: not said). */
int32_t solo_kmp_region_size(kmpc_thread *self, int32_t wanted);
/* Runs it with region->size threads (more than 1 wanted) or serialized if none can be had. */
void solo_kmp_region_run(kmpc_thread *self, const kmpc_region *region);
/* league.c: runs a league as the thread's announcements (push_teams ...) say; shared: kmpc_league.
 */
void solo_kmp_league_run(kmpc_thread *self, kmpc_micro micro, int32_t count, void **args,
                         int32_t shared);
/* Runs it on this thread alone. */
void solo_kmp_region_serial(kmpc_thread *self, const kmpc_region *region);

#endif
