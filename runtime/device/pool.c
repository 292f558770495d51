#include "runtime/device/pool.h"

#include "runtime/backend_call.h"
#include "runtime/base/assert.h"
#include "runtime/base/early.h"
#include "runtime/base/settings.h"
#include "runtime/device/device.h"
#include "runtime/table/claim.h"
#include "runtime/trace/observer.h"

enum { SMALLEST = 64, NODES_PER_CHUNK = 7 };

typedef struct solo_node_chunk {
  struct solo_node_chunk *next;
  solo_block nodes[NODES_PER_CHUNK];
} solo_node_chunk;

/* The capacity of class c is (4 + c % 4) << (4 + c / 4) bytes: 64, 80, 96, 112, 128, 160 ... */
static uint32_t class_of(uint64_t bytes, uint64_t *out_capacity) {
  if (bytes < SMALLEST) bytes = SMALLEST;
  unsigned top = 63u - (unsigned)__builtin_clzll(bytes);
  unsigned shift = top - 2;
  uint64_t quarters = (bytes + (UINT64_C(1) << shift) - 1) >> shift;
  *out_capacity = quarters << shift;
  return (uint32_t)((top - 6) * 4 + (quarters - 4));
}

/* All large blocks that a C library allocates have the same offset in their page, so that arrays
 * compete for the same cache sets. On CPUs each large block therefore receives another offset. */
enum { STAGGERED_LEAST = 64 << 10, IN_PAGE = 4095 };
enum { IN_LINE = SOLO_CACHE_LINE - 1 };
/* Returns the maximum page offset that a block can receive; 0: none. */
SOLO_INLINE uint64_t slack(const solo_device *device, uint64_t bytes) {
  /* for smaller sizes the unsigned difference exceeds INT64_MAX */
  return device->pool_large && bytes - STAGGERED_LEAST <= INT64_MAX ? IN_PAGE : 0;
}

static solo_block *allocate_node(solo_pool *pool) {
  if (!pool->nodes) {
    solo_node_chunk *chunk = solo_early_allocate(sizeof *chunk);
    if (!chunk) return NULL;
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    for (int i = 0; i < NODES_PER_CHUNK; i++) {
      chunk->nodes[i].next = pool->nodes;
      pool->nodes = &chunk->nodes[i];
    }
  }
  solo_block *node = pool->nodes;
  pool->nodes = node->next;
  return node;
}

static void put_node(solo_pool *pool, solo_block *node) {
  solo_lock_acquire(&pool->lock);
  node->next = pool->nodes;
  pool->nodes = node;
  solo_lock_release(&pool->lock);
}

solo_status solo_driver_alloc(solo_device *device, uint64_t bytes, solo_memory_kind kind,
                              solo_trace_kind what, solo_devptr *out_address) {
  solo_trace_event event = {
      .kind = what, .device = device->number, .peer = device->number, .bytes = bytes};
  solo_observe_begin_any(&event);
  solo_status status =
      SOLO_OP(device->backend, mem_alloc)(device->handle, bytes, kind, out_address);
  if (status == SOLO_DEVICE_NOMEM) {
    solo_pool_trim(device);
    status = SOLO_OP(device->backend, mem_alloc)(device->handle, bytes, kind, out_address);
  }
  if (status == SOLO_OK)
    event.to = *out_address;
  else
    solo_error_set_device(device->number);
  return solo_observe_end_any(&event, status);
}

solo_status solo_driver_free(const solo_device *device, solo_devptr address, uint64_t bytes,
                             solo_memory_kind kind, solo_trace_kind what) {
  solo_trace_event event = {.kind = what,
                            .device = device->number,
                            .peer = device->number,
                            .bytes = bytes,
                            .to = address};
  solo_observe_begin_any(&event);
  return solo_observe_end_any(&event,
                              SOLO_OP(device->backend, mem_free)(device->handle, address, kind));
}

/* Returns the bytes of the block that count towards the limit SOLO_POOL_KEPT: all or 0. Host and
 * shared memory always counts, because other programs need it. */
SOLO_INLINE uint64_t bounded_bytes(const solo_device *device, const solo_block *block) {
  return block->bytes > device->pool_threshold || block->kind != SOLO_MEMORY_DEVICE ? block->bytes
                                                                                    : 0;
}

SOLO_INLINE solo_block **ready_of(solo_pool *pool, solo_memory_kind kind) {
  if (SOLO_LIKELY(kind == SOLO_MEMORY_DEVICE)) return pool->ready;
  solo_user_blocks *user = solo_load_acquire(&pool->user); /* pairs with user_blocks_of */
  SOLO_ASSERT(user, "a block of host or shared memory exists, but solo_user_blocks does not");
  return user->ready + ((int)kind - 1) * SOLO_POOL_CLASSES;
}

solo_status solo_pool_allocate(solo_device *device, uint64_t bytes, solo_block **out_block) {
  return solo_pool_allocate_kind(device, bytes, SOLO_MEMORY_DEVICE, out_block);
}

solo_status solo_pool_allocate_kind(solo_device *device, uint64_t bytes, solo_memory_kind kind,
                                    solo_block **out_block) {
  solo_pool *pool = &device->pool;
  uint64_t more = slack(device, bytes), capacity;
  uint32_t size_class = class_of(bytes, &capacity);
  int is_kept = bytes <= device->pool_threshold || bytes <= device->pool_large;
  if (!is_kept || size_class >= SOLO_POOL_CLASSES) {
    size_class = SOLO_POOL_NO_CLASS;
    capacity = bytes;
  }
  solo_block **ready = ready_of(pool, kind) + size_class;
  solo_lock_acquire(&pool->lock);
  solo_block *block = *ready;
  if (block) {
    *ready = block->next;
    pool->kept -= bounded_bytes(device, block);
    solo_lock_release(&pool->lock);
    *out_block = block;
    return SOLO_OK;
  }
  solo_block *node = allocate_node(pool);
  uint64_t place = pool->staggered += more & SOLO_CACHE_PAIR;
  solo_lock_release(&pool->lock);
  if (!node) return solo_fail(SOLO_NOMEM, "no host memory for a block of device memory");
  uint64_t spare = more ? IN_PAGE + IN_LINE : 0;
  solo_status status =
      solo_driver_alloc(device, capacity + spare, kind, SOLO_TRACE_GROW, &node->address);
  if (status != SOLO_OK) {
    put_node(pool, node);
    return status;
  }
  node->slack = (uint16_t)spare;
  node->offset = (uint16_t)((place - node->address) & more);
  node->address += node->offset;
  node->bytes = capacity;
  node->size_class = (uint16_t)size_class;
  node->kind = (uint16_t)kind;
  *out_block = node;
  return SOLO_OK;
}

/* Ignores the status: a failed device reports the error at the next call. */
static SOLO_NOINLINE void free_block(solo_device *device, solo_block *block) {
  (void)solo_driver_free(device, block->address - block->offset, block->bytes + block->slack,
                         (solo_memory_kind)block->kind, SOLO_TRACE_SHRINK);
  put_node(&device->pool, block);
}

void solo_pool_free(solo_device *device, solo_block *block) {
  solo_pool *pool = &device->pool;
  if (SOLO_LIKELY(block->size_class < SOLO_POOL_CLASSES)) {
    uint64_t bounded = bounded_bytes(device, block);
    solo_block **ready = ready_of(pool, (solo_memory_kind)block->kind) + block->size_class;
    solo_lock_acquire(&pool->lock);
    int is_kept = pool->kept + bounded <= SOLO_POOL_KEPT;
    if (SOLO_LIKELY(is_kept)) {
      pool->kept += bounded;
      block->next = *ready;
      *ready = block;
    }
    solo_lock_release(&pool->lock);
    if (SOLO_LIKELY(is_kept)) return;
  }
  free_block(device, block);
}

void solo_magazine_register(solo_device *device, solo_magazine *magazine) {
  solo_lock_acquire(&device->pool.lock);
  magazine->next = device->pool.magazines;
  device->pool.magazines = magazine;
  solo_lock_release(&device->pool.lock);
}

solo_status solo_magazine_allocate(solo_device *device, solo_magazine *magazine, uint64_t bytes,
                                   solo_block **out_block) {
  for (int i = SOLO_MAGAZINE_BLOCKS; i-- > 0;) {
    if (magazine->bytes[i] < bytes || magazine->bytes[i] / 4 > bytes) continue;
    /* Acquires the block's content; pairs with solo_magazine_free. NULL: a trim has removed the
     * block. */
    *out_block = solo_exchange_acq_rel(&magazine->block[i], NULL);
    magazine->bytes[i] = 0;
    if (*out_block) return SOLO_OK;
  }
  return solo_pool_allocate(device, bytes, out_block);
}

void solo_magazine_free(solo_device *device, solo_magazine *magazine, solo_block *block) {
  int is_small = block->bytes <= SOLO_MAGAZINE_BYTES && solo_block_is_common(block);
  for (int i = 0; is_small && i < SOLO_MAGAZINE_BLOCKS; i++) {
    /* relaxed: only this thread stores blocks here */
    if (solo_load_relaxed(&magazine->block[i])) continue;
    magazine->bytes[i] = (uint32_t)block->bytes;
    /* Invariant: a block in a magazine is complete and has one owner.
     * Ordering:  pairs with the exchange in empty_magazines().
     * Otherwise: a trim could free a block with a stale size.
     */
    solo_store_release(&magazine->block[i], block);
    return;
  }
  solo_pool_free(device, block);
}

static solo_block *empty_magazines(solo_pool *pool) {
  solo_block *list = NULL;
  solo_lock_acquire(&pool->lock);
  for (solo_magazine *magazine = pool->magazines; magazine; magazine = magazine->next)
    for (int i = 0; i < SOLO_MAGAZINE_BLOCKS; i++) {
      /* pairs with solo_magazine_free */
      solo_block *block = solo_exchange_acq_rel(&magazine->block[i], NULL);
      if (!block) continue;
      block->next = list;
      list = block;
    }
  solo_lock_release(&pool->lock);
  return list;
}

static void free_list(solo_device *device, solo_block *list) {
  while (list) {
    solo_block *next = list->next;
    free_block(device, list);
    list = next;
  }
}

static SOLO_NOINLINE solo_block *empty_lists(solo_block **ready, int count, solo_block *all) {
  for (; count > 0; count--, ready++)
    while (*ready) {
      solo_block *block = *ready;
      *ready = block->next;
      block->next = all;
      all = block;
    }
  return all;
}

SOLO_INLINE uint64_t kept_of(const solo_device *device, const solo_block *list) {
  uint64_t bytes = 0;
  for (; list; list = list->next) bytes += bounded_bytes(device, list);
  return bytes;
}

void solo_pool_trim(solo_device *device) {
  solo_pool *pool = &device->pool;
  solo_mapping_evict_all(&device->mappings);
  if (!solo_device_is_synchronous(device)) free_list(device, empty_magazines(pool));
  solo_lock_acquire(&pool->lock);
  solo_block *all = empty_lists(pool->ready, SOLO_POOL_CLASSES, NULL);
  solo_user_blocks *user = solo_load_relaxed(&pool->user); /* relaxed: lock held */
  if (user) all = empty_lists(user->ready, (int)(sizeof user->ready / sizeof *user->ready), all);
  SOLO_ASSERT(pool->kept == kept_of(device, all),
              "pool->kept differs from the bytes in the ready lists");
  pool->kept = 0;
  solo_lock_release(&pool->lock);
  free_list(device, all);
}

void solo_pool_drain(solo_device *device) {
  solo_pool_trim(device);
  solo_pool *pool = &device->pool;
  while (pool->chunks) {
    solo_node_chunk *next = pool->chunks->next;
    solo_early_free(pool->chunks);
    pool->chunks = next;
  }
  pool->nodes = NULL;
  pool->magazines = NULL;
  /* relaxed, all: one thread */
  if (solo_load_relaxed(&pool->user)) solo_early_free(solo_load_relaxed(&pool->user));
  solo_store_relaxed(&pool->user, NULL);
}
