/* An ordered index of disjoint half-open address ranges, read without locks.
 *
 * The mapping table of a device (mapping.h) keeps its entries in one of these. Values are opaque
 * non-NULL pointers; keys are (begin, end), begin < end, end exclusive. Ranges in the index never
 * overlap: solo_index_insert refuses.
 *
 * Threads: solo_index_find may run in any number of threads, with no lock and without writing to
 * shared memory, while ONE writer (callers hold the table's lock) inserts and removes. Memory of
 * the index's own nodes is type-stable: a node is recycled only as a node of the same index until
 * solo_index_destroy, so that a reader that lost a race reads stale words, detects it by the node's
 * version and starts again; it never touches freed memory.
 * Guarantee to readers: a range that is in the index during the whole call is found; one that is
 * not in it at any time during the call is not. (What happens to the VALUE after the call is the
 * caller's business: mapping.c re-checks entry and range.)
 *
 * Costs (bench/bench_mapping_index.c): find in O(log n), no allocation; insert may allocate nodes
 * (SOLO_NOMEM leaves the index as it was); remove never allocates and never fails for a present
 * key.
 */
#ifndef SOLO_MAPPING_INDEX_H
#define SOLO_MAPPING_INDEX_H

#include "runtime/base/atomic.h"
#include "runtime/base/status.h"

typedef struct solo_index solo_index;

/* The neighbourhood of an address: the range with the greatest begin <= address (floor), and the
 * one after it (ceiling). A consistent snapshot. value NULL: there is none. */
typedef struct solo_index_range {
  uintptr_t begin, end;
  void *value;
} solo_index_range;

typedef struct solo_index_neighbours {
  solo_index_range floor, ceiling;
} solo_index_neighbours;

solo_status solo_index_create(solo_index **out_index) SOLO_MUST_CHECK;
void solo_index_destroy(solo_index *index);

/* Lock-free. The common case, the range that contains address, or NULL. */
void *solo_index_find(const solo_index *index, uintptr_t address);

/* Lock-free. Floor and ceiling of address. */
void solo_index_locate(const solo_index *index, uintptr_t address,
                       solo_index_neighbours *out_place);

/* Writer. SOLO_OVERLAP (no text; *out_clash, if not NULL, is the range in the way) or SOLO_NOMEM.
 */
solo_status solo_index_insert(solo_index *index, uintptr_t begin, uintptr_t end, void *value,
                              solo_index_range *out_clash) SOLO_MUST_CHECK;

/* Writer. The range must be present; returns its value. */
void *solo_index_remove(solo_index *index, uintptr_t begin);

/* Writer. In address order; for dumps, checks and teardown. visit must not change the index. */
void solo_index_each(const solo_index *index, void (*visit)(void *context, solo_index_range range),
                     void *context);

size_t solo_index_count(const solo_index *index);

/* Validates the whole structure (order, fill, links, disjointness); for tests and debug builds.
 * Returns NULL or a text that says what is wrong. */
const char *solo_index_check(const solo_index *index);

#endif
