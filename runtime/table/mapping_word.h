/* One mapping of a mapping table: its 64-bit state word, its states and its members.
 * docs/design/mapping-table.md explains the protocol.
 *
 *   63        36 35     30 29       20 19          0
 *   |    tag     |in flight|   hold    |   dynamic   |      dynamic all ones: infinite
 *
 * The greatest finite value of a field (LARGE) means that a record has the count (large_counts.h).
 *
 * An even tag means LIVE (counts not zero) or CLOSING (counts zero). An odd tag means out of use;
 * the field of uses in flight then holds FREE, CACHED or CLAIMED. A star marks the steps that
 * change the tag.
 *
 *   FREE    -> CLAIMED    solo_mapping_claim
 *   CLAIMED -> LIVE *     solo_mapping_publish
 *   LIVE    -> CLOSING    release of the last reference, by one thread
 *   CLOSING -> CACHED *   solo_mapping_cache
 *   CLOSING -> FREE *     solo_mapping_remove
 *   CACHED  -> CLAIMED    solo_mapping_reuse, or eviction
 *   CLAIMED -> FREE       eviction, solo_mapping_abandon
 *
 * Invariant: the memory of a mapping is reused only as a mapping of the same table, and every reuse
 *            changes the tag. The tag repeats only after 2^27 uses.
 * Otherwise: a reader could compare the old range, and its CAS could succeed on the new range.
 */
#ifndef SOLO_TABLE_MAPPING_WORD_H
#define SOLO_TABLE_MAPPING_WORD_H

#include "runtime/backend.h"
#include "runtime/base/atomic.h"

#define SOLO_COUNT_DYNAMIC_ONE   UINT64_C(1)
#define SOLO_COUNT_DYNAMIC       UINT64_C(0xfffff)
#define SOLO_COUNT_HOLD_ONE      (UINT64_C(1) << 20)
#define SOLO_COUNT_HOLD          (UINT64_C(0x3ff) << 20)
#define SOLO_COUNT_IN_FLIGHT_ONE (UINT64_C(1) << 30)
#define SOLO_COUNT_IN_FLIGHT     (UINT64_C(0x3f) << 30)
#define SOLO_COUNT_TAG_ONE       (UINT64_C(1) << 36)
/* tests/explore defines smaller values, to reach LARGE with few references */
#ifndef SOLO_COUNT_HOLD_LARGE
#define SOLO_COUNT_DYNAMIC_LARGE   (SOLO_COUNT_DYNAMIC - 1)
#define SOLO_COUNT_HOLD_LARGE      SOLO_COUNT_HOLD
#define SOLO_COUNT_IN_FLIGHT_LARGE SOLO_COUNT_IN_FLIGHT
#define SOLO_COUNT_LARGE_GAP       16
#endif
#define SOLO_COUNT_LIVE    (SOLO_COUNT_DYNAMIC | SOLO_COUNT_HOLD)
#define SOLO_COUNT_OUT     SOLO_COUNT_TAG_ONE
#define SOLO_COUNT_STATE   (2 * SOLO_COUNT_TAG_ONE - 1)
#define SOLO_COUNT_FREE    SOLO_COUNT_OUT
#define SOLO_COUNT_CACHED  (SOLO_COUNT_OUT + SOLO_COUNT_IN_FLIGHT_ONE)
#define SOLO_COUNT_CLAIMED (SOLO_COUNT_OUT + 2 * SOLO_COUNT_IN_FLIGHT_ONE)

enum {
  SOLO_DATA_READY = 0,
  SOLO_DATA_PENDING = 1,
  SOLO_DATA_AWAITED = 2,
  SOLO_DATA_ENQUEUED = 3, /* the copy is enqueued, and an event follows it */
};

enum solo_mapping_flags {
  SOLO_MAPPING_ASSOCIATED = 1,
  SOLO_MAPPING_GLOBAL = 2,
  SOLO_MAPPING_POINTER = 4,  /* holds only the pointer of a pointer-and-pointee entry */
  SOLO_MAPPING_COMPLETE = 8, /* all data was copied before publication; no attachment follows */
  /* flags / SOLO_MAPPING_SHARD: number of the mapping's shard, from 1; 0: the first table */
  SOLO_MAPPING_SHARD = 256,
};

typedef enum solo_ref {
  SOLO_REF_NONE,
  SOLO_REF_DYNAMIC,
  SOLO_REF_HOLD,
  SOLO_REF_IN_FLIGHT
} solo_ref;

typedef enum solo_release {
  SOLO_RELEASE_ONE,
  SOLO_RELEASE_ALL,
} solo_release;

typedef enum solo_released {
  SOLO_RELEASED,           /* still referenced, or infinite */
  SOLO_RELEASED_IN_FLIGHT, /* still referenced; the caller has a use in flight */
  SOLO_RELEASED_LAST,      /* the mapping is CLOSING: the caller caches or removes it */
  /* unchanged: no memory for a larger count of uses in flight; the caller waits for the work and
   * retries */
  SOLO_RELEASED_NOT,
  SOLO_RELEASED_GONE, /* another thread closed the mapping: do not access it */
} solo_released;

/* Returns whether version and state word have the same tag (the mapping was not closed). */
SOLO_INLINE int solo_version_fits(uint64_t version, uint64_t count) {
  return (version ^ count) < SOLO_COUNT_TAG_ONE;
}

/* Returns the value of `creator` after this construct has begun to close the mapping. */
SOLO_INLINE uint64_t solo_closer(uint64_t construct) {
  return ~construct;
}

typedef struct solo_block solo_block;

typedef struct solo_mapping {
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t count;
  _Atomic uint32_t data_state;
  /* number of attached pointers; if nonzero, a copy of the data looks them up under the lock */
  _Atomic uint32_t shadow_count;
  /* Constant while the mapping is in the index. A delayed reader can read values of the next use of
   * the mapping, so it checks the tag afterwards. */
  _Atomic uintptr_t begin, end, base;
  _Atomic uint64_t device;
  _Atomic uint64_t creator; /* construct id, or solo_closer(id) */
  /* only the claiming or closing thread, or the owner of the table's lock, uses the members below */
  solo_block *block;        /* NULL: not from the pool */
  const char *name;         /* the table's copy of the variable's name, or NULL */
  const char *name_at;      /* address of the original name */
  uint32_t name_generation; /* low bits of the registry generation when `name` was copied */
  uint32_t flags;           /* constant while in the index */
  uint32_t keep_bytes;      /* bytes of the block; 0: not cacheable */
  _Atomic uint32_t place;   /* number of the cache slot */
  /* next free mapping, or next mapping that a construct closed */
  struct solo_mapping *next;
  struct solo_mapping *next_new;                   /* next unpublished mapping of a construct */
  struct solo_nowait_op *creating_op, *closing_op; /* guarded by the lock in construct/nowait.c */
} solo_mapping;

_Static_assert(sizeof(solo_mapping) == SOLO_CACHE_PAIR * (1 + (sizeof(void *) > 8)), "whole pairs");

#endif
