/* Memory for long-lived tables, zeroed and aligned to SOLO_CACHE_PAIR. The first 48 KiB are static:
 * they need no system call and are not reused. Threads: any. */
#ifndef SOLO_BASE_EARLY_H
#define SOLO_BASE_EARLY_H

#include "runtime/base/platform.h"

/* Uses the static area, then the heap. Returns NULL if no memory is left. Free with
 * solo_early_free. */
void *solo_early_allocate(size_t bytes);

/* Uses the static area only. Returns NULL if it is full. */
void *solo_early_allocate_static(size_t bytes);

/* Uses the heap only; the caller frees the block with free(). Large blocks request huge pages, to
 * avoid TLB misses. */
void *solo_heap_allocate(size_t bytes);
void solo_early_free(void *memory);

#endif
