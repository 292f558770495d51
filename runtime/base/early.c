/* The static area of early.h. */
#include "runtime/base/early.h"

#include "runtime/base/atomic.h"
#include <stdlib.h>
#include <string.h>

enum { AREA_BYTES = 48 << 10 };

static SOLO_ALIGNED(SOLO_CACHE_LINE) char area[AREA_BYTES];
static _Atomic size_t area_used;

void *solo_early_alloc(size_t bytes) {
  bytes = (bytes + SOLO_CACHE_LINE - 1) & ~(size_t)(SOLO_CACHE_LINE - 1);
  size_t used = solo_load_relaxed(&area_used); /* only disjointness matters */
  while (bytes <= AREA_BYTES - used)
    if (solo_cas_relaxed(&area_used, &used, used + bytes)) return area + used; /* likewise */
  void *memory = aligned_alloc(SOLO_CACHE_LINE, bytes);
  if (memory) memset(memory, 0, bytes);
  return memory;
}

void solo_early_free(void *memory) {
  uintptr_t at = (uintptr_t)memory;
  if (at - (uintptr_t)area >= AREA_BYTES) free(memory);
}
