/* One mapping of a mapping table (mapping.h): its word, its states, what it holds.
 *
 * One 64-bit word holds everything that concurrent threads decide on (mapping.count):
 *
 *   63        36 35     30 29       20 19          0
 *  +------------+---------+-----------+-------------+
 *  |    tag     |in flight|   hold    |   dynamic   |      dynamic all ones = infinite
 *  +------------+---------+-----------+-------------+
 *
 * An even tag: the mapping is in use. An odd one: it is out of use, there is no count, and the field
 * of uses in flight tells a state (0 FREE, 1 DORMANT, 2 CLAIMED). Each step below is one CAS or
 * store on the word; an edge that is marked +1 changes the tag.
 *
 *          claim            publish +1            last release: its winner closes
 *    FREE -------> CLAIMED ------------> LIVE ---------------------------> CLOSING
 *     ^             |   ^                 ^ acquire: CAS +1 while a         |   |
 *     |             |   | revive, evict   | count is not zero               |   |
 *     +--- evict ---+   +------------- DORMANT <-------- sleep +1 ----------+   |
 *     |                                                                         |
 *     +------------------------------------------------ remove +1 --------------+
 *
 * DORMANT: a mapping of small memory whose last reference is gone stays in the index, with its
 * memory. To everybody it is absent. Who maps the very same range again claims it with one CAS,
 * found by its hint: no lock, no change of the index, no memory from the pool, and no cache line but
 * the mapping's own is written. So threads that map and unmap ranges of their own do not meet. It is
 * evicted when its memory is wanted, when another range overlaps it, or when the places for dormant
 * mappings (hints.h, at most 256) are full and another gets its. Its block, at most 32 KiB, or 1 MiB
 * where nothing was to be copied (device/block.h), is what the pool would keep otherwise.
 * CLAIMED: the range is one thread's, who fills it (copies data in) and publishes it; absent to
 * lookups, and an insertion that overlaps it tries again. Whoever claims waits for nobody.
 * CLOSING: who finds it waits until the tag moves, then looks again.
 *
 * A mapping's memory is type-stable: it is only ever reused as a mapping of the same table. A
 * reader that found one in the index, or by a hint, reads count (acquire), then begin and end, then
 * commits with a CAS on the same word: the tag, changed at every reuse, makes the CAS fail if the
 * mapping became another one in between. (28 bits: a reader would have to sleep through exactly a multiple of 2^27
 * uses of one mapping.) Infinite counts need no CAS, since such a mapping leaves only with its library or when it is
 * disassociated, but a second look at the tag.
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
#define SOLO_COUNT_LIVE          (SOLO_COUNT_DYNAMIC | SOLO_COUNT_HOLD)
/* Out of use, and what for. */
#define SOLO_COUNT_OUT     SOLO_COUNT_TAG_ONE
#define SOLO_COUNT_STATE   (2 * SOLO_COUNT_TAG_ONE - 1)
#define SOLO_COUNT_FREE    SOLO_COUNT_OUT
#define SOLO_COUNT_DORMANT (SOLO_COUNT_OUT + SOLO_COUNT_IN_FLIGHT_ONE)
#define SOLO_COUNT_CLAIMED (SOLO_COUNT_OUT + 2 * SOLO_COUNT_IN_FLIGHT_ONE)

enum {
  SOLO_DATA_READY = 0,
  SOLO_DATA_PENDING = 1,
  SOLO_DATA_AWAITED = 2,
  SOLO_DATA_ENQUEUED =
      3, /* its data is in a queue; what is ordered after that in a queue may use it */
};

enum solo_mapping_flags {
  SOLO_MAPPING_ASSOCIATED = 1, /* omp_target_associate_ptr */
  SOLO_MAPPING_GLOBAL = 2,     /* declare target variable */
  SOLO_MAPPING_POINTER = 4,    /* made only to hold a pointer on the way to its pointee */
  SOLO_MAPPING_COMPLETE = 8,   /* its maker sent all before others saw it, and sends no more */
  SOLO_MAPPING_SHARD = 256,    /* times the number of the table that it is in (shard.h) */
};

/* What stands for a construct in the mapping that it closes; its own inverse. The thread that closes one
 * writes it after the CAS that decides so: until then the mapping names the construct that made it. */
SOLO_INLINE uint64_t solo_closer(uint64_t construct) {
  return ~construct;
}

typedef struct solo_block solo_block; /* device/pool.h; the table only keeps it for who maps */

typedef struct solo_mapping {
  /* decided by racing threads */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t count;
  _Atomic uint32_t data_state;
  _Atomic uint32_t shadow_count; /* shadow.h; a hint: nonzero = look under the lock */
  /* constant from insert to remove; atomics because a late reader may see the next incarnation */
  _Atomic uintptr_t begin, end, base;
  _Atomic uint64_t device; /* device address of begin */
  _Atomic uint64_t
      creator; /* id of the construct that made it; solo_closer(id) of the one that closes it */
  /* for the claiming, the closing or a lock-holding thread only */
  solo_block *block;         /* NULL: memory is not ours */
  const char *name;          /* map name or symbol, may be NULL; the table's own copy ... */
  const char *name_at;       /* ... of what stood here ... */
  uint32_t name_generation;  /* ... at this generation of the registry (low bits) */
  uint32_t flags;            /* constant while it is in the index; the shard's number for good */
  uint32_t keep_bytes;       /* of a block with which it may be DORMANT; 0: it may not */
  _Atomic uint32_t place;    /* where it stands, or stood, among the dormant */
  struct solo_mapping *next; /* free list; a construct's closings */
  struct solo_mapping *next_new; /* a construct's new ones, to be published */
  struct solo_nowait_op *creating_op,
      *closing_op; /* constructs that end later (construct/nowait.c); its lock guards them */
} solo_mapping;

_Static_assert(sizeof(solo_mapping) == SOLO_CACHE_PAIR * (1 + (sizeof(void *) > 8)), "whole pairs");

#endif
