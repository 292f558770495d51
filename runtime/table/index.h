/* An ordered index of disjoint half-open address ranges [begin, end) with non-NULL values. A range
 * that is present during a whole call is found; a range that is absent during the whole call is
 * not.
 *
 * Threads: solo_index_find and solo_index_locate: any number of threads, lock-free and without
 * writes to shared memory, concurrently with one writer. Writers hold the table's lock. Errors:
 * SOLO_NOMEM leaves the index unchanged; a removal never allocates. */
#ifndef SOLO_MAPPING_INDEX_H
#define SOLO_MAPPING_INDEX_H

#include "runtime/base/atomic.h"
#include "runtime/base/status.h"

typedef struct solo_index solo_index;

/* The range with the greatest begin <= address (floor) and the next one (ceiling), as a consistent
 * snapshot. value NULL: none. */
typedef struct solo_index_range {
  uintptr_t begin, end;
  void *value;
} solo_index_range;

typedef struct solo_index_neighbours {
  solo_index_range floor, ceiling;
} solo_index_neighbours;

solo_status solo_index_create(solo_index **out_index) SOLO_MUST_CHECK;
void solo_index_destroy(solo_index *index);

/* The value of the range that contains address, or NULL. */
void *solo_index_find(const solo_index *index, uintptr_t address);

void solo_index_locate(const solo_index *index, uintptr_t address,
                       solo_index_neighbours *out_place);

/* Writer. SOLO_OVERLAP (no text; *out_clash, if not NULL, is the other range) or SOLO_NOMEM. */
solo_status solo_index_insert(solo_index *index, uintptr_t begin, uintptr_t end, void *value,
                              solo_index_range *out_clash) SOLO_MUST_CHECK;

/* Writer. Returns the value, NULL if no range begins there. */
void *solo_index_remove(solo_index *index, uintptr_t begin);

/* Writer. In address order; visit must not change the index. */
void solo_index_each(const solo_index *index, void (*visit)(void *context, solo_index_range range),
                     void *context);

size_t solo_index_count(const solo_index *index);

/* Validates the structure. Returns NULL or a description of the error. */
const char *solo_index_check(const solo_index *index);

#endif
