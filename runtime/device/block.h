/* Blocks of device memory (pool.h). Units: bytes. */
#ifndef SOLO_BLOCK_H
#define SOLO_BLOCK_H

#include "runtime/backend.h"
#include "runtime/base/lock.h"

/* Blocks up to 4 GiB have a class. The list of SOLO_POOL_NO_CLASS stays empty. */
enum { SOLO_POOL_CLASSES = 104, SOLO_POOL_NO_CLASS = SOLO_POOL_CLASSES };
enum { SOLO_POOL_LARGE = 32 << 20, SOLO_POOL_KEPT = 64 << 20 };
enum { SOLO_POOL_LENT_BITS = 12 };

typedef struct solo_block {
  solo_devptr address;
  uint64_t bytes;
  struct solo_block *next;
  uint16_t size_class, kind; /* SOLO_POOL_NO_CLASS: not pooled; a solo_memory_kind */
  uint16_t offset, slack;    /* of address in the driver's block; its extra size */
} solo_block;

/* Nonzero: pooled device memory. */
SOLO_INLINE int solo_block_is_common(const solo_block *block) {
  return block->kind == SOLO_MEMORY_DEVICE && block->size_class < SOLO_POOL_CLASSES;
}

/* Maximum blocks of cached mappings (table/claim.h), and of those without copies. */
enum { SOLO_BLOCK_KEPT_BYTES = 32 << 10, SOLO_BLOCK_SCRATCH_BYTES = 1 << 20 };
SOLO_INLINE uint32_t solo_block_keep_bytes(const solo_block *block, uint32_t most) {
  return solo_block_is_common(block) && block->bytes <= most ? (uint32_t)block->bytes : 0;
}

/* Small blocks of a thread. The owner pushes and pops; solo_pool_trim() pops. */
enum { SOLO_MAGAZINE_BLOCKS = 8, SOLO_MAGAZINE_BYTES = 4096 };
typedef struct solo_magazine {
  struct solo_magazine *next;
  _Atomic(solo_block *) block[SOLO_MAGAZINE_BLOCKS];
  uint32_t bytes[SOLO_MAGAZINE_BLOCKS]; /* of the last block here; the owner's */
} solo_magazine;

/* Blocks of omp_target_alloc (target_alloc.c). Most programs do not touch these pages. */
typedef struct solo_user_blocks {
  /* kinds after SOLO_MEMORY_DEVICE; under the pool's lock */
  solo_block *ready[SOLO_MEMORY_SHARED * SOLO_POOL_CLASSES];
  /* allocated blocks */
  _Atomic(solo_block *) by_address[1 << SOLO_POOL_LENT_BITS];
} solo_user_blocks;

typedef struct solo_pool {
  SOLO_ALIGNED(SOLO_CACHE_PAIR) solo_lock lock;
  solo_magazine *magazines;
  /* of SOLO_MEMORY_DEVICE */
  solo_block *ready[SOLO_POOL_CLASSES + 1];
  uint64_t kept;      /* bytes of ready blocks that SOLO_POOL_KEPT limits */
  uint32_t staggered; /* offset of the last large block */
  solo_block *nodes;  /* unused descriptors */
  solo_user_blocks
      *_Atomic lent; /* NULL before the first omp_target_alloc; stored under the lock */
  struct solo_node_chunk *chunks;
} solo_pool;

#endif
