#include "abi/kmpc/task/depend.h"

kmpc_depend_node *solo_kmp_depend_node(kmpc_cache *cache, void *task) {
  kmpc_depend_node *node = solo_kmp_cache_allocate(cache, sizeof *node);
  solo_store_relaxed(&node->references, 2); /* relaxed: not shared yet */
  solo_store_relaxed(&node->waiting, 1);
  solo_store_relaxed(&node->done, 0);
  solo_lock_init(&node->lock, SOLO_RANK_NONE); /* no rank: of two nodes the older is locked first */
  node->successors = NULL;
  node->next_ready = NULL;
  node->task = task;
  node->queue = NULL;
  node->after_count = 0;
  node->routine = NULL;
  node->place = 0;
  node->exclusion = NULL;
  node->exclusion_count = 0;
  node->exclusions_held = 0;
  return node;
}

void solo_kmp_depend_release_exclusion(kmpc_cache *cache, kmpc_exclusion *exclusion) {
  /* pairs with itself: the last holder frees */
  if (solo_sub_acq_rel(&exclusion->references, 1) == 1) solo_kmp_cache_free(cache, exclusion);
}

void solo_kmp_depend_drop(kmpc_cache *cache, kmpc_depend_node *node) {
  /* pairs with itself: the last holder frees the node after all accesses of the others */
  if (solo_sub_acq_rel(&node->references, 1) != 1) return;
  for (int32_t i = 0; i < node->exclusion_count; i++)
    solo_kmp_depend_release_exclusion(cache, node->exclusion[i]);
  if (node->exclusion) solo_kmp_cache_free(cache, node->exclusion);
  solo_kmp_cache_free(cache, node);
}

/* Hash table of task routines that have called queues() (device.c). If another routine overwrites
 * an entry, only speed is affected. */
enum { ROUTINES = 256 };
static _Atomic(const void *) querying[ROUTINES];

static _Atomic(const void *) *routine_place(const void *routine) {
  return &querying[((uintptr_t)routine >> 4) * 0x9e3779b9u >> 8 & (ROUTINES - 1)];
}

void solo_kmp_depend_note_queues_caller(const void *routine) {
  _Atomic(const void *) *place = routine_place(routine);
  if (solo_load_relaxed(place) != routine) solo_store_relaxed(place, routine);
}

static int calls_queues(const kmpc_depend_node *node) {
  /* relaxed: a hint */
  return !node->routine || solo_load_relaxed(routine_place(node->routine)) == node->routine;
}

/* Returns whether `to` can enqueue its device work behind the work of `from`, and adds the queue to
 * to->after. The caller holds the lock of `from`, which is older. */
static int can_enqueue_behind(const kmpc_depend_node *from, kmpc_depend_node *to) {
  if (!to->place || to->place != from->place || !calls_queues(to)) return 0;
  int i = 0;
  solo_lock_acquire(&to->lock);
  while (i < to->after_count && to->after[i] != from->queue) i++;
  if (i == to->after_count && i < KMPC_AFTER) to->after[to->after_count++] = from->queue;
  solo_lock_release(&to->lock);
  return i < KMPC_AFTER;
}

void solo_kmp_depend_edge(kmpc_cache *cache, kmpc_depend_node *from, kmpc_depend_node *to) {
  if (!from || from == to) return;
  /* Invariant: the effects of a completed task are visible to the generating task.
   * Ordering:  this acquire load pairs with the release store in solo_kmp_depend_done().
   * Otherwise: the new task could miss effects of its predecessor.
   */
  if (solo_load_acquire(&from->done)) return;
  kmpc_depend_link *link = solo_kmp_cache_allocate(cache, sizeof *link);
  link->node = to;
  solo_lock_acquire(&from->lock);
  int done = solo_load_relaxed(&from->done);
  if (!done && SOLO_UNLIKELY(from->queue != NULL)) done = can_enqueue_behind(from, to);
  if (!done) {
    solo_add_relaxed(&to->references, 1); /* relaxed: the caller holds a reference */
    /* relaxed: the initial 1 keeps `waiting` above 0 */
    solo_add_relaxed(&to->waiting, 1);
    link->next = from->successors;
    from->successors = link;
  }
  solo_lock_release(&from->lock);
  if (done) solo_kmp_cache_free(cache, link);
}

int solo_kmp_depend_arrive(kmpc_depend_node *node) {
  /* Invariant: waiting reaches 0 after all predecessors are done.
   * Ordering:  this seq_cst subtraction pairs with itself and the acquire load in
   *            solo_kmp_depend_is_ready(); the event count of the team requires seq_cst.
   * Otherwise: the task could miss effects of a predecessor.
   */
  return solo_sub_seq_cst(&node->waiting, 1) == 1;
}

/* Removes one predecessor from each node of the links. Returns the tasks that became ready. */
static kmpc_depend_node *release(kmpc_cache *cache, kmpc_depend_link *link) {
  kmpc_depend_node *ready = NULL, **end = &ready;
  while (link) {
    kmpc_depend_link *next = link->next;
    kmpc_depend_node *successor = link->node;
    if (solo_kmp_depend_arrive(successor) && successor->task) {
      successor->next_ready = NULL;
      *end = successor;
      end = &successor->next_ready;
    }
    solo_kmp_depend_drop(cache, successor);
    solo_kmp_cache_free(cache, link);
    link = next;
  }
  return ready;
}

kmpc_depend_node *solo_kmp_depend_done(kmpc_cache *cache, kmpc_depend_node *node) {
  solo_lock_acquire(&node->lock);
  kmpc_depend_link *link = node->successors;
  node->successors = NULL;
  /* Set under the lock, so that no successor is added later. Pairs with the acquire load in
   * solo_kmp_depend_edge. */
  solo_store_release(&node->done, 1);
  solo_lock_release(&node->lock);
  kmpc_depend_node *ready = release(cache, link);
  solo_kmp_depend_drop(cache, node);
  return ready;
}

kmpc_depend_node *solo_kmp_depend_queued(kmpc_cache *cache, kmpc_depend_node *node, void *queue) {
  kmpc_depend_link *early = NULL;
  solo_lock_acquire(&node->lock);
  node->queue = queue;
  for (kmpc_depend_link **at = &node->successors; *at;) {
    kmpc_depend_link *link = *at;
    if (!can_enqueue_behind(node, link->node)) {
      at = &link->next;
      continue;
    }
    *at = link->next;
    link->next = early;
    early = link;
  }
  solo_lock_release(&node->lock);
  return release(cache, early);
}

static int lock_or_queue(kmpc_exclusion *exclusion, kmpc_depend_node *node) {
  solo_lock_acquire(&exclusion->lock);
  int got = !exclusion->locked;
  if (got) {
    exclusion->locked = 1;
  } else {
    node->next_ready = exclusion->waiters;
    exclusion->waiters = node;
  }
  solo_lock_release(&exclusion->lock);
  return got;
}

int solo_kmp_depend_lock(kmpc_depend_node *node) {
  /* After a failed attempt the node is in a list of waiters, and another thread may execute its
   * task. Therefore the loop does not access the node again. */
  while (node->exclusions_held < node->exclusion_count) {
    kmpc_exclusion *next = node->exclusion[node->exclusions_held++];
    if (!lock_or_queue(next, node)) return 0;
  }
  return 1;
}

kmpc_depend_node *solo_kmp_depend_unlock(kmpc_depend_node *node) {
  kmpc_depend_node *ready = NULL;
  for (int32_t i = 0; i < node->exclusion_count; i++) {
    kmpc_exclusion *exclusion = node->exclusion[i];
    solo_lock_acquire(&exclusion->lock);
    kmpc_depend_node *first = exclusion->waiters;
    if (first)
      exclusion->waiters = first->next_ready;
    else
      exclusion->locked = 0;
    solo_lock_release(&exclusion->lock);
    if (!first) continue;
    first->next_ready = ready;
    ready = first;
  }
  return ready;
}
