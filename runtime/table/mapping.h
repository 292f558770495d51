/* The mapping table of a device: host range <-> device range, with two reference counts.
 *
 * One 64-bit word holds everything that concurrent threads decide on (mapping.count):
 *
 *   63        36 35     30 29       20 19          0
 *  +------------+---------+-----------+-------------+
 *  |    tag     |in flight|   hold    |   dynamic   |      dynamic all ones = infinite
 *  +------------+---------+-----------+-------------+
 *
 *            insert                     last release (one CAS: its winner owns the closing)
 *   FREE ------------> LIVE ----------------------------------------> CLOSING --remove--> FREE
 *    ^   (count > 0)    ^ acquire: CAS +1 while count > 0                  |            tag + 1
 *    |                  |                                                  |
 *    +--- same tag:     +-- finds CLOSING: waits until the tag moves, then looks again
 *         nobody may acquire a mapping whose counts are both zero
 *
 * A mapping's memory is type-stable: it is only ever reused as a mapping of the same table. A
 * reader that found one in the index reads count (acquire), then begin and end, then commits with a
 * CAS on the same word: the tag, changed at every reuse, makes the CAS fail if the mapping became
 * another one in between. (28 bits: a reader would have to sleep through exactly a multiple of 2^28
 * reuses of one mapping.) Infinite counts need no CAS: such a mapping leaves only with its library.
 *
 * A new mapping is PENDING until its data is on the device (data_state). Others that acquire it wait
 * for that after their own new mappings are READY (map/begin.c), so no two constructs wait for each
 * other. Where the creating construct ends later (construct/nowait.h) it is ENQUEUED in between: others
 * order their work after the data.
 *
 * Pins keep a mapping from being removed while it is used without a reference (update, copies).
 *
 * Who takes a reference is given a stamp, the count word at that time. Its tag tells at the release
 * whether the mapping is still the one: map(delete:) on another thread may have ended it meanwhile,
 * and its memory may be another mapping by now.
 *
 * Ownership: the table owns mappings; a caller owns the references it acquired. Threads: all
 * functions from any thread. Errors: as stated. Units: bytes.
 */
#ifndef SOLO_MAPPING_H
#define SOLO_MAPPING_H

#include "runtime/backend.h"
#include "runtime/base/lock.h"
#include "runtime/table/index.h"
#include "runtime/table/names.h"

#define SOLO_COUNT_DYNAMIC_ONE   UINT64_C(1)
#define SOLO_COUNT_DYNAMIC       UINT64_C(0xfffff)
#define SOLO_COUNT_HOLD_ONE      (UINT64_C(1) << 20)
#define SOLO_COUNT_HOLD          (UINT64_C(0x3ff) << 20)
#define SOLO_COUNT_IN_FLIGHT_ONE (UINT64_C(1) << 30)
#define SOLO_COUNT_IN_FLIGHT     (UINT64_C(0x3f) << 30)
#define SOLO_COUNT_TAG_ONE       (UINT64_C(1) << 36)
#define SOLO_COUNT_LIVE          (SOLO_COUNT_DYNAMIC | SOLO_COUNT_HOLD)

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
};

typedef struct solo_block solo_block; /* device/pool.h; the table only keeps it for who maps */

typedef struct solo_mapping {
  /* decided by racing threads */
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t count;
  _Atomic uint32_t data_state;
  _Atomic uint32_t shadow_count; /* shadow.h; a hint: nonzero = look under the lock */
  /* constant from insert to remove; atomics because a late reader may see the next incarnation */
  _Atomic uintptr_t begin, end, base;
  _Atomic uint64_t device;  /* device address of begin */
  _Atomic uint64_t creator; /* construct that made it or closes it (map/begin.c, map/end.c) */
  /* for the inserting, the closing or a lock-holding thread only */
  solo_block *block; /* NULL: memory is not ours */
  const char *name;  /* map name or symbol, may be NULL; the table's own copy */
  uint32_t flags;
  struct solo_mapping *next;     /* free list; a construct's closings */
  struct solo_mapping *next_new; /* a construct's new ones, to be published */
  struct solo_nowait_op *creating_op,
      *closing_op; /* constructs that end later (construct/nowait.c); its lock guards them */
} solo_mapping;

/* Data that is copied to the device before its mapping is inserted (map_new) is stale if another
 * thread mapped the same, worked on it and was through in between: the last ranges removed tell. */
enum { SOLO_REMOVED_KEPT = 16 }; /* power of two */

typedef struct solo_mapping_table {
  solo_index *index;
  solo_lock lock; /* guards writes to the index, free lists, shadows; no driver call under it */
  _Atomic uint64_t removals; /* so far; written under the lock */
  solo_mapping *free_mappings;
  solo_index *shadows; /* attached pointers by host address; NULL: never was one */
  struct solo_shadow *free_shadows;
  solo_names names;
  struct solo_mapping_chunk *chunks;
  size_t chunk_mappings; /* in the next chunk: doubles up to two megabytes */
  size_t mappings_made;  /* all that were ever cut from chunks */
  struct {
    uintptr_t begin, end;
  } removed[SOLO_REMOVED_KEPT]; /* removal k at k % KEPT; the lock guards them */
} solo_mapping_table;

solo_status solo_mapping_table_open(solo_mapping_table *table) SOLO_MUST_CHECK;
/* Calls each with the block of every mapping left that has one, then frees the mappings. */
void solo_mapping_table_close(solo_mapping_table *table, void (*each)(void *context, solo_block *),
                              void *context);

/* Validates the whole table: index, mappings, free list, attached pointers. The lock is held, or no
 * other thread uses the table. NULL, or a text that says what is wrong. */
const char *solo_mapping_table_check(const solo_mapping_table *table);

typedef enum solo_ref {
  SOLO_REF_NONE,
  SOLO_REF_DYNAMIC,
  SOLO_REF_HOLD,
  SOLO_REF_IN_FLIGHT
} solo_ref;

typedef enum solo_presence {
  SOLO_ABSENT,
  SOLO_CONTAINED, /* the range lies within the mapping */
  SOLO_PARTIAL,   /* they overlap, but the range sticks out */
  SOLO_LEAVING,   /* another construct is ending it, ask again */
  SOLO_FULL,      /* it has as many references of this kind as can be counted: none was taken */
} solo_presence;

typedef struct solo_request {
  uintptr_t begin;
  uint64_t size;
  solo_ref ref;
  uint64_t
      construct; /* who asks: what this construct itself is closing is absent to it; 0: nobody */
} solo_request;

/* Looks [begin, begin + size) up (size 0: contained in a mapping, or between a mapping's base and
 * its begin) and takes a reference of the asked kind when CONTAINED (PARTIAL: too, so that implicit
 * maps may use it). Lock-free, never waits: LEAVING tells that another construct is ending the mapping.
 * *out_mapping is set unless ABSENT. With SOLO_REF_NONE the mapping may go at any time unless the
 * caller holds a reference already. *out_version: for the release of what was taken, now or
 * (SOLO_REF_NONE) by whoever the caller acts for. */
solo_presence solo_mapping_try(solo_mapping_table *table, const solo_request *request,
                               solo_mapping **out_mapping, uint64_t *out_version);

/* The common case of it, small enough to be inlined: present, contained, not closing. NULL: ask
 * solo_construct_acquire. one: SOLO_COUNT_DYNAMIC_ONE or SOLO_COUNT_HOLD_ONE. */
SOLO_INLINE solo_mapping *solo_mapping_acquire_present(solo_mapping_table *table, uintptr_t begin,
                                                       uint64_t size, uint64_t one,
                                                       uint64_t *out_version) {
  solo_mapping *m = (solo_mapping *)solo_index_find(table->index, begin);
  if (!m) return NULL;
  uint64_t count = solo_load_acquire(&m->count); /* pairs with the release in solo_mapping_insert */
  /* relaxed: valid if the CAS below finds the same tag */
  uintptr_t first = solo_load_relaxed(&m->begin), end = solo_load_relaxed(&m->end);
  if (begin < first || begin >= end || size > end - begin) return NULL;
  uint64_t dynamic = count & SOLO_COUNT_DYNAMIC;
  if (dynamic == SOLO_COUNT_DYNAMIC) { /* infinite: no reference, a stamp that never fits */
    if (one != SOLO_COUNT_DYNAMIC_ONE) return NULL; /* a hold is counted all the same */
    *out_version = count ^ SOLO_COUNT_DYNAMIC_ONE;
    return m;
  }
  if (!(count & SOLO_COUNT_LIVE) || dynamic >= SOLO_COUNT_DYNAMIC - 1 ||
      (count & SOLO_COUNT_HOLD) == SOLO_COUNT_HOLD)
    return NULL;
  *out_version = count + one;
  /* pairs with solo_mapping_insert and, for the data, with solo_mapping_release */
  return solo_cas_acquire(&m->count, &count, count + one) ? m : NULL;
}

/* What insert needs to know. dynamic: SOLO_COUNT_DYNAMIC for infinite. */
typedef struct solo_mapping_new {
  uintptr_t begin, end, base;
  solo_devptr device;
  solo_block *block;
  uint64_t counts; /* SOLO_COUNT_DYNAMIC_ONE, SOLO_COUNT_HOLD_ONE or SOLO_COUNT_DYNAMIC */
  uint64_t creator;
  const char *name;
  uint32_t flags;
  uint32_t data_state; /* SOLO_DATA_PENDING until solo_mapping_data_ready, or SOLO_DATA_READY */
  uint64_t since;      /* its data is there: 1 + removals before it was copied; else 0 */
} solo_mapping_new;

SOLO_INLINE uint64_t solo_mapping_removals(solo_mapping_table *table) {
  /* acquire: what removed mappings copied back is seen; pairs with take_out */
  return solo_load_acquire(&table->removals);
}

/* Inserts. SOLO_OVERLAP (no text; *out_clash says with what) when something is in the way, or was
 * since the data was copied. The name is copied. */
solo_status solo_mapping_insert(solo_mapping_table *table, const solo_mapping_new *what,
                                solo_mapping **out_mapping, uint64_t *out_version,
                                solo_index_range *out_clash) SOLO_MUST_CHECK;

void solo_mapping_data_ready(solo_mapping *mapping);
/* PENDING to ENQUEUED, if it is not yet. */
void solo_mapping_data_enqueued(solo_mapping *mapping);
/* Until it is READY or ENQUEUED. */
void solo_mapping_wait_data(solo_mapping *mapping);

typedef enum solo_release {
  SOLO_RELEASE_ONE, /* one reference */
  SOLO_RELEASE_ALL, /* all of its kind (map type delete) */
} solo_release;

typedef enum solo_released {
  SOLO_RELEASED,           /* others hold it, or it is infinite */
  SOLO_RELEASED_IN_FLIGHT, /* others hold it, and it is in flight for the caller now */
  SOLO_RELEASED_LAST,      /* it is CLOSING: the caller must call solo_mapping_remove */
  SOLO_RELEASED_NOT,       /* it is in flight too often: wait for the work, then release plainly */
  SOLO_RELEASED_GONE,      /* another thread has deleted it: it must not be looked at any more */
} solo_released;

/* Gives references back, taken with this stamp. Infinite counts stay. */
solo_released solo_mapping_release(solo_mapping *mapping, uint64_t version, solo_ref ref,
                                   solo_release how);

/* Is the mapping whose count word is now count still the one that the stamp was given for? */
SOLO_INLINE int solo_version_fits(uint64_t version, uint64_t count) {
  return (version ^ count) < SOLO_COUNT_TAG_ONE;
}

/* The common case of it, small enough to be inlined: one dynamic reference, not the last. 0: it is
 * the last, or gone, and nothing was done. stamp: as solo_mapping_acquire_present gave it, the
 * whole count word: if that is unchanged, nothing else need be looked at. */
SOLO_INLINE int solo_mapping_release_shared(solo_mapping *m, uint64_t version) {
  uint64_t count = solo_load_relaxed(&m->count); /* the CAS decides */
  for (;;) {
    uint64_t next = count - SOLO_COUNT_DYNAMIC_ONE;
    if (SOLO_UNLIKELY(count != version)) { /* else: dynamic, finite and ours */
      uint64_t dynamic = count & SOLO_COUNT_DYNAMIC;
      if (!solo_version_fits(version, count) || !dynamic) return 0;
      if (dynamic == SOLO_COUNT_DYNAMIC) return 1; /* infinite */
    }
    if (SOLO_UNLIKELY(!(next & SOLO_COUNT_LIVE))) return 0;
    /* acq_rel: as in solo_mapping_release */
    if (SOLO_LIKELY(solo_cas_acq_rel(&m->count, &count, next))) return 1;
  }
}

/* The same while work of the caller still uses the mapping's memory: unless it was the last, the
 * reference becomes a use in flight in the same step, to be dropped when the work is done. Without it
 * another thread could release last, and the memory be reused, under enqueued work. */
solo_released solo_mapping_release_in_flight(solo_mapping *mapping, uint64_t version, solo_ref ref,
                                             solo_release how);

/* Has its last reference been released? For looks without a reference of one's own. */
SOLO_INLINE int solo_mapping_is_closing(const solo_mapping *mapping) {
  return !(solo_load_relaxed(&mapping->count) & SOLO_COUNT_LIVE); /* own decision, or a hint */
}

void solo_mapping_drop_in_flight(solo_mapping *mapping);

/* How many uses are in flight. Once it is CLOSING they only become fewer. */
SOLO_INLINE unsigned solo_mapping_in_flight(const solo_mapping *mapping) {
  /* acquire: pairs with unpin */
  return (unsigned)((solo_load_acquire(&mapping->count) & SOLO_COUNT_IN_FLIGHT) /
                    SOLO_COUNT_IN_FLIGHT_ONE);
}

/* Ends a CLOSING mapping: waits until nothing of it is in flight, takes it out of the table. Its block
 * is returned for the
 * pool (NULL: not ours). */
solo_block *solo_mapping_remove(solo_mapping_table *table, solo_mapping *mapping);

/* Removes the association that begins at begin: NOT_FOUND, or INVALID when it has other references
 * (hold, or an update under way). */
solo_status solo_mapping_disassociate(solo_mapping_table *table, uintptr_t begin) SOLO_MUST_CHECK;

/* Removes the mapping of a declare target variable whose memory on the device is leaving, whatever
 * holds it; not that of another library's copy of the same variable. Nonzero: removed. */
int solo_mapping_remove_global(solo_mapping_table *table, uintptr_t begin, solo_devptr device);

/* A zeroed piece of memory that goes with the table; the lock is held. NULL: no memory. */
void *solo_mapping_table_memory(solo_mapping_table *table, size_t bytes);

/* In the child of fork(2), which has one thread: takes out what threads of the parent's were making
 * or ending (mine(creator): not this thread's own), with each's block, and drops all uses in flight. What
 * other threads had references to stays mapped. */
void solo_mapping_forked(solo_mapping_table *table, int (*mine)(uint64_t creator),
                         void (*each)(void *context, solo_block *), void *context);

/* Prints every mapping (ompx_dump_mapping_tables, LIBOMPTARGET_INFO bit 4). */
typedef const char *solo_declaration(const char *name);
void solo_mapping_dump(solo_mapping_table *table, int device, const char *at,
                       solo_declaration *declaration);

#endif
