/* Description: checks that data which different threads write never shares a pair of cache lines,
 * for all kinds of memory: early, heap, scratch, mappings, index nodes, host threads, tasks. */
#include "abi/kmpc/task/memory.h"
#include "abi/kmpc/task/task.h"
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/worker_team.h"
#include "backends/remote/remote_wire.h"
#include "runtime/base/early.h"
#include "runtime/base/scratch.h"
#include "runtime/construct/nowait_op.h"
#include "runtime/device/thread_cache.h"
#include "runtime/table/index_node.h"
#include "runtime/table/nodes.h"
#include "tests/unit/test.h"
#include <pthread.h>

enum { THREADS = 4 };

static uintptr_t pair_of(const void *memory) {
  return (uintptr_t)memory / SOLO_CACHE_PAIR;
}

static int are_apart(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
  return pair_of((const char *)a + a_bytes - 1) < pair_of(b) ||
         pair_of((const char *)b + b_bytes - 1) < pair_of(a);
}
#define CHECK_APART(a, b) CHECK(are_apart((a), sizeof *(a), (b), sizeof *(b)))

/* Memory that one thread allocated. */
typedef struct gotten {
  char (*early)[40], (*heap)[40], (*scratch)[40], (*task)[40];
  kmpc_cache *cache;
} gotten;
static gotten of[2];

static void *get(void *argument) {
  gotten *g = argument;
  g->early = solo_early_allocate(sizeof *g->early);
  g->heap = solo_heap_allocate(sizeof *g->heap);
  g->scratch = solo_scratch_allocate(sizeof *g->scratch);
  g->cache = solo_kmp_cache_open();
  g->task = solo_kmp_cache_allocate(g->cache, sizeof *g->task);
  return NULL;
}

static void check_memory(void) {
  pthread_t thread;
  get(&of[0]);
  CHECK(pthread_create(&thread, NULL, get, &of[1]) == 0);
  pthread_join(thread, NULL);
  CHECK_APART(of[0].early, of[1].early);
  CHECK_APART(of[0].heap, of[1].heap);
  CHECK(pair_of(of[0].scratch) != pair_of(of[1].scratch));
  CHECK_APART(of[0].cache, of[1].cache);
  CHECK_APART(of[0].task, of[1].task);
  CHECK_APART(&of[0].cache->list, &of[0].cache->returned);
}

static void check_table(void) {
  solo_mapping_nodes nodes = {0};
  solo_table_memory memory = {0};
  solo_mapping *mapping[2 * THREADS]; /* more mappings than a chunk of nodes holds */
  for (int i = 0; i < 2 * THREADS; i++) {
    /* an allocation separates two chunks of nodes */
    char *name = solo_table_memory_allocate(&memory, 5);
    mapping[i] = solo_mapping_node_allocate(&nodes, &memory);
    CHECK(name && mapping[i] && pair_of(name) != pair_of(mapping[i]));
    for (int k = 0; k < i; k++) CHECK_APART(mapping[i], mapping[k]);
  }
  solo_table_memory_free(&memory);

  solo_index *index = solo_early_allocate(sizeof *index);
  CHECK(index != NULL);
  CHECK_APART(&index->root, &index->count);
  CHECK_APART(&index->root, &index->first_leaf);
  solo_mapping_table *table = solo_early_allocate(sizeof *table);
  CHECK(table != NULL);
  CHECK_APART(&table->hints, &table->lock);
  CHECK_APART(&table->index, &table->trials);
  pool leaves = {0};
  CHECK(solo_index_reserve(index, &leaves, sizeof(leaf), 1) == SOLO_OK);
  for (head *a = leaves.free; a; a = *(head **)(a + 1))
    for (head *b = *(head **)(a + 1); b; b = *(head **)(b + 1)) CHECK_APART((leaf *)a, (leaf *)b);
}

static void check_device(void) {
  solo_device *device = solo_early_allocate(sizeof *device);
  CHECK(device != NULL);
  CHECK_APART(&device->ready_generation, &device->mappings.lock);
  CHECK_APART(&device->mappings.changes, &device->pool.lock);
  CHECK_APART(&device->pool.nodes, &device->openings);
  CHECK_INT(sizeof(solo_thread_cache) % SOLO_CACHE_PAIR, 0);
  solo_nowait_device *later = solo_early_allocate(sizeof *later);
  CHECK(later != NULL);
  CHECK_APART(&later->streams[0], &later->streams[1]);
  CHECK_APART(&later->lock, &later->streams[0]);
  CHECK_APART(&later->streams[SOLO_STREAMS - 1], &later->free);
}

/* The words that the program writes, the words that the server writes, and the words on which
 * threads sleep. */
static void check_remote(void) {
  static solo_remote_shared channel;
  CHECK_APART(&channel.errors_reported, &channel.tail);
  CHECK_APART(&channel.errors_made, &channel.server_sleeps);
  CHECK_APART(&channel.server_futex, &channel.waiters);
  CHECK_APART(&channel.done_futex, &channel.result);
}

static void check_worker(const kmpc_worker *a, const kmpc_worker *b) {
  CHECK_APART(a, b);
  CHECK_APART(&a->node.work, &a->node.arrived);
  CHECK_APART(&a->node.helping, &a->claimed);
  CHECK_APART(&a->claimed, &a->reduction);
}

static void check_team(void) {
  kmpc_thread *self = solo_kmp_self();
  kmpc_worker_team *team = NULL;
  CHECK_INT(solo_kmp_worker_team_ready(self, &team, THREADS), THREADS);
  for (int i = 0; i + 1 < THREADS; i++)
    for (int k = 0; k < i; k++) check_worker(team->worker[i], team->worker[k]);
  for (int slot = 0; slot < KMPC_LOOP_SLOTS; slot++)
    for (int i = 0; i + 1 < THREADS; i++)
      CHECK_APART(&team->ranges[slot][i], &team->ranges[slot][i + 1]);
  CHECK_APART(&team->work, &team->root);
  CHECK_APART(&team->root, &team->team);
  CHECK_APART(&team->ranges, &team->arrived);
  CHECK_APART(&team->joined, &team->barrier);
  CHECK_APART(&team->barrier, &team->singles);
  CHECK_APART(&team->dirty, &team->loops[0]);
  CHECK_APART(&team->loops[0], &team->loops[1]);
  solo_kmp_worker_teams_release(self);
}

static void check_tasks(void) {
  SOLO_ALIGNED(SOLO_CACHE_PAIR)
  static unsigned char memory[sizeof(kmpc_task_team) + 2 * sizeof(kmpc_task_slot)];
  kmpc_task_team *tasks = (kmpc_task_team *)(void *)memory;
  kmpc_task_slot *slot = tasks->slot;
  CHECK_APART(&tasks->common, &slot[0]);
  CHECK_APART(&slot[0], &slot[1]);
  CHECK_APART(&slot[0].deque.lock, &slot[0].deque.tail);
  CHECK_APART(&slot[0].deque.item, &slot[0].created);
  CHECK_APART(&slot[0].deque.head, &slot[0].done);
}

int main(void) {
  CHECK_INT(solo_is_pair_aligned((void *)(uintptr_t)SOLO_CACHE_PAIR), 1);
  CHECK_INT(solo_is_pair_aligned((void *)(uintptr_t)SOLO_CACHE_LINE), 0);
  check_memory();
  check_table();
  check_device();
  check_remote();
  check_team();
  check_tasks();
  return TEST_RESULT();
}
