/* An immutable table of host and device function addresses: a sorted array for device code, and an
 * open hash table, at most half full, for the CPU. Without memory, functions return NULL. */
#ifndef SOLO_FPTR_TABLE_H
#define SOLO_FPTR_TABLE_H

#include "runtime/base/platform.h"

typedef struct solo_fptr_pair {
  int64_t host;
  int64_t device;
} solo_fptr_pair;

/* A growing array; zeroed: empty. solo_fptr_list_add() returns 0 without memory. */
typedef struct solo_fptr_list {
  solo_fptr_pair *pairs;
  size_t count, capacity;
} solo_fptr_list;
int solo_fptr_list_add(solo_fptr_list *list, uint64_t host, uint64_t device);
void solo_fptr_list_free(solo_fptr_list *list);

typedef struct solo_fptr_table {
  size_t count;
  /* unique host addresses in ascending order; sorted[-1] is {count, 0}, so that a device needs only
   * one word (abi/device/fptr.c) */
  solo_fptr_pair *sorted;
  /* copy of sorted[0], compared first: sufficient for a table of one pair */
  uint64_t first_host, first_device;
  uint64_t mask;
  solo_fptr_pair slots[];
} solo_fptr_table;

/* Copies the pairs; of equal host addresses the first is used. */
solo_fptr_table *solo_fptr_table_new(const solo_fptr_pair *pairs, size_t count);
void solo_fptr_table_free(solo_fptr_table *table);

SOLO_INLINE uint64_t solo_fptr_table_slot(const solo_fptr_table *table, uint64_t host) {
  return host * UINT64_C(0x9e3779b97f4a7c15) >> 32 & table->mask;
}

/* Returns `host` if it is not in the table. */
SOLO_INLINE uint64_t solo_fptr_table_find(const solo_fptr_table *table, uint64_t host) {
  if (SOLO_LIKELY(table->first_host == host)) return table->first_device;
  for (uint64_t i = solo_fptr_table_slot(table, host);; i = (i + 1) & table->mask) {
    const solo_fptr_pair *slot = &table->slots[i];
    if ((uint64_t)slot->host == host) return (uint64_t)slot->device;
    if (!slot->host) return host;
  }
}

#endif
