#include "abi/kmpc/team/tree_sync.h"

#include "abi/kmpc/affinity/places.h"
#include "abi/kmpc/team/cancellation.h"
#include "abi/kmpc/team/wait.h"

/* Returns the smallest group size that needs no more levels than groups of `most`. */
static int32_t group_size(int32_t size, int32_t most) {
  int32_t levels = 1, group = 2;
  for (int64_t capacity = most; capacity < size; capacity *= most) levels++;
  for (;; group++) {
    int64_t capacity = 1;
    for (int32_t i = 0; i < levels; i++) capacity *= group;
    if (capacity >= size) return group;
  }
}

static int32_t package_of(const kmpc_worker_team *worker_team, int32_t tid,
                          const int32_t *package) {
  int32_t place = tid ? worker_team->worker[tid - 1]->place : worker_team->master->place;
  return package && place >= 0 ? package[place] : -1;
}

/* Returns whether threads `tid` and `tid - 1` are in different packages. */
static int is_cut(const kmpc_worker_team *worker_team, int32_t tid, const int32_t *package) {
  return package_of(worker_team, tid, package) != package_of(worker_team, tid - 1, package);
}

/* Groups the nodes of a level. The first node of each group is the parent of the others and a node
 * of the next level. package: the package of each place; NULL above the lowest level. */
static int32_t make_level(const kmpc_worker_team *worker_team, int32_t count, int32_t group,
                          const int32_t *package) {
  kmpc_node **leader = worker_team->tree.leader;
  int32_t left = 0, in_group = 0;
  for (int32_t i = 0; i < count; i++) {
    if (i == 0 || in_group == group || (package && is_cut(worker_team, i, package))) {
      leader[left++] = leader[i];
      in_group = 1;
      continue;
    }
    leader[i]->parent = leader[left - 1];
    leader[left - 1]->children++;
    in_group++;
  }
  return left;
}

static int32_t most_in_group(void) {
#if defined SOLO_CHECK || defined SOLO_ATOMIC_LAYER
  return solo_kmp_config()->tree_width;
#else
  return KMPC_TREE_WIDTH;
#endif
}

void solo_kmp_tree_make(kmpc_worker_team *worker_team, int32_t size, const int32_t *package) {
  kmpc_tree *tree = &worker_team->tree;
  kmpc_node **node = tree->leader, **next = tree->order;
  for (int32_t tid = 0; tid < size; tid++) {
    node[tid] = solo_kmp_node(worker_team, tid);
    node[tid]->children = 0;
  }
  int32_t group = group_size(size, most_in_group());
  int32_t cuts = 0;
  for (int32_t tid = 1; tid < size; tid++) cuts += is_cut(worker_team, tid, package);
  /* consecutive threads are often in different packages: groups by package would be too small */
  if (cuts >= group) package = NULL;
  for (int32_t count = size; count > 1; package = NULL)
    count = make_level(worker_team, count, group, package);
  for (int32_t tid = 0; tid < size; tid++) {
    kmpc_node *one = solo_kmp_node(worker_team, tid);
    one->child = next;
    next += one->children;
    one->children = 0;
  }
  for (int32_t tid = size - 1; tid > 0; tid--) { /* largest subtree first */
    kmpc_node *one = solo_kmp_node(worker_team, tid);
    one->parent->child[one->parent->children++] = one;
  }
  tree->size = size;
}

typedef struct tree_step {
  kmpc_team *team;
  kmpc_node *node;
  uint64_t epoch;
} tree_step;

static int children_have_arrived(void *what) {
  const tree_step *at = what;
  uint64_t missing = 0;
  for (int32_t i = 0; i < at->node->children; i++) /* pairs with send_up */
    missing |= solo_load_acquire(&at->node->child[i]->arrived) ^ at->epoch;
  return missing == 0;
}

static int children_have_come_or_cancelled(void *what) {
  const tree_step *at = what;
  return children_have_arrived(what) || solo_kmp_is_cancelled(at->team);
}

static int is_released(void *what) {
  const tree_step *at = what;
  /* pairs with send_down */
  return solo_load_acquire(&at->node->work.release) == at->epoch || solo_kmp_is_cancelled(at->team);
}

static int tasks_are_done(void *what) {
  const tree_step *at = what;
  return solo_kmp_is_cancelled(at->team) || solo_kmp_tasks_are_done(at->team);
}

static int all_is_done(void *what) {
  const tree_step *at = what;
  return children_have_arrived(what) && solo_kmp_tasks_are_done(at->team);
}

static void await(kmpc_thread *self, tree_step *at, kmpc_is_over is_over) {
  solo_kmp_await(self, &at->node->eventcount, &at->team->eventcount, is_over, solo_kmp_help, at);
}

static void send_up(const tree_step *at) {
  kmpc_eventcount *event =
      &at->node->parent
           ->eventcount; /* read before the arrival, because the tree may be replaced afterwards */
  /* Invariant: when `arrived` of a node is an epoch, all threads of its subtree have arrived.
   * Ordering:  this store pairs with the acquire load in children_have_arrived().
   * Otherwise: the primary thread could continue while another thread still executes.
   */
  solo_store_seq_cst(&at->node->arrived, at->epoch);
  solo_kmp_notify(event);
}

static void notify_children(const kmpc_node *node) {
  if (!node->children) return;
  solo_fence_seq_cst(); /* pairs with solo_kmp_eventcount_prepare */
  for (int32_t i = 0; i < node->children; i++) solo_kmp_notify(&node->child[i]->eventcount);
}

static void send_down(const tree_step *at) {
  /* Invariant: the primary thread sends an epoch down after all threads have arrived and all tasks
   *            are done.
   * Ordering:  these release stores pair with the acquire load in is_released().
   * Otherwise: results could be invisible after the barrier.
   */
  for (int32_t i = 0; i < at->node->children; i++)
    solo_store_release(&at->node->child[i]->work.release, at->epoch);
  notify_children(at->node);
}

void solo_kmp_tree_forward_work(kmpc_node *node) {
  const kmpc_work *from = &node->work;
  /* relaxed: the calling thread has acquired or stored this word */
  uint64_t fork = solo_load_relaxed(&from->fork);
  for (int32_t i = 0; i < node->children; i++) {
    kmpc_work *to = &node->child[i]->work;
    to->micro = from->micro;
    to->arg_count = from->arg_count;
    to->teams = from->teams;
    for (int32_t k = 0; k < KMPC_INLINE_ARGS; k++) to->args[k] = from->args[k];
    /* Invariant: a child's work is complete when its fork word changes. The child has arrived, so
     *            it does not read the old work.
     * Ordering:  this release store pairs with the acquire load in newest_fork().
     * Otherwise: the child could call the previous region's function.
     */
    solo_store_release(&to->fork, fork);
  }
  notify_children(node);
}

void solo_kmp_tree_fork(kmpc_worker_team *worker_team, int32_t size) {
  kmpc_tree *tree = &worker_team->tree;
  uint64_t fork = solo_load_relaxed(&worker_team->root.work.fork);
  if (SOLO_UNLIKELY(tree->size != size))
    solo_kmp_tree_make(worker_team, size,
                       worker_team->worker[0]->place >= 0 ? solo_kmp_place_packages() : NULL);
  /* Workers outside the new region must stop helping with the previous region. The stores pair with
   * newest_fork. */
  for (int32_t tid = size; tid < tree->notified; tid++)
    solo_store_release(&solo_kmp_node(worker_team, tid)->work.fork, fork);
  solo_kmp_tree_forward_work(&worker_team->root);
}

static uint64_t epoch_of_region(const kmpc_node *node) {
  return solo_load_relaxed(&node->work.fork) >> 16 << 32;
}

int solo_kmp_tree_has_late_child(kmpc_node *node) {
  tree_step at = {NULL, node, epoch_of_region(node) | KMPC_EPOCH_END};
  for (int i = 0; !children_have_arrived(&at); i++) {
    if (i == KMPC_LEAGUE_PATIENCE) return 1;
    solo_cpu_relax();
  }
  return 0;
}

void solo_kmp_tree_arrive(kmpc_thread *self, kmpc_worker_team *worker_team) {
  kmpc_node *node = &self->worker->node;
  tree_step at = {&worker_team->team, node, epoch_of_region(node) | KMPC_EPOCH_END};
  if (node->children) await(self, &at, children_have_arrived);
  send_up(&at);
}

void solo_kmp_tree_join(kmpc_thread *self, kmpc_worker_team *worker_team) {
  kmpc_node *node = &worker_team->root;
  tree_step at = {&worker_team->team, node, epoch_of_region(node) | KMPC_EPOCH_END};
  await(self, &at, all_is_done);
}

static uint64_t next_epoch(const kmpc_node *node) {
  uint64_t region = epoch_of_region(node);
  /* relaxed: only this thread stores `arrived` */
  uint64_t last = solo_load_relaxed(&node->arrived);
  uint32_t count = last >> 32 == region >> 32 ? (uint32_t)last + 1 : 1;
  return region | (count == KMPC_EPOCH_END ? 1 : count);
}

void solo_kmp_tree_barrier(kmpc_thread *self, kmpc_worker_team *worker_team) {
  int32_t is_root = self->context.tid == 0;
  kmpc_node *node = is_root ? &worker_team->root : &self->worker->node;
  tree_step at = {&worker_team->team, node, next_epoch(node)};
  if (node->children) await(self, &at, children_have_come_or_cancelled);
  if (SOLO_UNLIKELY(solo_kmp_is_cancelled(at.team))) return;
  if (is_root) {
    /* relaxed: only next_epoch() in this thread reads `arrived` of the root */
    solo_store_relaxed(&node->arrived, at.epoch);
    await(self, &at, tasks_are_done);
  } else {
    send_up(&at);
    await(self, &at, is_released);
  }
  if (SOLO_LIKELY(!solo_kmp_is_cancelled(at.team))) send_down(&at);
}
