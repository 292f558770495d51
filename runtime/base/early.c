#define _GNU_SOURCE
#include "runtime/base/early.h"

#include "runtime/base/assert.h"
#include "runtime/base/atomic.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { AREA_BYTES = 48 << 10, HUGE_PAGE = 2 << 20, LARGE_BYTES = 1 << 20 };

/* Blocks are allocated from the end of the area downwards. tools/start.ld places this end next to
 * variables that every program writes, so that a short program touches few pages. */
static SOLO_ALIGNED(SOLO_CACHE_PAIR) char area[AREA_BYTES];
static _Atomic size_t area_used;

void *solo_early_allocate_static(size_t bytes) {
  bytes = (bytes + SOLO_CACHE_PAIR - 1) & ~(size_t)(SOLO_CACHE_PAIR - 1);
  /* relaxed, both: the compare-and-swap makes the ranges disjoint; it publishes no data */
  size_t used = solo_load_relaxed(&area_used);
  while (bytes <= AREA_BYTES - used) {
    if (!solo_cas_relaxed(&area_used, &used, used + bytes)) continue;
    /* Writes to the first and the last page of the block. A page that is read before its first
     * write costs two page faults instead of one. */
    char *first = area + AREA_BYTES - used - bytes, *last = first + bytes - 1;
    *(volatile char *)first = *(volatile char *)last = 0;
    return first;
  }
  return NULL;
}

void *solo_early_allocate(size_t bytes) {
  void *memory = solo_early_allocate_static(bytes);
  if (!memory) memory = solo_heap_allocate(bytes);
  SOLO_ASSERT(solo_is_pair_aligned(memory), "memory is not aligned to a pair of cache lines");
  return memory;
}

void *solo_heap_allocate(size_t bytes) {
  size_t unit = bytes >= LARGE_BYTES ? HUGE_PAGE : SOLO_CACHE_PAIR;
  bytes = (bytes + unit - 1) & ~(unit - 1);
  void *memory = aligned_alloc(unit, bytes);
  if (!memory) return NULL;
#ifdef MADV_HUGEPAGE
  if (unit == HUGE_PAGE) (void)madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return memset(memory, 0, bytes);
}

void solo_early_free(void *memory) {
  uintptr_t at = (uintptr_t)memory;
  if (at - (uintptr_t)area >= AREA_BYTES) free(memory);
}
