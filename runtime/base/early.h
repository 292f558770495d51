/* Memory for long-lived tables, zeroed and aligned to SOLO_CACHE_PAIR. The first 48 KiB are static
 * and need no system call; they are not reused. Threads: any. */
#ifndef SOLO_BASE_EARLY_H
#define SOLO_BASE_EARLY_H

#include "runtime/base/platform.h"

/* NULL: no memory. */
void *solo_early_allocate(size_t bytes);

/* Static area only. */
void *solo_early_allocate_static(size_t bytes);

/* Heap only, for free(). Large blocks request huge pages, which avoid TLB misses. */
void *solo_heap_allocate(size_t bytes);
void solo_early_free(void *memory);

#endif
