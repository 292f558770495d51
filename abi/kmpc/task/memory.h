/* Thread caches of task memory. Only the owner allocates; other threads push freed blocks on the
 * stack `returned`. Caches and slabs are never freed; a new thread uses the cache of an ended
 * thread. Blocks above KMPC_CACHE_LIMIT use malloc. If memory is exhausted, the process ends. */
#ifndef SOLO_KMPC_TASK_MEMORY_H
#define SOLO_KMPC_TASK_MEMORY_H

#include "runtime/base/atomic.h"

enum {
  KMPC_CACHE_GRAIN = 64,
  KMPC_CACHE_SMALL = 1024, /* above this size: one class per power of two */
  KMPC_CACHE_LIMIT = 16384,
  KMPC_CACHE_CLASSES = 21,
};

typedef struct kmpc_cache kmpc_cache;

typedef struct kmpc_block {
  kmpc_cache *home; /* NULL: the block is from malloc */
  uint32_t class_index;
  uint32_t unused;
} kmpc_block;

typedef struct kmpc_free_block {
  struct kmpc_free_block *next;
} kmpc_free_block;

typedef struct kmpc_block_chain {
  kmpc_cache *home;
  kmpc_free_block *first, *last;
} kmpc_block_chain;

struct kmpc_cache {
  kmpc_free_block *list[KMPC_CACHE_CLASSES];
  uint64_t slab_count;
  kmpc_cache *next;
  SOLO_ALIGNED(SOLO_CACHE_PAIR) kmpc_free_block *_Atomic returned;
};

kmpc_cache *solo_kmp_cache_open(void);
void solo_kmp_cache_close(kmpc_cache *cache);

void *solo_kmp_cache_allocate_slow(kmpc_cache *cache, size_t bytes);
void solo_kmp_cache_free_slow(void *block);
void solo_kmp_cache_free_chain(const kmpc_block_chain *chain);

SOLO_INLINE uint32_t solo_kmp_cache_class(size_t bytes_with_head) {
  if (bytes_with_head <= 32) return 0;
  if (bytes_with_head <= KMPC_CACHE_SMALL)
    return (uint32_t)((bytes_with_head + KMPC_CACHE_GRAIN - 1) / KMPC_CACHE_GRAIN);
  return 17 + 21 - (uint32_t)__builtin_clz((uint32_t)(bytes_with_head - 1));
}

SOLO_INLINE void *solo_kmp_cache_allocate(kmpc_cache *cache, size_t bytes) {
  size_t whole = bytes + sizeof(kmpc_block);
  if (SOLO_LIKELY(whole <= KMPC_CACHE_LIMIT)) {
    kmpc_free_block **list = &cache->list[solo_kmp_cache_class(whole)];
    kmpc_free_block *block = *list;
    if (SOLO_LIKELY(block != NULL)) {
      *list = block->next;
      return block;
    }
  }
  return solo_kmp_cache_allocate_slow(cache, bytes);
}

/* cache: the calling thread's, or NULL. */
SOLO_INLINE void solo_kmp_cache_free(kmpc_cache *cache, void *block) {
  kmpc_block *head = (kmpc_block *)block - 1;
  if (SOLO_LIKELY(head->home == cache && cache)) {
    kmpc_free_block *free_block = block;
    free_block->next = cache->list[head->class_index];
    cache->list[head->class_index] = free_block;
    return;
  }
  solo_kmp_cache_free_slow(block);
}

/* Adds a block of another thread's cache to the chain, so that all blocks of the chain are freed with
 * one exchange. A chain contains blocks of one cache only; all other blocks are freed immediately. */
SOLO_INLINE void solo_kmp_cache_free_later(kmpc_cache *cache, void *block,
                                           kmpc_block_chain *chain) {
  kmpc_cache *home = ((kmpc_block *)block - 1)->home;
  if (home == cache || !home || (chain->home && chain->home != home)) {
    solo_kmp_cache_free(cache, block);
    return;
  }
  kmpc_free_block *free_block = block;
  free_block->next = chain->first;
  chain->first = free_block;
  if (!chain->last) chain->last = free_block;
  chain->home = home;
}

#endif
