/* The heap of device code (malloc, free). */
#include "backends/simt/exec/internal.h"

#include "runtime/base/atomic.h"
#include <stdlib.h>

enum { HEADER = 16, DEFAULT_LIMIT = 8 << 20 };

/* relaxed in this file: the counters publish no data */
static _Atomic uint64_t limit = DEFAULT_LIMIT, used;

void simt_heap_limit(uint64_t bytes) {
  solo_store_relaxed(&limit, bytes);
}

void *simt_heap_allocate(uint64_t bytes) {
  uint64_t total = bytes + HEADER;
  if (total < bytes) return NULL;
  /* relaxed */
  if (solo_add_relaxed(&used, total) + total > solo_load_relaxed(&limit)) {
    solo_sub_relaxed(&used, total);
    return NULL;
  }
  uint64_t *block = malloc(total);
  if (!block) {
    solo_sub_relaxed(&used, total); /* relaxed */
    return NULL;
  }
  block[0] = total;
  if (!simt_memory_add((char *)block + HEADER, bytes)) {
    solo_sub_relaxed(&used, total); /* relaxed */
    free(block);
    return NULL;
  }
  simt_access_clear((char *)block + HEADER, bytes);
  return (char *)block + HEADER;
}

void simt_heap_release(void *address) {
  if (!address) return;
  uint64_t *block = (void *)((char *)address - HEADER);
  (void)simt_memory_remove(address);
  solo_sub_relaxed(&used, block[0]); /* relaxed */
  free(block);
}
