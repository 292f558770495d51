/* Dependences between the children of one generating task. A node represents a task, or a wait,
 * with depend clauses. `waiting` is the number of unfinished predecessors, plus 1 until
 * solo_kmp_depend_add ends; at 0 the node is ready. The table, the task and each link hold
 * references to a node. */
#ifndef SOLO_KMPC_TASK_DEPEND_H
#define SOLO_KMPC_TASK_DEPEND_H

#include "abi/kmpc/task/memory.h"
#include "runtime/base/lock.h"

enum { KMPC_AFTER = 4 };

typedef struct kmpc_depend_node kmpc_depend_node;
typedef struct kmpc_depend_link {
  kmpc_depend_node *node;
  struct kmpc_depend_link *next;
} kmpc_depend_link;

/* The lock that mutexinoutset dependences on one address use. */
typedef struct kmpc_exclusion {
  _Atomic int32_t references;
  solo_lock lock;
  int locked;
  kmpc_depend_node *waiters;
} kmpc_exclusion;

struct kmpc_depend_node {
  _Atomic int32_t references;
  _Atomic int32_t waiting;
  solo_lock lock; /* guards successors, queue, after */
  _Atomic int32_t done;
  kmpc_depend_link *successors;
  kmpc_depend_node *next_ready;
  void *task; /* NULL: the node of a wait */
  void *queue;
  void *after[KMPC_AFTER]; /* device queues with work that must precede this task */
  int32_t after_count;
  /* the task's routine, which calls_queues() in depend.c looks up; NULL: calls_queues() returns 1 */
  const void *routine;
  int32_t place; /* target task: device number + 1; else 0 */
  kmpc_exclusion **exclusion;
  int32_t exclusion_count, exclusions_held;
};

/* Returns a node with two references: one for the caller; solo_kmp_depend_done releases the other. */
kmpc_depend_node *solo_kmp_depend_node(kmpc_cache *cache, void *task);
void solo_kmp_depend_drop(kmpc_cache *cache, kmpc_depend_node *node);

/* Makes `to` wait for `from`, unless `from` is NULL or done. Only the thread of the generating task
 * calls this function. */
void solo_kmp_depend_edge(kmpc_cache *cache, kmpc_depend_node *from, kmpc_depend_node *to);

/* Subtracts 1 from `waiting`. Returns nonzero if the node becomes ready. If the node represents a
 * wait, life.c wakes the waiting thread when it counts the predecessor as complete. */
int solo_kmp_depend_arrive(kmpc_depend_node *node);

void solo_kmp_depend_release_exclusion(kmpc_cache *cache, kmpc_exclusion *exclusion);

/* Marks the node as done. Returns the nodes of tasks that became ready, linked by next_ready. */
kmpc_depend_node *solo_kmp_depend_done(kmpc_cache *cache, kmpc_depend_node *node);

/* Called before solo_kmp_depend_done if the node's work is in an in-order queue. Releases the
 * successors that will enqueue their work behind this work, and returns them like
 * solo_kmp_depend_done. */
kmpc_depend_node *solo_kmp_depend_queued(kmpc_cache *cache, kmpc_depend_node *node, void *queue);

void solo_kmp_depend_note_queues_caller(const void *routine);

/* Acquires the mutexinoutset locks of a ready node. Returns 0 if a lock is not free; then a later
 * solo_kmp_depend_unlock returns the node. */
int solo_kmp_depend_lock(kmpc_depend_node *node);
/* Releases the locks of solo_kmp_depend_lock(); called before solo_kmp_depend_done. Returns nodes
 * that have waited for a lock; the caller calls solo_kmp_depend_lock for each. */
kmpc_depend_node *solo_kmp_depend_unlock(kmpc_depend_node *node);

SOLO_INLINE int solo_kmp_depend_is_ready(kmpc_depend_node *node) {
  /* pairs with solo_kmp_depend_arrive */
  return solo_load_acquire(&node->waiting) == 0;
}

#endif
