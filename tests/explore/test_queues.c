/* Description: explores queues, thread caches, the pool and streams. Each user observes the writes
 * of the previous user. A thread that finds no pending write-back observes the data of the
 * completed write-back. */
#include "runtime/construct/nowait_order.c"
#define RECENT RECENT_OF_STREAMS
#include "runtime/construct/nowait_stream.c"
#include "runtime/device/pool.c"
#include "runtime/device/queue_pool.c"
#include "runtime/device/thread_cache.c"
#include "tests/explore/explore.h"

#include <stdarg.h>

enum { THINGS = 4, BYTES = 256 };
static solo_device device;
static int opened, allocated, freed, closed;
static uint64_t used[THINGS]; /* written by the user of a queue or of a block */
static uint64_t host;         /* written by the write-back */
static int ended;

static solo_status queue_open(solo_bdevice *of, solo_bqueue **out_queue) {
  (void)of;
  *out_queue = (solo_bqueue *)(void *)&used[opened++];
  return SOLO_OK;
}

static void queue_close(solo_bdevice *of, solo_bqueue *queue) {
  (void)of, (void)queue;
  closed++;
}

static solo_status mem_alloc(solo_bdevice *of, uint64_t bytes, solo_memory_kind kind,
                             solo_devptr *out_address) {
  (void)of, (void)bytes, (void)kind;
  *out_address = (uintptr_t)&used[allocated++];
  return SOLO_OK;
}

static solo_status mem_free(solo_bdevice *of, solo_devptr address, solo_memory_kind kind) {
  (void)of, (void)kind;
  uint64_t *block = (uint64_t *)(uintptr_t)address;
  explore_write(block, *block + 1); /* a freed block has no user, so this write must not race */
  freed++;
  return SOLO_OK;
}

/* The driver's query completes the write-back: it writes the host data. */
static solo_status event_query(solo_bevent *event, int *out_done) {
  (void)event;
  explore_write(&host, 7);
  *out_done = 1;
  return SOLO_OK;
}

static solo_status queue_wait_event(solo_bqueue *queue, solo_bevent *event) {
  (void)queue, (void)event;
  return SOLO_OK;
}

static const solo_backend driver = {.queue_open = queue_open,
                                    .queue_close = queue_close,
                                    .mem_alloc = mem_alloc,
                                    .mem_free = mem_free,
                                    .event_query = event_query,
                                    .queue_wait_event = queue_wait_event};

_Atomic uint32_t solo_info_bits;
void solo_device_lock(solo_device *d) {
  solo_lock_acquire(&d->lock);
}
static char memory[64 << 10] __attribute__((aligned(64)));
static size_t memory_used;
void *solo_early_allocate(size_t bytes) {
  if (memory_used + bytes > sizeof memory) abort();
  memory_used += (bytes + 63) & ~(size_t)63;
  return memory + memory_used - ((bytes + 63) & ~(size_t)63);
}
void solo_early_free(void *p) {
  (void)p;
}
solo_status solo_fail(solo_status status, const char *format, ...) {
  (void)format;
  return status;
}
solo_status solo_error_set_device(int number) {
  (void)number;
  return SOLO_OK;
}
void solo_error_save(solo_saved_error *out) {
  (void)out;
}
solo_status solo_error_restore(const solo_saved_error *kept) {
  (void)kept;
  return SOLO_OK;
}
void solo_scratch_free(solo_scratch_arena *arena) {
  (void)arena;
}
void solo_construct_land(solo_construct *c) {
  (void)c;
}
int solo_construct_end(solo_construct *c) {
  (void)c;
  return 1;
}
void solo_mapping_data_enqueued(solo_mapping *m) {
  (void)m;
}
void solo_mapping_drop_in_flight(solo_mapping *m) {
  (void)m;
}
solo_block *solo_mapping_remove(solo_mapping_table *table, solo_mapping *m) {
  (void)table, (void)m;
  return NULL;
}
void solo_mapping_evict_all(solo_mapping_table *table) {
  (void)table;
}
void solo_observe_begin(solo_trace_event *event) {
  (void)event;
}
solo_status solo_observe_end(solo_trace_event *event, solo_status status) {
  (void)event;
  return status;
}
solo_status solo_queue_wait(const solo_device *d, solo_bqueue *queue, const char *where) {
  (void)d, (void)queue, (void)where;
  return SOLO_OK;
}

static void begin(void) {
  memset(&device, 0, sizeof device);
  device.backend = &driver;
  device.pool_threshold = BYTES;
  memset(used, 0, sizeof used);
  memset(memory, 0, memory_used);
  memory_used = 0;
  opened = allocated = freed = closed = ended = 0;
}

static void use(uint64_t *thing) {
  explore_write(thing, explore_read(thing) + 1);
}

static void short_thread(void) {
  solo_bqueue *queue;
  if (solo_device_queue_slow(&device, &queue) != SOLO_OK) abort();
  use((uint64_t *)(void *)queue);
  return_caches(own);
  ended++;
}

static void end_of_threads(void) {
  explore_finished(opened <= ended && device.idle_queues, "a queue is lost");
  if (!ended) return;
  for (solo_queue_lease *lease = device.idle_queues, *next; lease; lease = next) {
    next = lease->next;
    free(lease);
  }
  for (solo_thread_cache *cache = device.idle_caches, *next; cache; cache = next) {
    next = cache->next;
    free(cache);
  }
}

static void user_of_memory(void) {
  solo_block *block;
  if (solo_pool_allocate(&device, BYTES, &block) != SOLO_OK) abort();
  use((uint64_t *)(uintptr_t)block->address);
  solo_pool_free(&device, block);
  ended++;
}

static void trimmer(void) {
  solo_pool_trim(&device);
  ended++;
}

static void end_of_memory(void) {
  solo_pool_trim(&device);
  explore_finished(freed == allocated, "a block is lost");
}

static solo_nowait_device streams;
static solo_nowait_op op;
static solo_mapping mapped;
#define FIRST 0x1000

static void begin_writeback(void) {
  begin();
  host = 0;
  memset(&streams, 0, sizeof streams);
  memset(&op, 0, sizeof op);
  memset(&mapped, 0, sizeof mapped);
  for (int i = 0; i < SOLO_STREAMS; i++) streams.streams[i].device = &device;
  solo_store_relaxed(&device.nowait, &streams);
  op.c.device = &device;
  op.stream = &streams.streams[0];
  op.writeback_begin = FIRST;
  op.writeback_end = FIRST + BYTES;
  solo_nowait_append(&op);
  op.state = SOLO_NOWAIT_QUEUED;
  solo_store_relaxed(&streams.pending_writebacks, 1);
  solo_store_relaxed(&mapped.begin, FIRST);
  solo_store_relaxed(&mapped.end, FIRST + BYTES);
}

static void asker(void) {
  solo_lock_acquire(&streams.lock);
  solo_nowait_land_completed(&streams, &streams.streams[0]);
  solo_lock_release(&streams.lock);
}

/* Maps the range again. The copy to the device must follow the earlier write-back: either the host
 * observes the data, or the copy is enqueued after the event of the write-back. */
static void mapper(void) {
  solo_construct c = {.device = &device, .new_mappings = &mapped};
  if (solo_nowait_order_after_writebacks(&c) != SOLO_OK) abort();
  if (!c.enqueued)
    explore_check(explore_read(&host) == 7,
                  "a copy to the device does not observe the earlier write-back");
}

int main(int count, char **arguments) {
  static const explore_scenario threads = {
      "two threads, a queue", begin, {short_thread, short_thread}, end_of_threads, 3, 5};
  static const explore_scenario blocks = {
      "two users of a pool", begin, {user_of_memory, user_of_memory}, end_of_memory, 3, 5};
  static const explore_scenario trimmed = {"a pool is trimmed", begin, {user_of_memory, trimmer},
                                           end_of_memory,       1,     2};
  static const explore_scenario writeback = {
      "a write-back completes", begin_writeback, {asker, mapper}, NULL, 6, 9};
  static const char *const lock_bugs[] = {"solo_lock_release", "solo_lock_try_fast+solo_lock_slow",
                                          NULL};
  static const char *const writeback_bugs[] = {"land", "solo_nowait_order_after_writebacks", NULL};
  static const char *const none[] = {NULL};
  explore_bounds(count, arguments);
  explore_private(&solo_lock_mark, sizeof solo_lock_mark);
  explore_private(&own, sizeof own);
  return explore_all(&threads, lock_bugs) + explore_all(&blocks, lock_bugs) +
         explore_all(&trimmed, none) + explore_all(&writeback, writeback_bugs);
}
