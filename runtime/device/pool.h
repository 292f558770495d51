/* Device memory in reusable blocks: what mappings and private copies are made of.
 *
 * Drivers are slow at allocating and freeing (and freeing may synchronise the whole device), so
 * blocks up to solo_settings()->pool_threshold are kept for reuse, in size classes (four per power
 * of two, so at most a quarter is wasted); larger ones go back to the driver.
 *
 * Ownership: a block belongs to its taker until solo_pool_give. Nodes are recycled, never freed,
 * before solo_pool_drain. Threads: any. Errors: SOLO_DEVICE_NOMEM after everything cached was given
 * back to the driver and the driver still had nothing. Units: bytes.
 */
#ifndef SOLO_POOL_H
#define SOLO_POOL_H

#include "runtime/backend.h"
#include "runtime/base/lock.h"
#include "runtime/trace/observer.h"

enum { SOLO_POOL_CLASSES = 104 }; /* blocks up to 4 GiB */

typedef struct solo_block {
  solo_devptr address;
  uint64_t bytes; /* capacity */
  struct solo_block *next;
  uint32_t size_class; /* SOLO_POOL_CLASSES: not pooled */
} solo_block;

/* With a block that is no larger a mapping may stay when nobody has it mapped (table/claim.h). Copies
 * of larger ones take longer than the pool. */
enum { SOLO_BLOCK_KEPT_BYTES = 32 << 10 };
SOLO_INLINE uint32_t solo_block_keep_bytes(const solo_block *block) {
  return block->size_class < SOLO_POOL_CLASSES && block->bytes <= SOLO_BLOCK_KEPT_BYTES
             ? (uint32_t)block->bytes
             : 0;
}

typedef struct solo_pool {
  solo_lock lock; /* guards the lists */
  solo_block *ready[SOLO_POOL_CLASSES];
  solo_block *nodes; /* descriptors without memory */
  struct solo_node_chunk *chunks;
} solo_pool;

struct solo_device;

solo_status solo_pool_take(struct solo_device *device, uint64_t bytes,
                           solo_block **out_block) SOLO_MUST_CHECK;
void solo_pool_give(struct solo_device *device, solo_block *block);

/* Returns everything cached to the driver (trim), and all nodes too (drain: no block is out). */
void solo_pool_trim(struct solo_device *device);
void solo_pool_drain(struct solo_device *device);

/* The driver's memory calls, for the pool and for who bypasses it (omp_target_alloc): told to
 * observers as what. Out of device memory is tried again after the pool gave back what it keeps. */
solo_status solo_driver_alloc(struct solo_device *device, uint64_t bytes, solo_memory_kind kind,
                              solo_trace_kind what, solo_devptr *out_address) SOLO_MUST_CHECK;
/* Of the block only address and bytes are read. */
solo_status solo_driver_free(const struct solo_device *device, const solo_block *block,
                             solo_memory_kind kind, solo_trace_kind what);

#endif
