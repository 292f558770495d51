/* The tree of a large team. Regions begin and end over it, and barriers pass through it
 * (docs/design/host-threads.md). A thread waits only for its children and its parent, on cache
 * lines of its node.
 *
 *   epoch = region << 32 | number of the barrier in the region (KMPC_EPOCH_END: end of the region)
 *
 * Invariant: each epoch occurs once, so the words that a cancelled region leaves need no reset.
 * Invariant: a region with a tree is not stealable. When it begins, all threads of the previous
 *            region have passed it on and have arrived.
 *
 * Ownership: nodes are part of the worker records. Threads: the parent writes fork and release, the
 * node's thread writes arrived and helping, the primary thread writes the children between regions.
 * Errors: none.
 */
#ifndef SOLO_KMPC_TREE_H
#define SOLO_KMPC_TREE_H

#include "abi/kmpc/kmpc.h"

enum { KMPC_INLINE_ARGS = 4 };
#define KMPC_EPOCH_END 0xFFFFFFFFu

/* A region's work: one cache line. */
typedef struct kmpc_work {
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t fork; /* worker_team.h */
  kmpc_micro micro;
  int32_t arg_count;
  int32_t teams;                /* teams of a league; 0: a parallel region */
  _Atomic uint64_t release;     /* epoch of the last completed barrier */
  void *args[KMPC_INLINE_ARGS]; /* if there are more, args[0] points to all */
} kmpc_work;

/* What a worker helps with after it has left its region. */
enum kmpc_helping { KMPC_HELPING_NOT, KMPC_HELPING_TASKS, KMPC_HELPING_LEAGUE };

typedef struct kmpc_node {
  SOLO_ALIGNED(SOLO_CACHE_PAIR) kmpc_eventcount eventcount; /* its thread sleeps here */
  struct kmpc_node *parent;
  struct kmpc_node **child; /* points into kmpc_tree.order */
  int32_t children;
  kmpc_work work;
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t arrived; /* epoch */
  _Atomic uint32_t helping;                               /* enum kmpc_helping */
  /* epoch of the last reduction that it combined (reduce_tree.c); no thread polls this line */
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t taking;
} kmpc_node;

/* In the worker team; written rarely. */
typedef struct kmpc_tree {
  int32_t size;     /* team size that the tree was made for; 0: none */
  int32_t above;    /* largest team without a tree (tree_above()) */
  int32_t notified; /* size of the last region: these workers must receive the next fork word */
  kmpc_node *
      *order; /* children of all nodes, consecutive; in the block of kmpc_worker_team.worker */
  kmpc_node **leader; /* temporary, same size */
} kmpc_tree;

#endif
