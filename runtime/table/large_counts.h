/* Counts of a mapping that its state word cannot hold. A field with its LARGE value (mapping_word.h)
 * has its count in a record, which changes under one lock for all mappings.
 * docs/design/mapping-table.md explains the protocol. Threads: any. */
#ifndef SOLO_TABLE_LARGE_COUNTS_H
#define SOLO_TABLE_LARGE_COUNTS_H

#include "runtime/table/mapping_word.h"

/* Adds a reference to a full field and returns m. count: the state word with which the caller has
 * compared the range. NULL: the tag has changed, m is CLOSING, or no memory is left. */
solo_mapping *solo_large_acquire(solo_mapping *m, uint64_t count, solo_ref ref,
                                 uint64_t *out_version) SOLO_COLD;

/* Returns the count of one field of the word. */
uint64_t solo_large_count(const solo_mapping *m, uint64_t count, solo_ref ref) SOLO_COLD;

/* As solo_mapping_release; use: SOLO_REF_NONE, or SOLO_REF_IN_FLIGHT as in
 * solo_mapping_release_in_flight. Also correct for counts that are not large. */
solo_released solo_large_release(solo_mapping *m, uint64_t version, solo_ref ref, solo_release how,
                                 solo_ref use) SOLO_COLD;

void solo_large_drop_in_flight(solo_mapping *m) SOLO_COLD;

/* Sets the fields of mask to 0, also if their counts are large. */
void solo_large_clear(solo_mapping *m, uint64_t mask) SOLO_COLD;

/* For fork(2). */
void solo_large_lock(void);
void solo_large_unlock(void);
/* For a child that was forked without the lock. */
void solo_large_init_lock(void);

#endif
