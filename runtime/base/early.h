/* Long-lived memory for the runtime's own tables, the first of it without a system call.
 *
 * A program with one device and a handful of mappings gets all its tables from a static area (pages
 * that are not touched cost nothing); what does not fit comes from the heap. A short program thus
 * starts in a quarter of a millisecond (tests/programs/startup.sh counts its system calls).
 *
 * Ownership: the caller's until solo_early_free; memory of the static area is not reused. Threads:
 * any. Alignment: SOLO_CACHE_PAIR. Contents: zero.
 */
#ifndef SOLO_BASE_EARLY_H
#define SOLO_BASE_EARLY_H

#include "runtime/base/platform.h"

/* NULL: out of memory. */
void *solo_early_alloc(size_t bytes);

/* The same from the static area alone, NULL when that is full. */
void *solo_early_take(size_t bytes);

/* From the heap (free() it); large blocks ask for huge pages, since tables of 10^5 mappings
 * otherwise miss in the TLB at every step (bench: mapping). Aligned and zero as above. */
void *solo_heap_alloc(size_t bytes);
void solo_early_free(void *memory);

#endif
