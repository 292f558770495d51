/* Description: explores task dependences. Each task runs once and observes the writes of its
 * predecessors, tasks of a mutexinoutset do not overlap, and unreferenced nodes are reused. */
#include <stdlib.h>
#define aligned_alloc slab_of_run
static void *slab_of_run(size_t alignment, size_t bytes);
#include "abi/kmpc/task/memory.c"
#undef aligned_alloc
#define solo_kmp_cache_free freed
static void freed(kmpc_cache *cache, void *block);
#include "abi/kmpc/task/depend.c"
#include "abi/kmpc/task/depend_table.c"
#undef solo_kmp_cache_free
#include "tests/explore/explore.h"

enum { TASKS = 3, ARENA = 512 << 10, ADDRESS = 64 };

/* Memory with the same addresses in each run. */
static char arena[ARENA] __attribute__((aligned(64)));
static size_t arena_used;
static kmpc_cache caches[EXPLORE_THREADS];

static void *slab_of_run(size_t alignment, size_t bytes) {
  (void)alignment;
  if (arena_used + bytes > ARENA) abort();
  void *slab = arena + arena_used;
  arena_used += bytes;
  return slab;
}

void solo_kmp_fatal(const char *format, ...) {
  (void)format;
  abort();
}

static kmpc_cache *own_cache(void) {
  return &caches[explore_self() < 0 ? 0 : explore_self()];
}

static struct {
  kmpc_depend_node *node;
  uint64_t result, life; /* life: users of the node read it, and the free of the node writes it */
  int runs;
} task[TASKS];
static uint64_t shared; /* data that the tasks of a mutexinoutset modify */
static unsigned needs[TASKS];
static kmpc_depend_table *table;

static void freed(kmpc_cache *cache, void *block) {
  for (int i = 0; i < TASKS; i++)
    if (task[i].node == block) explore_write(&task[i].life, 1);
  solo_kmp_cache_free(cache, block);
}

static void run(kmpc_depend_node *node);

static void run_all(kmpc_depend_node *ready) {
  while (ready) {
    kmpc_depend_node *next = ready->next_ready; /* solo_kmp_depend_lock() may change next_ready */
    if (solo_kmp_depend_lock(ready)) run(ready);
    ready = next;
  }
}

static void run(kmpc_depend_node *node) {
  int i = (int)((char *)node->task - (char *)task) / (int)sizeof task[0];
  explore_check(task[i].runs++ == 0, "a task runs twice");
  for (int before = 0; before < TASKS; before++)
    if (needs[i] >> before & 1)
      explore_check(explore_read(&task[before].result) == 1, "a task runs before its predecessor");
  explore_write(&task[i].result, 1);
  if (node->exclusion_count) {
    explore_write(&shared, explore_read(&shared) + 1);
    (void)explore_read(&task[i].life);
    run_all(solo_kmp_depend_unlock(node));
  }
  (void)explore_read(&task[i].life);
  run_all(solo_kmp_depend_done(own_cache(), node));
}

/* Returns whether the task is ready. The task owns the node. */
static int generate(int i, const kmpc_depend *clauses, int count) {
  const kmpc_depend_list lists[2] = {{clauses, count}, {NULL, 0}};
  kmpc_depend_node *node = solo_kmp_depend_node(own_cache(), &task[i]);
  task[i].node = node;
  int ready = solo_kmp_depend_add(&table, own_cache(), node, lists, KMPC_DEPEND_RECORD);
  ready = ready && solo_kmp_depend_lock(node);
  if (explore_self() >= 0) (void)explore_read(&task[i].life);
  /* if the task is not ready, another thread may already be running it */
  solo_kmp_depend_drop(own_cache(), node);
  return ready;
}

static int generate_one(int i, uint64_t address, uint8_t kind) {
  const kmpc_depend clause = {address, ADDRESS, kind};
  return generate(i, &clause, 1);
}

static void begin_empty(void) {
  memset(caches, 0, sizeof caches);
  memset(task, 0, sizeof task);
  memset(needs, 0, sizeof needs);
  arena_used = 0;
  shared = 0;
  table = NULL;
}

static void run_first(void) {
  run(task[0].node);
}

static void run_second(void) {
  run(task[1].node);
}

static void ran(int count) {
  for (int i = 0; i < count; i++) explore_finished(task[i].runs == 1, "a task does not run");
}

static void end_of_two(void) {
  ran(2);
}

static void end_of_three(void) {
  ran(3);
}

/* Task 0, a writer, runs while another thread generates task 1, a reader. */
static void begin_one(void) {
  begin_empty();
  if (!generate_one(0, ADDRESS, KMPC_DEPEND_OUT)) abort();
  needs[1] = 1;
}

static void generate_reader(void) {
  if (generate_one(1, ADDRESS, KMPC_DEPEND_IN)) run(task[1].node);
}

/* The generating task ends while task 0 runs. The generating task closes its table and so releases
 * all nodes. */
static void generate_reader_and_close(void) {
  generate_reader();
  solo_kmp_depend_close(table, own_cache());
}

/* The second writer of the address replaces the first writer in the table, which releases the first
 * writer's node. */
static void generate_writer(void) {
  if (generate_one(1, ADDRESS, KMPC_DEPEND_OUT)) run(task[1].node);
}

static void begin_two(void) {
  begin_empty();
  if (!generate_one(0, ADDRESS, KMPC_DEPEND_OUT)) abort();
  if (!generate_one(1, 2 * ADDRESS, KMPC_DEPEND_OUT)) abort();
  needs[2] = 3;
}

static void generate_third(void) {
  const kmpc_depend clauses[] = {{ADDRESS, ADDRESS, KMPC_DEPEND_IN},
                                 {2 * ADDRESS, ADDRESS, KMPC_DEPEND_IN}};
  if (generate(2, clauses, 2)) run(task[2].node);
}

/* Two ready tasks of a mutexinoutset: they exclude each other and have no other dependence. */
static void begin_exclusion(void) {
  begin_empty();
  for (int i = 0; i < 2; i++) {
    (void)generate_one(i, ADDRESS, KMPC_DEPEND_MUTEX);
    /* generate_one() locked the first task; here both tasks return to the state before their first
     * lock */
    (void)solo_kmp_depend_unlock(task[i].node);
    task[i].node->exclusions_held = 0;
  }
}

static void lock_and_run_first(void) {
  if (solo_kmp_depend_lock(task[0].node)) run(task[0].node);
}

static void lock_and_run_second(void) {
  if (solo_kmp_depend_lock(task[1].node)) run(task[1].node);
}

static void end_of_exclusion(void) {
  ran(2);
  explore_finished(shared == 2, "two tasks of a mutexinoutset overlap");
}

enum { LARGE = KMPC_CACHE_LIMIT - sizeof(kmpc_block) }; /* one block per slab */
static void *block[2];
static uint64_t block_life[2];

static void begin_blocks(void) {
  begin_empty();
  memset(block_life, 0, sizeof block_life);
  for (int i = 0; i < 2; i++) block[i] = solo_kmp_cache_allocate(&caches[0], LARGE);
}

static void return_block(int i) {
  explore_write(&block_life[i], 7);
  solo_kmp_cache_free(own_cache(), block[i]);
}

static void send_first(void) {
  return_block(0);
}

static void send_second(void) {
  return_block(1);
}

/* The owner of the cache allocates blocks again, possibly those that another thread has freed. */
static void get_again(void) {
  for (int gets = 0; gets < 2; gets++) {
    const void *got = solo_kmp_cache_allocate(&caches[0], LARGE);
    for (int i = 0; i < 2; i++)
      if (got == block[i])
        explore_check(explore_read(&block_life[i]) == 7, "a block is allocated before it is freed");
  }
}

int main(int count, char **arguments) {
  static const explore_scenario reader = {"a reader is generated, its writer ends",
                                          begin_one,
                                          {generate_reader, run_first},
                                          end_of_two,
                                          5,
                                          8};
  static const explore_scenario closed = {"the same, and the table is closed",
                                          begin_one,
                                          {generate_reader_and_close, run_first},
                                          end_of_two,
                                          3,
                                          5};
  static const explore_scenario writer = {"a writer is generated, the previous writer ends",
                                          begin_one,
                                          {generate_writer, run_first},
                                          end_of_two,
                                          3,
                                          5};
  static const explore_scenario third = {"two tasks end, a third depends on both",
                                         begin_two,
                                         {generate_third, run_first, run_second},
                                         end_of_three,
                                         1,
                                         2};
  static const explore_scenario exclusion = {"two tasks of a mutexinoutset",
                                             begin_exclusion,
                                             {lock_and_run_first, lock_and_run_second},
                                             end_of_exclusion,
                                             3,
                                             5};
  static const explore_scenario blocks = {"blocks freed by other threads",
                                          begin_blocks,
                                          {get_again, send_first, send_second},
                                          NULL,
                                          3,
                                          5};
  static const char *const reader_bugs[] = {"solo_kmp_depend_done", "solo_kmp_depend_edge", NULL};
  static const char *const closed_bugs[] = {"solo_kmp_depend_drop", NULL};
  static const char *const third_bugs[] = {"solo_kmp_depend_arrive", NULL};
  static const char *const exclusion_bugs[] = {"solo_lock_release", NULL};
  static const char *const block_bugs[] = {"solo_kmp_cache_free_chain", "collect", NULL};
  static const char *const none[] = {NULL};
  explore_bounds(count, arguments);
  explore_private(&solo_lock_mark, sizeof solo_lock_mark);
  return explore_all(&reader, reader_bugs) + explore_all(&closed, closed_bugs) +
         explore_all(&writer, none) + explore_all(&third, third_bugs) +
         explore_all(&exclusion, exclusion_bugs) + explore_all(&blocks, block_bugs);
}
