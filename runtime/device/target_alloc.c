/* omp_target_alloc (transfer.h) with pooled blocks, because drivers and C libraries allocate
 * slowly. The program receives the driver's address; a hash table finds its block. After
 * solo_pool_drain() an address is freed directly with the driver. */
#include "runtime/base/early.h"
#include "runtime/device/pool.h"
#include "runtime/device/transfer.h"

/* On a CPU, malloc serves smaller requests. */
enum { USER_BLOCK_LEAST = 64 << 10 };
enum { LINE_BITS = 6 };

static int is_user_block(const solo_device *device, uint64_t bytes) {
  return device->pool_large ? bytes >= USER_BLOCK_LEAST && bytes <= device->pool_large
                            : bytes <= device->pool_threshold;
}

static uint64_t driver_address(const solo_block *block) {
  return block->address - block->offset;
}

typedef _Atomic(solo_block *) user_list;

static size_t list_of(uint64_t address) {
  return (address >> LINE_BITS) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SOLO_POOL_USER_BITS);
}

static solo_user_blocks *user_blocks_of(solo_pool *pool) {
  solo_lock_acquire(&pool->lock);
  solo_user_blocks *user = solo_load_relaxed(&pool->user); /* relaxed: lock held */
  if (!user) {
    user = solo_heap_allocate(sizeof *user);
    /* Invariant: a published table is zeroed or filled under the lock.
     * Ordering:  pairs with the acquire loads in remove_user_block() and ready_of().
     * Otherwise: a free could read uninitialised lists.
     */
    solo_store_release(&pool->user, user);
  }
  solo_lock_release(&pool->lock);
  return user;
}

static solo_status lend(solo_device *device, uint64_t bytes, solo_memory_kind kind,
                        solo_devptr *out_address) {
  solo_block *block;
  solo_user_blocks *user = user_blocks_of(&device->pool);
  if (!user) return solo_fail(SOLO_NOMEM, "no host memory for the table of omp_target_alloc");
  SOLO_TRY(solo_pool_allocate_kind(device, bytes, kind, &block));
  *out_address = driver_address(block);
  user_list *list = &user->by_address[list_of(*out_address)];
  solo_lock_acquire(&device->pool.lock);
  block->next = solo_load_relaxed(list); /* relaxed: lock held */
  solo_store_relaxed(list, block);
  solo_lock_release(&device->pool.lock);
  return SOLO_OK;
}

/* NULL: the table does not contain the address. */
static solo_block *remove_user_block(solo_device *device, uint64_t address) {
  solo_user_blocks *user = solo_load_acquire(&device->pool.user); /* pairs with user_blocks_of */
  user_list *list = user ? &user->by_address[list_of(address)] : NULL;
  /* relaxed: the caller received the address from lend(), after lend() had stored the block; NULL:
   * not a pooled block */
  if (!list || !solo_load_relaxed(list)) return NULL;
  solo_lock_acquire(&device->pool.lock);
  solo_block *before = NULL, *block = solo_load_relaxed(list); /* relaxed: lock held */
  for (; block && driver_address(block) != address; block = block->next) before = block;
  if (block && before) before->next = block->next;
  if (block && !before) solo_store_relaxed(list, block->next);
  solo_lock_release(&device->pool.lock);
  return block;
}

solo_status solo_memory_alloc(solo_device *device, uint64_t bytes, solo_memory_kind kind,
                              void **out_address) {
  solo_devptr address = 0;
  if (!is_user_block(device, bytes)) {
    SOLO_TRY(solo_driver_alloc(device, bytes, kind, SOLO_TRACE_ALLOC, &address));
  } else {
    solo_trace_event event = {
        .kind = SOLO_TRACE_ALLOC, .device = device->number, .peer = device->number, .bytes = bytes};
    solo_observe_begin_any(&event);
    solo_status status = lend(device, bytes, kind, &address);
    event.to = address;
    SOLO_TRY(solo_observe_end_any(&event, status));
  }
  *out_address = (void *)address;
  return SOLO_OK;
}

solo_status solo_memory_free(solo_device *device, void *address, solo_memory_kind kind) {
  solo_block *block = remove_user_block(device, (uintptr_t)address);
  if (!block) return solo_driver_free(device, (uintptr_t)address, 0, kind, SOLO_TRACE_FREE);
  solo_trace_event event = {.kind = SOLO_TRACE_FREE,
                            .device = device->number,
                            .peer = device->number,
                            .to = (uintptr_t)address};
  solo_observe_begin_any(&event);
  solo_pool_free(device, block);
  return solo_observe_end_any(&event, SOLO_OK);
}
