/* Counts that are too large for a field of a mapping's state word. The field then has its LARGE
 * value (mapping_word.h), and a record has the count. One lock guards all records
 * (docs/design/mapping-table.md). Threads: any. */
#ifndef SOLO_TABLE_LARGE_COUNTS_H
#define SOLO_TABLE_LARGE_COUNTS_H

#include "runtime/table/mapping_word.h"

/* Acquires a reference in a full field. count: the state word that the caller loaded before it
 * compared the range. Returns m; NULL: the tag has changed, m is CLOSING, or no memory is left. */
solo_mapping *solo_large_acquire(solo_mapping *m, uint64_t count, solo_ref ref,
                                 uint64_t *out_version) SOLO_COLD;

/* count: the state word. */
uint64_t solo_large_count(const solo_mapping *m, uint64_t count, solo_ref ref) SOLO_COLD;

/* solo_mapping_release (use: SOLO_REF_NONE) and solo_mapping_release_in_flight (use:
 * SOLO_REF_IN_FLIGHT) for counts of any size. */
solo_released solo_large_release(solo_mapping *m, uint64_t version, solo_ref ref, solo_release how,
                                 solo_ref use) SOLO_COLD;

void solo_large_drop_in_flight(solo_mapping *m) SOLO_COLD;

/* Sets the fields of mask to 0, also if their counts are large. */
void solo_large_clear(solo_mapping *m, uint64_t mask) SOLO_COLD;

/* For fork(2). */
void solo_large_lock(void);
void solo_large_unlock(void);
/* For a child of a fork without solo_large_lock(). */
void solo_large_init_lock(void);

#endif
