/* An immutable table from host function addresses to device function addresses.
 *
 * Built once from pairs; sorted for the device (its runtime searches the sorted pairs), and laid
 * out in Eytzinger order for the host: the search goes down a complete binary tree whose next level
 * is one multiplication away, without a branch that could be mispredicted (bench: q_fptr).
 *
 * Ownership: the table owns its memory. Threads: lookups from any thread, no lock. Errors: NULL
 * when there is no memory.
 */
#ifndef SOLO_FPTR_TABLE_H
#define SOLO_FPTR_TABLE_H

#include "runtime/base/platform.h"

/* As the seed (declare_target_indirect.md) and Clang's device runtime lay it out. */
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
  uint64_t *keys;   /* [1 .. count], Eytzinger order; [0] unused */
  uint64_t *values; /* likewise; [0]: unused */
} solo_fptr_table;

/* Copies the pairs; of equal host addresses the first stays. */
solo_fptr_table *solo_fptr_table_new(const solo_fptr_pair *pairs, size_t count);
void solo_fptr_table_free(solo_fptr_table *table);

/* The device address for a host address; what is not in the table comes back unchanged. */
SOLO_INLINE uint64_t solo_fptr_table_find(const solo_fptr_table *table, uint64_t host) {
  size_t i = 1;
  while (i <= table->count) i = 2 * i + (table->keys[i] < host);
  /* the turns taken to the right since the last turn to the left are undone: the first key >= host
   */
  i >>= __builtin_ffsll((long long)~i);
  return i && table->keys[i] == host ? table->values[i] : host;
}

#endif
