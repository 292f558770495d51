/* A block of device memory, and the lists in which a device keeps blocks for reuse (pool.h).
 *
 * Threads: as pool.h says. Units: bytes.
 */
#ifndef SOLO_BLOCK_H
#define SOLO_BLOCK_H

#include "runtime/backend.h"
#include "runtime/base/lock.h"

/* Blocks up to 4 GiB. Blocks of no class are of a list that stays empty. */
enum { SOLO_POOL_CLASSES = 104, SOLO_POOL_NO_CLASS = SOLO_POOL_CLASSES };
enum { SOLO_POOL_LARGE = 32 << 20, SOLO_POOL_KEPT = 64 << 20 };
enum { SOLO_POOL_LENT_BITS = 12 };

typedef struct solo_block {
  solo_devptr address;
  uint64_t bytes; /* capacity */
  struct solo_block *next;
  uint16_t size_class, kind; /* SOLO_POOL_NO_CLASS: not pooled; a solo_memory_kind */
  uint16_t offset,
      slack; /* of address in the driver's block, and how much larger that block is (pool.c) */
} solo_block;

/* Of the device's own memory, and kept by the pool: as mappings' blocks are, but for large ones. */
SOLO_INLINE int solo_block_is_common(const solo_block *block) {
  return block->kind == SOLO_MEMORY_DEVICE && block->size_class < SOLO_POOL_CLASSES;
}

/* With a block that is no larger a mapping may stay when nobody has it mapped (table/claim.h). Copies
 * of larger ones take longer than the pool; where nothing is copied, as to scratch arrays, the second bound holds. */
enum { SOLO_BLOCK_KEPT_BYTES = 32 << 10, SOLO_BLOCK_SCRATCH_BYTES = 1 << 20 };
SOLO_INLINE uint32_t solo_block_keep_bytes(const solo_block *block, uint32_t most) {
  return solo_block_is_common(block) && block->bytes <= most ? (uint32_t)block->bytes : 0;
}

/* Small blocks that a thread keeps for itself (thread_cache.h). The thread alone puts blocks in and takes them for use; a
 * pool that is trimmed takes them out, too. */
enum { SOLO_MAGAZINE_BLOCKS = 8, SOLO_MAGAZINE_BYTES = 4096 };
typedef struct solo_magazine {
  struct solo_magazine *next; /* of the pool's, guarded by its lock */
  _Atomic(solo_block *) block[SOLO_MAGAZINE_BLOCKS];
  uint32_t
      bytes[SOLO_MAGAZINE_BLOCKS]; /* of the block last put at the same index; the thread's own */
} solo_magazine;

/* What a pool has once a block is lent to the program, by omp_target_alloc and its kin (target_alloc.c). Most programs ask for
 * none: so it is not in the pool, whose pages each program touches at its start. */
typedef struct solo_lent {
  /* of the kinds behind SOLO_MEMORY_DEVICE, SOLO_MEMORY_SHARED the last; guarded by the pool's lock */
  solo_block *ready[SOLO_MEMORY_SHARED * SOLO_POOL_CLASSES];
  /* lists of the blocks that are lent */
  _Atomic(solo_block *) by_address[1 << SOLO_POOL_LENT_BITS];
} solo_lent;

typedef struct solo_pool {
  SOLO_ALIGNED(SOLO_CACHE_PAIR) solo_lock lock; /* guards the lists */
  solo_magazine *magazines;
  /* of SOLO_MEMORY_DEVICE; the last list, SOLO_POOL_NO_CLASS, stays empty */
  solo_block *ready[SOLO_POOL_CLASSES + 1];
  uint64_t kept;      /* bytes in ready blocks above the threshold, or not of the device's memory */
  uint32_t staggered; /* where the last large block lies in its pages (pool.c) */
  solo_block *nodes;  /* descriptors without memory */
  solo_lent *_Atomic lent; /* NULL: no block was lent yet. Stored under the lock */
  struct solo_node_chunk *chunks;
} solo_pool;

#endif
