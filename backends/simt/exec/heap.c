/* The device's heap: malloc and free in kernels, with a limit. */
#include "backends/simt/exec/inside.h"

#include <stdlib.h>

enum { HEADER = 16, DEFAULT_LIMIT = 8 << 20 };

static uint64_t limit = DEFAULT_LIMIT, used;

void simt_heap_limit(uint64_t bytes) {
  __atomic_store_n(&limit, bytes, __ATOMIC_RELAXED);
}

void *simt_heap_allocate(uint64_t bytes) {
  uint64_t total = bytes + HEADER;
  if (total < bytes || __atomic_add_fetch(&used, total, __ATOMIC_RELAXED) >
                           __atomic_load_n(&limit, __ATOMIC_RELAXED)) {
    __atomic_sub_fetch(&used, total, __ATOMIC_RELAXED);
    return NULL;
  }
  uint64_t *block = malloc(total);
  if (!block) return NULL;
  block[0] = total;
  return (char *)block + HEADER;
}

void simt_heap_release(void *address) {
  if (!address) return;
  uint64_t *block = (void *)((char *)address - HEADER);
  __atomic_sub_fetch(&used, block[0], __ATOMIC_RELAXED);
  free(block);
}
