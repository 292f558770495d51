/* An ordered index of disjoint address ranges [begin, end). A look-up finds each range that is
 * present during the whole call.
 *
 * Threads: any thread may call solo_index_find and solo_index_locate, which are lock-free and write
 * no shared memory. Writers hold the table's lock. Errors: SOLO_NOMEM leaves the index unchanged; a
 * removal never allocates. */
#ifndef SOLO_MAPPING_INDEX_H
#define SOLO_MAPPING_INDEX_H

#include "runtime/base/atomic.h"
#include "runtime/base/status.h"

typedef struct solo_index solo_index;

/* A range; value NULL: no such range. solo_index_neighbours is a consistent snapshot: floor is the
 * range with the greatest begin <= address, ceiling is its successor. */
typedef struct solo_index_range {
  uintptr_t begin, end;
  void *value;
} solo_index_range;

typedef struct solo_index_neighbours {
  solo_index_range floor, ceiling;
} solo_index_neighbours;

solo_status solo_index_create(solo_index **out_index) SOLO_MUST_CHECK;
void solo_index_destroy(solo_index *index);

/* Returns the value of the range that contains address, or NULL. */
void *solo_index_find(const solo_index *index, uintptr_t address);

void solo_index_locate(const solo_index *index, uintptr_t address,
                       solo_index_neighbours *out_place);

/* For the writer. Errors (without text): SOLO_OVERLAP, where *out_clash (may be NULL) receives the
 * overlapping range; SOLO_NOMEM. */
solo_status solo_index_insert(solo_index *index, uintptr_t begin, uintptr_t end, void *value,
                              solo_index_range *out_clash) SOLO_MUST_CHECK;

/* For the writer. Returns the value, or NULL if no range begins at `begin`. */
void *solo_index_remove(solo_index *index, uintptr_t begin);

/* For the writer. Visits the ranges in address order; visit must not change the index. */
void solo_index_each(const solo_index *index, void (*visit)(void *context, solo_index_range range),
                     void *context);

size_t solo_index_count(const solo_index *index);

const char *solo_index_check(const solo_index *index);

#endif
