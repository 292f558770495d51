/* Blocks of device memory (pool.h). Units: bytes. */
#ifndef SOLO_BLOCK_H
#define SOLO_BLOCK_H

#include "runtime/backend.h"
#include "runtime/base/lock.h"

/* Blocks up to 4 GiB have a size class. Other blocks have SOLO_POOL_NO_CLASS;
 * solo_pool.ready[SOLO_POOL_NO_CLASS] stays empty. */
enum { SOLO_POOL_CLASSES = 104, SOLO_POOL_NO_CLASS = SOLO_POOL_CLASSES };
enum { SOLO_POOL_LARGE = 32 << 20, SOLO_POOL_KEPT = 64 << 20 };
enum { SOLO_POOL_USER_BITS = 12 };

typedef struct solo_block {
  solo_devptr address;
  uint64_t bytes;
  struct solo_block *next;
  /* size_class SOLO_POOL_NO_CLASS: the block is freed to the driver, not pooled; kind: a
   * solo_memory_kind */
  uint16_t size_class, kind;
  /* offset: bytes from the driver's address to `address`; slack: bytes allocated beyond `bytes` */
  uint16_t offset, slack;
} solo_block;

/* Returns whether the block is pooled device memory (not host, shared or large). */
SOLO_INLINE int solo_block_is_common(const solo_block *block) {
  return block->kind == SOLO_MEMORY_DEVICE && block->size_class < SOLO_POOL_CLASSES;
}

/* Maximum size of a block with which a mapping can be cached (table/claim.h). SCRATCH: if the
 * mapping copies no data. */
enum { SOLO_BLOCK_KEPT_BYTES = 32 << 10, SOLO_BLOCK_SCRATCH_BYTES = 1 << 20 };
SOLO_INLINE uint32_t solo_block_keep_bytes(const solo_block *block, uint32_t most) {
  return solo_block_is_common(block) && block->bytes <= most ? (uint32_t)block->bytes : 0;
}

/* Free small blocks of one thread. The owner pushes and pops; solo_pool_trim() of any thread pops. */
enum { SOLO_MAGAZINE_BLOCKS = 8, SOLO_MAGAZINE_BYTES = 4096 };
typedef struct solo_magazine {
  struct solo_magazine *next;
  _Atomic(solo_block *) block[SOLO_MAGAZINE_BLOCKS];
  /* size of the block last stored in this slot; only the owner accesses it */
  uint32_t bytes[SOLO_MAGAZINE_BLOCKS];
} solo_magazine;

/* Tables for blocks of omp_target_alloc (target_alloc.c). Separate from the pool, because most
 * programs do not need these pages. */
typedef struct solo_user_blocks {
  /* free blocks of host and shared memory, by kind and size class; guarded by the pool's lock */
  solo_block *ready[SOLO_MEMORY_SHARED * SOLO_POOL_CLASSES];
  /* blocks that the program owns, hashed by the driver's address */
  _Atomic(solo_block *) by_address[1 << SOLO_POOL_USER_BITS];
} solo_user_blocks;

typedef struct solo_pool {
  SOLO_ALIGNED(SOLO_CACHE_PAIR) solo_lock lock;
  solo_magazine *magazines;
  /* free blocks of SOLO_MEMORY_DEVICE, by size class */
  solo_block *ready[SOLO_POOL_CLASSES + 1];
  uint64_t kept;      /* sum of bounded_bytes() of the ready blocks, at most SOLO_POOL_KEPT */
  uint32_t staggered; /* page offset that the last large block received */
  solo_block *nodes;
  solo_user_blocks *_Atomic user; /* NULL until the first omp_target_alloc; stored under the lock */
  struct solo_node_chunk *chunks;
} solo_pool;

#endif
