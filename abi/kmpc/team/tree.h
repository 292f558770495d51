/* The tree of a large team: over it regions begin and end, and barriers go up and down.
 *
 * In a small team all threads look at one fork word and count in one arrival word: few lines, each of which goes
 * round. That takes n transfers one after the other, so a team of more threads than KMPC_TREE_ABOVE_ROOMY (where there
 * are no more processors, than KMPC_TREE_ABOVE) meets in a tree: a thread waits for its children and its parent only,
 * and each waits at lines of its own (kmpc_node).
 *
 *   fork      a parent writes the region into its children's nodes, which pass it on before they run their part
 *   barrier   a thread that has its children's epochs writes its own; the root's answer goes down as fork does
 *   join      as the way up of a barrier; the epoch is the region's last
 *
 *   epoch = region << 32 | number of the barrier in the region (KMPC_EPOCH_END: the region's end)
 *
 * An epoch is never met twice, so what a cancelled region leaves behind need not be put right. Levels are as few as
 * KMPC_TREE_WIDTH children allow; a parent looks at its children without branches between, so that the lines
 * come at the same time, and asks which of them sleep only after it has written to all (bench/coherence has the numbers).
 * Threads with consecutive numbers are neighbours; where they are bound, the lowest groups do not cross packages.
 *
 * Only regions in which each thread runs its own part have a tree (not those that may be stolen, worker_team.h): when
 * a region begins, all threads of the last one have passed it on and have arrived.
 *
 * Ownership: nodes lie in the records of their threads. Threads: a node's fork and release are written by
 * the parent, arrived and helping by its thread, the children by the master between regions. Errors: none.
 */
#ifndef SOLO_KMPC_TREE_H
#define SOLO_KMPC_TREE_H

#include "abi/kmpc/kmpc.h"

enum { KMPC_INLINE_ARGS = 4 };
#define KMPC_EPOCH_END 0xFFFFFFFFu

/* A region's work as its threads find it: one line. */
typedef struct kmpc_work {
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t fork; /* worker_team.h */
  kmpc_micro micro;
  int32_t arg_count;
  int32_t teams;                /* of a league, each of which is a call; 0: a parallel region */
  _Atomic uint64_t release;     /* epoch of the last barrier that is over (in nodes) */
  void *args[KMPC_INLINE_ARGS]; /* more of them: the first points to all */
} kmpc_work;

/* What a worker helps with. */
enum kmpc_helping { KMPC_HELPING_NOT, KMPC_HELPING_TASKS, KMPC_HELPING_LEAGUE };

typedef struct kmpc_node {
  SOLO_ALIGNED(SOLO_CACHE_PAIR) kmpc_eventcount eventcount; /* where its thread sleeps */
  struct kmpc_node *parent;
  struct kmpc_node **child; /* into kmpc_tree.order */
  int32_t children;
  kmpc_work work;
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t arrived; /* epoch */
  _Atomic uint32_t helping; /* kmpc_helping: in a region that it has left (worker_team.h) */
  /* of the reduction whose parts it takes from its children, or took last (reduce_tree.c); a line that nobody polls */
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t taking;
} kmpc_node;

/* In the worker team; read-mostly. */
typedef struct kmpc_tree {
  int32_t size;     /* of the team that it was made for; 0: none */
  int32_t above;    /* threads of a region that has none yet: worker_pool.c */
  int32_t notified; /* workers below this number may think that they are in the last region */
  kmpc_node **
      order; /* the children of each node, consecutive; room for capacity, in the block of the workers */
  kmpc_node **leader; /* while it is made; the same room */
} kmpc_tree;

#endif
