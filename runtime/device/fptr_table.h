/* An immutable table from host function addresses to device function addresses.
 *
 * Built once from pairs: sorted for the device, whose code searches them, and for the CPU an open
 * hash table at most half full, whose answer is one cache line away (a tree without branches took
 * 77 to 130 ns among 100,000 functions, bsearch(3) 130; bench: fptr).
 *
 * Ownership: the table owns its memory. Threads: lookups from any thread, no lock. Errors: NULL
 * when there is no memory.
 */
#ifndef SOLO_FPTR_TABLE_H
#define SOLO_FPTR_TABLE_H

#include "runtime/base/platform.h"

/* As abi-facts 10 and Clang's device runtime lay it out. */
typedef struct solo_fptr_pair {
  int64_t host;
  int64_t device;
} solo_fptr_pair;

/* Pairs being collected; zeroed is empty. add: 0 when there is no memory. */
typedef struct solo_fptr_list {
  solo_fptr_pair *pairs;
  size_t count, capacity;
} solo_fptr_list;
int solo_fptr_list_add(solo_fptr_list *list, uint64_t host, uint64_t device);
void solo_fptr_list_free(solo_fptr_list *list);

typedef struct solo_fptr_table {
  size_t count;
  /* by host address, each host address once; in front of them, at [-1], {count, 0}: what a device
   * is given begins there, so that address and count are one word to read (abi/device/fptr.c) */
  solo_fptr_pair *sorted;
  uint64_t first_host, first_device; /* one of the pairs: all there is to a table of one */
  uint64_t mask;                     /* slots - 1 */
  solo_fptr_pair slots[];            /* host 0: free */
} solo_fptr_table;

/* Copies the pairs; of equal host addresses the first stays. */
solo_fptr_table *solo_fptr_table_new(const solo_fptr_pair *pairs, size_t count);
void solo_fptr_table_free(solo_fptr_table *table);

/* Where the search for a host address begins: upper bits of a product with 2^64 / the golden ratio.
 */
SOLO_INLINE uint64_t solo_fptr_table_slot(const solo_fptr_table *table, uint64_t host) {
  return host * UINT64_C(0x9e3779b97f4a7c15) >> 32 & table->mask;
}

/* The device address for a host address; what is not in the table comes back unchanged. */
SOLO_INLINE uint64_t solo_fptr_table_find(const solo_fptr_table *table, uint64_t host) {
  if (SOLO_LIKELY(table->first_host == host)) return table->first_device; /* for small tables */
  for (uint64_t i = solo_fptr_table_slot(table, host);; i = (i + 1) & table->mask) {
    const solo_fptr_pair *slot = &table->slots[i];
    if ((uint64_t)slot->host == host) return (uint64_t)slot->device;
    if (!slot->host) return host;
  }
}

#endif
