/* Sets of ICVs, interned: equal sets have the same address. */
#include "abi/kmpc/env/icv.h"

#include <stdlib.h>
#include <string.h>

typedef struct interned_set {
  kmpc_icvs icvs;
  const kmpc_icvs *_Atomic child;
  struct interned_set *next;
} interned_set;

_Static_assert(sizeof(kmpc_icvs) == offsetof(kmpc_icvs, allocator) + sizeof(uint64_t) &&
                   offsetof(kmpc_icvs, allocator) == (2 * KMPC_NTHREADS_LIST + 8) * sizeof(int32_t),
               "ICVs are compared as bytes: no padding");

enum { HEADS = 128 };
static interned_set *_Atomic interned[HEADS];
static solo_lock intern_lock = SOLO_LOCK_INIT(SOLO_RANK_LEAF);

/* Must be fast, because programs can set ICVs before each region. Therefore the multiplications are
 * independent of each other. */
static interned_set *_Atomic *head_of(const kmpc_icvs *value) {
  /* even, so that all factors are odd and no bit of a word is lost */
  const uint64_t step = UINT64_C(0x9E3779B97F4A7C16);
  uint64_t hash = 0, factor = UINT64_C(0xBF58476D1CE4E5B9), word;
  for (size_t at = 0; at < sizeof *value; at += sizeof word, factor += step) {
    memcpy(&word, (const char *)value + at, sizeof word);
    hash += (word ^ word >> 32) * factor;
  }
  return &interned[(hash >> 32) % HEADS];
}
_Static_assert(sizeof(kmpc_icvs) % sizeof(uint64_t) == 0, "head_of reads whole words");

static const kmpc_icvs *find(interned_set *_Atomic *head, const kmpc_icvs *value) {
  /* pairs with solo_kmp_icvs_intern */
  for (const interned_set *set = solo_load_acquire(head); set; set = set->next)
    if (memcmp(&set->icvs, value, sizeof *value) == 0) return &set->icvs;
  return NULL;
}

const kmpc_icvs *solo_kmp_icvs_intern(const kmpc_icvs *value) {
  interned_set *_Atomic *head = head_of(value);
  const kmpc_icvs *found = find(head, value);
  if (found) return found;
  solo_lock_acquire(&intern_lock);
  found = find(head, value);
  if (!found) {
    interned_set *set = malloc(sizeof *set);
    if (!set) solo_kmp_fatal("out of memory for internal control variables");
    set->icvs = *value;
    solo_store_relaxed(&set->child, NULL); /* relaxed: published below */
    set->next = solo_load_relaxed(head);   /* relaxed: the lock orders writers */
    /* Invariant: a set in a list is complete and immutable.
     * Ordering:  this release store pairs with the acquire load in find().
     * Otherwise: a reader could compare an uninitialised set.
     */
    solo_store_release(head, set);
    found = &set->icvs;
  }
  solo_lock_release(&intern_lock);
  return found;
}

static int32_t drop_head(int32_t *list, int32_t count) {
  if (count <= 1) return count;
  memmove(list, list + 1, (size_t)(count - 1) * sizeof *list);
  list[count - 1] = 0;
  return count - 1;
}

const kmpc_icvs *solo_kmp_icvs_child_slow(const kmpc_icvs *icvs) {
  interned_set *shared = (interned_set *)icvs;
  /* pairs with solo_kmp_icvs_child_slow */
  const kmpc_icvs *known = solo_load_acquire(&shared->child);
  if (known) return known;
  kmpc_icvs value = *icvs;
  value.nthreads_count = drop_head(value.nthreads, value.nthreads_count);
  value.proc_bind_count = (int16_t)drop_head(value.proc_bind, value.proc_bind_count);
  const kmpc_icvs *child = solo_kmp_icvs_intern(&value);
  /* pairs with the load above: the set is complete */
  solo_store_release(&shared->child, child);
  return child;
}
