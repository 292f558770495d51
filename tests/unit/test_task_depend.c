/* Description: compares the dependences of random task programs with the rule of OMP 5.2, 15.9.5.
 * In the first part one thread completes the tasks, and the set of ready tasks must be exact. In
 * the second part several threads complete the tasks. */
#include "abi/kmpc/task/depend_table.h"
#include "tests/unit/test.h"
#include <pthread.h>

enum { TASKS = 40, CLAUSES = 4, PROGRAMS = 2000, WORKERS = 3, STRESS_PROGRAMS = 25, LONG = 400 };

typedef struct task {
  kmpc_depend_node *node;
  kmpc_depend clause[CLAUSES];
  int count;
  int ready, done;
} task;

static kmpc_cache *cache;
static uint32_t seed = 1;

static uint32_t any(uint32_t limit) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % limit;
}

static int is_all(const kmpc_depend *clause) {
  return (clause->kind & KMPC_DEPEND_ALL) || clause->address == UINT64_MAX;
}

static int kind_of(const task *t, uint64_t address) {
  int kind = 0;
  for (int i = 0; i < t->count; i++) {
    if (is_all(&t->clause[i])) return KMPC_DEPEND_OUT;
    if (t->clause[i].address == address) kind = t->clause[i].kind;
  }
  return kind;
}

static int names_all(const task *t) {
  for (int i = 0; i < t->count; i++)
    if (is_all(&t->clause[i])) return 1;
  return 0;
}

/* Returns whether task b depends on the earlier task a. An address occurs at most once per task. */
static int conflict(const task *a, const task *b) {
  if ((names_all(a) && b->count) || (names_all(b) && a->count)) return 1;
  for (int i = 0; i < b->count; i++) {
    int first = kind_of(a, b->clause[i].address), second = b->clause[i].kind;
    if (!first) continue;
    if (first != second || first == KMPC_DEPEND_OUT) return 1;
  }
  return 0;
}

static int excludes(const task *a, const task *b) {
  for (int i = 0; i < b->count; i++)
    if (b->clause[i].kind == KMPC_DEPEND_MUTEX &&
        kind_of(a, b->clause[i].address) == KMPC_DEPEND_MUTEX)
      return 1;
  return 0;
}

static void make(task *t, int addresses) {
  static const uint8_t kinds[] = {KMPC_DEPEND_IN, KMPC_DEPEND_OUT, KMPC_DEPEND_MUTEX,
                                  KMPC_DEPEND_SET};
  memset(t, 0, sizeof *t);
  t->count = (int)any(CLAUSES) + 1;
  for (int i = 0; i < t->count; i++) {
    t->clause[i].address = 0;
    uint64_t address;
    do address = 8 + 8 * (uint64_t)any((uint32_t)addresses);
    while (kind_of(t, address));
    t->clause[i].address = address;
    t->clause[i].kind = kinds[any(4)];
  }
  if (any(20) == 0) {
    t->count = 1;
    t->clause[0] = any(2) ? (kmpc_depend){0, 0, KMPC_DEPEND_ALL}
                          : (kmpc_depend){UINT64_MAX, 0, KMPC_DEPEND_OUT};
  }
}

static void add(kmpc_depend_table **table, task *t) {
  /* the two lists split the clauses at an arbitrary position */
  int split = (int)any((uint32_t)t->count + 1);
  kmpc_depend_list lists[2] = {{t->clause, split}, {t->clause + split, t->count - split}};
  t->node = solo_kmp_depend_node(cache, t);
  t->ready = solo_kmp_depend_add(table, cache, t->node, lists, KMPC_DEPEND_RECORD);
  solo_kmp_depend_drop(cache, t->node);
}

static void mark_ready(kmpc_depend_node *node) {
  for (; node; node = node->next_ready) ((task *)node->task)->ready = 1;
}

static int wrong_ready(task *all, int count) {
  int wrong = 0;
  for (int b = 0; b < count; b++) {
    int expected = 1;
    for (int a = 0; a < b; a++)
      if (!all[a].done && conflict(&all[a], &all[b])) expected = 0;
    if (all[b].done) continue;
    wrong += all[b].ready != expected;
  }
  return wrong;
}

static void finish_one(task *all, int count) {
  int at = (int)any((uint32_t)count);
  for (int i = 0; i < count; i++, at = (at + 1) % count) {
    if (!all[at].ready || all[at].done) continue;
    all[at].done = 1;
    mark_ready(solo_kmp_depend_done(cache, all[at].node));
    return;
  }
}

static void check_exact(void) {
  int wrong = 0;
  for (int program = 0; program < PROGRAMS; program++) {
    kmpc_depend_table *table = NULL;
    task all[TASKS];
    int count = 0;
    int addresses = 4 + (int)any(12);
    while (count < TASKS) {
      make(&all[count], addresses);
      add(&table, &all[count]);
      count++;
      wrong += wrong_ready(all, count);
      while (any(3) == 0) finish_one(all, count);
    }
    for (int i = 0; i < 2 * TASKS; i++) finish_one(all, count);
    for (int i = 0; i < TASKS; i++) wrong += !all[i].done;
    solo_kmp_depend_close(table, cache);
  }
  CHECK_INT(wrong, 0);
}

/* A wait with dependences is no task: later tasks do not depend on the wait. */
static void check_wait(void) {
  kmpc_depend_table *table = NULL;
  kmpc_depend out = {64, 8, KMPC_DEPEND_OUT}, in = {64, 8, KMPC_DEPEND_IN};
  kmpc_depend_list one[2] = {{&out, 1}, {NULL, 0}}, two[2] = {{NULL, 0}, {&in, 1}};
  int token;
  kmpc_depend_node *first = solo_kmp_depend_node(cache, &token);
  CHECK(solo_kmp_depend_add(&table, cache, first, one, KMPC_DEPEND_RECORD));
  kmpc_depend_node *wait = solo_kmp_depend_node(cache, NULL);
  CHECK(!solo_kmp_depend_add(&table, cache, wait, one, KMPC_DEPEND_WAIT_ONLY));
  kmpc_depend_node *second = solo_kmp_depend_node(cache, &token);
  CHECK(!solo_kmp_depend_add(&table, cache, second, two, KMPC_DEPEND_RECORD));
  CHECK(!solo_kmp_depend_is_ready(wait));
  CHECK(solo_kmp_depend_done(cache, first) == second);
  CHECK(second->next_ready == NULL);
  CHECK(solo_kmp_depend_is_ready(wait));
  CHECK(solo_kmp_depend_done(cache, wait) == NULL);
  CHECK(solo_kmp_depend_done(cache, second) == NULL);
  solo_kmp_depend_drop(cache, first);
  solo_kmp_depend_drop(cache, wait);
  solo_kmp_depend_drop(cache, second);
  solo_kmp_depend_close(table, cache);
}

/* A mutexinoutset lock that passes to the next task stays locked until this task releases it. */
static void check_exclusion(void) {
  enum { NODES = 3 };
  kmpc_depend_table *table = NULL;
  kmpc_depend mutex = {64, 8, KMPC_DEPEND_MUTEX};
  kmpc_depend_list lists[2] = {{&mutex, 1}, {NULL, 0}};
  int token;
  kmpc_depend_node *node[NODES];
  for (int i = 0; i < NODES; i++) {
    node[i] = solo_kmp_depend_node(cache, &token);
    CHECK(solo_kmp_depend_add(&table, cache, node[i], lists, KMPC_DEPEND_RECORD));
  }
  CHECK(solo_kmp_depend_lock(node[0]));
  CHECK(!solo_kmp_depend_lock(node[1]));
  CHECK(solo_kmp_depend_unlock(node[0]) == node[1]);
  CHECK(solo_kmp_depend_lock(node[1]));
  int both = solo_kmp_depend_lock(node[2]);
  CHECK(!both);
  CHECK(both || solo_kmp_depend_unlock(node[1]) == node[2]);
  CHECK(both || solo_kmp_depend_lock(node[2]));
  CHECK(solo_kmp_depend_unlock(node[2]) == NULL);
  for (int i = 0; i < NODES; i++) {
    CHECK(solo_kmp_depend_done(cache, node[i]) == NULL);
    solo_kmp_depend_drop(cache, node[i]);
  }
  solo_kmp_depend_close(table, cache);
}

/* Readers that have completed are removed from the table, so that a long program uses bounded
 * memory. */
static void check_removal_of_readers(void) {
  kmpc_depend_table *table = NULL;
  uint64_t slabs = 0;
  for (int i = 0; i < 100000; i++) {
    task t = {.count = 1};
    t.clause[0] = (kmpc_depend){i & 1 ? 8 : 8 + 8 * (uint64_t)i, 8, KMPC_DEPEND_IN};
    add(&table, &t);
    solo_kmp_depend_done(cache, t.node);
    if (i == 1000) slabs = cache->slab_count;
  }
  CHECK_INT(cache->slab_count, slabs);
  solo_kmp_depend_close(table, cache);
}

static task stress[LONG];
static kmpc_depend_node *queue;
static solo_lock queue_lock;
static _Atomic int stress_done[LONG], running[LONG];
static _Atomic int finished, violations, over;

static void enqueue(kmpc_depend_node *node) {
  solo_lock_acquire(&queue_lock);
  while (node) {
    kmpc_depend_node *next = node->next_ready;
    node->next_ready = queue;
    queue = node;
    node = next;
  }
  solo_lock_release(&queue_lock);
}

static void run(kmpc_cache *own, kmpc_depend_node *node) {
  if (!solo_kmp_depend_lock(node)) return;
  int me = (int)((task *)node->task - stress);
  solo_store_seq_cst(&running[me], 1);
  for (int i = 0; i < me; i++) {
    if (!solo_load_seq_cst(&stress_done[i]) && conflict(&stress[i], &stress[me]))
      solo_add_relaxed(&violations, 1);
  }
  for (int i = 0; i < LONG; i++)
    if (i != me && solo_load_seq_cst(&running[i]) && excludes(&stress[i], &stress[me]))
      solo_add_relaxed(&violations, 1);
  solo_store_seq_cst(&running[me], 0);
  solo_store_seq_cst(&stress_done[me], 1);
  enqueue(solo_kmp_depend_unlock(node));
  enqueue(solo_kmp_depend_done(own, node));
  solo_add_acq_rel(&finished, 1); /* pairs with the acquire load in check_sharing() */
}

static void *worker(void *argument) {
  kmpc_cache *own = argument;
  while (!solo_load_acquire(&over)) { /* pairs with the release store in check_sharing() */
    solo_lock_acquire(&queue_lock);
    kmpc_depend_node *node = queue;
    if (node) queue = node->next_ready;
    solo_lock_release(&queue_lock);
    if (node)
      run(own, node);
    else
      solo_cpu_relax();
  }
  return NULL;
}

static void check_sharing(void) {
  kmpc_cache *caches[WORKERS];
  pthread_t thread[WORKERS];
  for (int i = 0; i < LONG; i++) make(&stress[i], 8);
  for (int i = 0; i < WORKERS; i++) {
    caches[i] = solo_kmp_cache_open();
    pthread_create(&thread[i], NULL, worker, caches[i]);
  }
  for (int program = 0; program < STRESS_PROGRAMS; program++) {
    kmpc_depend_table *table = NULL;
    solo_store_release(&finished, 0);
    /* relaxed: queue_lock publishes the values */
    for (int i = 0; i < LONG; i++) solo_store_relaxed(&stress_done[i], 0);
    for (int i = 0; i < LONG; i++) {
      task *t = &stress[i];
      kmpc_depend_list lists[2] = {{t->clause, t->count}, {NULL, 0}};
      kmpc_depend_node *node = solo_kmp_depend_node(cache, t);
      if (solo_kmp_depend_add(&table, cache, node, lists, KMPC_DEPEND_RECORD)) {
        node->next_ready = NULL;
        enqueue(node);
      }
      solo_kmp_depend_drop(cache, node);
    }
    /* pairs with the increment in run() */
    while (solo_load_acquire(&finished) < LONG) solo_cpu_relax();
    solo_kmp_depend_close(table, cache);
  }
  solo_store_release(&over, 1); /* pairs with the acquire load in worker() */
  for (int i = 0; i < WORKERS; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < WORKERS; i++) solo_kmp_cache_close(caches[i]);
  CHECK_INT(violations, 0);
}

int main(void) {
  cache = solo_kmp_cache_open();
  check_exact();
  check_wait();
  check_exclusion();
  check_removal_of_readers();
  check_sharing();
  solo_kmp_cache_close(cache);
  return TEST_RESULT();
}
