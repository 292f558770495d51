/* Dependences between the child tasks of one generating task: nodes, and edges between them.
 *
 * A node stands for a task (or for a wait) with depend clauses; depend_table.h says what it waits for. Nodes of
 * one mutexinoutset set share a lock (kmpc_exclusion); a task takes all of its own before it runs,
 * in order of address, and keeps those that it has while it stands among the waiters of the next.
 *
 *   node:  waiting = predecessors + 1 --solo_kmp_depend_add ends--> predecessors --each
 *          predecessor's solo_kmp_depend_done--> 0: ready   --its own solo_kmp_depend_done--> done
 *
 * Ownership: nodes are counted (task, table, each link to it); the last one out frees. They live in
 * the caches of task/memory.h. Threads: any. Errors: none. Held by tests/unit/test_task_depend.c.
 */
#ifndef SOLO_KMPC_TASK_DEPEND_H
#define SOLO_KMPC_TASK_DEPEND_H

#include "abi/kmpc/task/memory.h"
#include "runtime/base/lock.h"

enum { KMPC_AFTER = 4 }; /* queues that a task may be let go behind */

typedef struct kmpc_depend_node kmpc_depend_node;
typedef struct kmpc_depend_link {
  kmpc_depend_node *node;
  struct kmpc_depend_link *next;
} kmpc_depend_link;

/* Mutual exclusion of the members of one mutexinoutset set. */
typedef struct kmpc_exclusion {
  _Atomic int32_t references; /* nodes and table entry */
  solo_lock lock;             /* guards the rest */
  int taken;
  kmpc_depend_node *waiters; /* ready nodes that wait for it, through next_ready */
} kmpc_exclusion;

struct kmpc_depend_node {
  _Atomic int32_t references;
  _Atomic int32_t waiting; /* see the diagram */
  solo_lock lock;          /* guards successors, and done when set */
  _Atomic int32_t done;
  kmpc_depend_link *successors;
  kmpc_depend_node *next_ready;
  void *task;              /* the user's; NULL: a wait, which nobody runs */
  void *queue;             /* its work is on this in-order queue (under lock); NULL: no */
  void *after[KMPC_AFTER]; /* predecessors let it go early on these queues (under lock) */
  int32_t after_count;
  const void *routine; /* target task: what it will run; NULL: anything that asks for its queues */
  int32_t place;       /* target task: 1 + number that its device has; 0: no target task */
  kmpc_exclusion **exclusion; /* sorted by address */
  int32_t exclusion_count, exclusions_held;
};

/* A node with two references: the caller's and that of its task (dropped by solo_kmp_depend_done).
 */
kmpc_depend_node *solo_kmp_depend_node(kmpc_cache *cache, void *task);
void solo_kmp_depend_drop(kmpc_cache *cache, kmpc_depend_node *node);

/* to waits for from, unless from is NULL, done, or to itself. Threads: of to's generating task. */
void solo_kmp_depend_edge(kmpc_cache *cache, kmpc_depend_node *from, kmpc_depend_node *to);

/* One thing less to wait for; nonzero: it was the last. */
int solo_kmp_depend_arrive(kmpc_depend_node *node);

void solo_kmp_depend_release_exclusion(kmpc_cache *cache, kmpc_exclusion *exclusion);

/* The node's task is complete (or the wait is over). Returns the nodes that became ready by that,
 * linked by next_ready; those without task are not among them. Drops the task's reference. */
kmpc_depend_node *solo_kmp_depend_done(kmpc_cache *cache, kmpc_depend_node *node);

/* The node's work is on an in-order queue, which will run what comes after it later: target tasks
 * for the same place that wait for it need not wait for its end, if they will ask for the queues
 * that they come behind, and these are few. Called once, before solo_kmp_depend_done. Returns those
 * that became ready, as solo_kmp_depend_done does. */
kmpc_depend_node *solo_kmp_depend_queued(kmpc_cache *cache, kmpc_depend_node *node, void *queue);

/* This routine asks for the queues of the task that it runs (runtime/host_threads.h). Threads: any. */
void solo_kmp_depend_asks(const void *routine);

/* Takes all exclusions of a ready node. 0: stands in a line; it is handed out again by the
 * solo_kmp_depend_unlock of who has the exclusion. */
int solo_kmp_depend_lock(kmpc_depend_node *node);
/* Before solo_kmp_depend_done. Returns nodes that now go on with solo_kmp_depend_lock, linked by
 * next_ready. */
kmpc_depend_node *solo_kmp_depend_unlock(kmpc_depend_node *node);

SOLO_INLINE int solo_kmp_depend_is_ready(kmpc_depend_node *node) {
  return solo_load_acquire(&node->waiting) == 0; /* pairs with solo_kmp_depend_done */
}

#endif
