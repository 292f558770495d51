/* Dependences between the children of one generating task: nodes and edges. A node represents a
 * task, or a wait, with depend clauses. `waiting` is the number of unfinished predecessors, plus 1
 * until solo_kmp_depend_add ends; the node is ready at 0. The task, the table and each link hold a
 * reference to a node. */
#ifndef SOLO_KMPC_TASK_DEPEND_H
#define SOLO_KMPC_TASK_DEPEND_H

#include "abi/kmpc/task/memory.h"
#include "runtime/base/lock.h"

enum { KMPC_AFTER = 4 }; /* queues behind which a task can be enqueued early */

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
  kmpc_depend_node *waiters; /* ready nodes, linked by next_ready */
} kmpc_exclusion;

struct kmpc_depend_node {
  _Atomic int32_t references;
  _Atomic int32_t waiting;
  solo_lock lock; /* guards successors, queue, after; done is stored under it */
  _Atomic int32_t done;
  kmpc_depend_link *successors;
  kmpc_depend_node *next_ready;
  void *task;              /* NULL: the node of a wait */
  void *queue;             /* in-order queue of its device work, or NULL */
  void *after[KMPC_AFTER]; /* queues whose work must precede this task */
  int32_t after_count;
  const void *routine;        /* routine of a target task; NULL: assume that it calls queues() */
  int32_t place;              /* target task: device number + 1; otherwise 0 */
  kmpc_exclusion **exclusion; /* sorted by address */
  int32_t exclusion_count, exclusions_held;
};

/* Creates a node with two references: the caller's, and the task's, which solo_kmp_depend_done
 * releases. */
kmpc_depend_node *solo_kmp_depend_node(kmpc_cache *cache, void *task);
void solo_kmp_depend_drop(kmpc_cache *cache, kmpc_depend_node *node);

/* Adds the edge from -> to, unless from is NULL, done, or equal to to. Called by the thread that
 * executes the generating task. */
void solo_kmp_depend_edge(kmpc_cache *cache, kmpc_depend_node *from, kmpc_depend_node *to);

/* Removes one predecessor. Returns nonzero if it was the last. */
int solo_kmp_depend_arrive(kmpc_depend_node *node);

void solo_kmp_depend_release_exclusion(kmpc_cache *cache, kmpc_exclusion *exclusion);

/* The task of the node is complete, or the wait has ended. Releases the reference of the task.
 * Returns the tasks' nodes that became ready, linked by next_ready. */
kmpc_depend_node *solo_kmp_depend_done(kmpc_cache *cache, kmpc_depend_node *node);

/* The work of the node is on an in-order queue. Releases the successors for the same device that
 * will enqueue their work behind it. Called once, before solo_kmp_depend_done; returns the same
 * list. */
kmpc_depend_node *solo_kmp_depend_queued(kmpc_cache *cache, kmpc_depend_node *node, void *queue);

/* Records that this routine calls queues() (runtime/host_threads.h). Thread-safe. */
void solo_kmp_depend_asks(const void *routine);

/* Acquires all exclusions of a ready node. Returns 0 if the node waits for one: then
 * solo_kmp_depend_unlock of its holder returns the node later. */
int solo_kmp_depend_lock(kmpc_depend_node *node);
/* Releases the exclusions, before solo_kmp_depend_done. Returns nodes that must continue with
 * solo_kmp_depend_lock, linked by next_ready. */
kmpc_depend_node *solo_kmp_depend_unlock(kmpc_depend_node *node);

SOLO_INLINE int solo_kmp_depend_is_ready(kmpc_depend_node *node) {
  /* pairs with the subtraction in solo_kmp_depend_arrive */
  return solo_load_acquire(&node->waiting) == 0;
}

#endif
