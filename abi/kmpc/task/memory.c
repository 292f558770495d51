#include "abi/kmpc/task/memory.h"
#include "abi/kmpc/kmpc.h"
#include "runtime/base/assert.h"
#include <stdlib.h>
#include <string.h>

enum { SLAB_BYTES = 16384 };

static void *memory_or_end(size_t bytes) {
  bytes = (bytes + SOLO_CACHE_PAIR - 1) / SOLO_CACHE_PAIR * SOLO_CACHE_PAIR;
  void *memory = aligned_alloc(SOLO_CACHE_PAIR, bytes);
  if (!memory) solo_kmp_fatal("out of memory for tasks (%zu bytes)", bytes);
  SOLO_ASSERT(solo_is_pair_aligned(memory), "slabs of two threads share a pair of cache lines");
  return memory;
}

static solo_lock closed_lock = SOLO_LOCK_INIT(SOLO_RANK_LEAF);
static kmpc_cache *closed;

kmpc_cache *solo_kmp_cache_open(void) {
  solo_lock_acquire(&closed_lock);
  kmpc_cache *cache = closed;
  if (cache) closed = cache->next;
  solo_lock_release(&closed_lock);
  if (cache) return cache;
  cache = memory_or_end(sizeof *cache);
  memset(cache, 0, sizeof *cache);
  return cache;
}

void solo_kmp_cache_close(kmpc_cache *cache) {
  solo_lock_acquire(&closed_lock);
  cache->next = closed;
  closed = cache;
  solo_lock_release(&closed_lock);
}

static void collect(kmpc_cache *cache) {
  /* Invariant: the thread that freed a block no longer accesses it.
   * Ordering:  this acquire exchange pairs with the release exchange in solo_kmp_cache_free_chain().
   * Otherwise: a block in use could be overwritten.
   */
  kmpc_free_block *block = solo_exchange_acquire(&cache->returned, NULL);
  while (block) {
    kmpc_free_block *next = block->next;
    solo_kmp_cache_free(cache, block);
    block = next;
  }
}

static size_t class_bytes(uint32_t class_index) {
  if (class_index == 0) return 32;
  if (class_index <= KMPC_CACHE_SMALL / KMPC_CACHE_GRAIN)
    return class_index * (size_t)KMPC_CACHE_GRAIN;
  return (size_t)KMPC_CACHE_SMALL << (class_index - KMPC_CACHE_SMALL / KMPC_CACHE_GRAIN);
}

static void cut_slab(kmpc_cache *cache, uint32_t class_index) {
  size_t bytes = class_bytes(class_index);
  char *slab = memory_or_end(SLAB_BYTES);
  cache->slab_count++;
  for (size_t at = 0; at + bytes <= SLAB_BYTES; at += bytes) {
    kmpc_block *head = (kmpc_block *)(slab + at);
    head->home = cache;
    head->class_index = class_index;
    head->unused = 0;
    solo_kmp_cache_free(cache, head + 1);
  }
}

void *solo_kmp_cache_allocate_slow(kmpc_cache *cache, size_t bytes) {
  size_t whole = bytes + sizeof(kmpc_block);
  if (whole > KMPC_CACHE_LIMIT) {
    kmpc_block *head = memory_or_end(whole);
    head->home = NULL;
    return head + 1;
  }
  uint32_t class_index = solo_kmp_cache_class(whole);
  collect(cache);
  if (!cache->list[class_index]) cut_slab(cache, class_index);
  kmpc_free_block *block = cache->list[class_index];
  cache->list[class_index] = block->next;
  return block;
}

void solo_kmp_cache_free_slow(void *block) {
  kmpc_block *head = (kmpc_block *)block - 1;
  if (!head->home) {
    free(head);
    return;
  }
  solo_kmp_cache_free_chain(&(kmpc_block_chain){head->home, block, block});
}

void solo_kmp_cache_free_chain(const kmpc_block_chain *chain) {
  if (!chain->first) return;
  _Atomic(kmpc_free_block *) *returned = &chain->home->returned;
  kmpc_free_block *top = solo_load_relaxed(returned); /* relaxed: the exchange verifies `top` */
  do {
    chain->last->next = top;
  } while (!solo_cas_release(returned, &top, chain->first));
}
