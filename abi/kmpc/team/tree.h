/* The tree of a large team, for fork, join and barriers (docs/design/host-threads.md). A thread
 * waits only for its children and its parent: it reads `arrived` in the nodes of its children, and
 * `fork` and `release` in its own node.
 *
 *   epoch = region << 32 | number of the barrier in the region (KMPC_EPOCH_END: end of the region)
 *
 * Invariant: each epoch is used once, so nodes need no reset after a cancelled region.
 * Invariant: regions with a tree are not stealable.
 *
 * Threads: the parent writes `fork` and `release`; the node's thread writes `arrived` and
 * `helping`; the primary thread writes `children`, between regions.
 */
#ifndef SOLO_KMPC_TREE_H
#define SOLO_KMPC_TREE_H

#include "abi/kmpc/kmpc.h"

enum { KMPC_INLINE_ARGS = 4 };
#define KMPC_EPOCH_END 0xFFFFFFFFu

/* The work of a region, in one cache line. */
typedef struct kmpc_work {
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t fork;
  kmpc_micro micro;
  int32_t arg_count;
  int32_t teams;                /* 0: a parallel region */
  _Atomic uint64_t release;     /* epoch of the last completed barrier */
  void *args[KMPC_INLINE_ARGS]; /* if there are more, args[0] points to an array of all */
} kmpc_work;

/* Work with which a worker helps after it has arrived. */
enum kmpc_helping { KMPC_HELPING_NOT, KMPC_HELPING_TASKS, KMPC_HELPING_LEAGUE };

typedef struct kmpc_node {
  SOLO_ALIGNED(SOLO_CACHE_PAIR) kmpc_eventcount eventcount;
  struct kmpc_node *parent;
  struct kmpc_node **child;
  int32_t children;
  kmpc_work work;
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t arrived;
  _Atomic uint32_t helping;
  /* epoch of the last reduction that this node's thread began to combine (reduce_tree.c); no thread
   * polls this line */
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t taking;
} kmpc_node;

typedef struct kmpc_tree {
  int32_t size;
  int32_t above;     /* a team of at most this size uses no tree */
  int32_t notified;  /* size of the previous region */
  kmpc_node **order; /* one array with the children of all nodes */
  kmpc_node **leader;
} kmpc_tree;

#endif
