#include "runtime/table/large_counts.h"

#include "runtime/base/lock.h"

#include <stdlib.h>

/* A count returns from the record to the state word when it is GAP below the LARGE value. Thus
 * repeated changes by one do not allocate and free a record each time. */
enum { FIELDS = 3, GAP = SOLO_COUNT_LARGE_GAP, BUCKETS = 32 };

typedef struct solo_large {
  struct solo_large *next;
  const solo_mapping *mapping;
  uint64_t counts[FIELDS]; /* valid for LARGE fields */
} solo_large;

static struct {
  solo_lock lock;
  solo_large *first[BUCKETS];
} all = {.lock = SOLO_LOCK_INIT(SOLO_RANK_COUNTS)};

/* not inlined, so that the library is smaller */
SOLO_NOINLINE void solo_large_lock(void) {
  solo_lock_acquire(&all.lock);
}

SOLO_NOINLINE void solo_large_unlock(void) {
  solo_lock_release(&all.lock);
}

/* indexed by solo_ref - 1 */
static const struct {
  uint64_t mask, one, large;
} fields[FIELDS] = {
    {SOLO_COUNT_DYNAMIC, SOLO_COUNT_DYNAMIC_ONE, SOLO_COUNT_DYNAMIC_LARGE},
    {SOLO_COUNT_HOLD, SOLO_COUNT_HOLD_ONE, SOLO_COUNT_HOLD_LARGE},
    {SOLO_COUNT_IN_FLIGHT, SOLO_COUNT_IN_FLIGHT_ONE, SOLO_COUNT_IN_FLIGHT_LARGE},
};

typedef struct large_change {
  /* Kinds of the references to release (less) and to acquire (more). No reference is acquired if
   * none remains after the release. */
  solo_ref less, more;
  solo_release how;
} large_change;

SOLO_INLINE int is_large(uint64_t count, int field) {
  return (count & fields[field].mask) == fields[field].large;
}

static solo_large **place_of(const solo_mapping *m) {
  solo_large **at = &all.first[(uintptr_t)m / sizeof *m % BUCKETS];
  while (*at && (*at)->mapping != m) at = &(*at)->next;
  return at;
}

static void unpack(const solo_large *record, uint64_t count, uint64_t *out_counts) {
  for (int i = 0; i < FIELDS; i++)
    out_counts[i] =
        is_large(count, i) ? record->counts[i] : (count & fields[i].mask) / fields[i].one;
}

static uint64_t pack(uint64_t count, const uint64_t *counts) {
  for (int i = 0; i < FIELDS; i++) {
    uint64_t full = fields[i].large / fields[i].one, old = count & fields[i].mask;
    if (old > fields[i].large) continue; /* infinite */
    int large = counts[i] >= (old == fields[i].large ? full - GAP + 1 : full);
    count = (count & ~fields[i].mask) | (large ? fields[i].large : counts[i] * fields[i].one);
  }
  return count;
}

static int has_large(uint64_t count) {
  return is_large(count, 0) || is_large(count, 1) || is_large(count, 2);
}

/* Returns 0 if no memory is left. */
static int make_record(solo_large **at, const solo_mapping *m) {
  if (*at) return 1;
  solo_large *record = calloc(1, sizeof *record);
  if (!record) return 0;
  record->mapping = m;
  *at = record;
  return 1;
}

static void store(solo_large **at, uint64_t word, const uint64_t *counts) {
  solo_large *record = *at;
  if (!record) return;
  for (int i = 0; i < FIELDS; i++) record->counts[i] = counts[i];
  if (has_large(word)) return;
  *at = record->next;
  free(record);
}

/* Returns 0 if the release changes nothing, because the dynamic count is infinite. */
static int apply(const large_change *what, uint64_t count, uint64_t *counts) {
  if (what->less == SOLO_REF_DYNAMIC && (count & SOLO_COUNT_DYNAMIC) == SOLO_COUNT_DYNAMIC)
    return 0;
  if (what->less) {
    uint64_t *own = &counts[what->less - 1];
    if (what->how == SOLO_RELEASE_ALL)
      *own = 0;
    else if (*own)
      --*own; /* 0: only references of the other kind exist */
  }
  if (what->more && counts[0] + counts[1]) counts[what->more - 1]++;
  return 1;
}

/* version: contains the expected tag. If a count changes, *out_word is set to the new state word. */
static solo_released change_counts(solo_mapping *m, uint64_t version, const large_change *what,
                                   uint64_t *out_word) {
  solo_released done = SOLO_RELEASED;
  solo_large_lock();
  solo_large **at = place_of(m);
  uint64_t count = solo_load_relaxed(&m->count), counts[FIELDS]; /* relaxed: the CAS decides */
  for (;;) {
    if (!solo_version_fits(version, count) ||
        (what->less != SOLO_REF_IN_FLIGHT && !(count & SOLO_COUNT_LIVE))) {
      done = SOLO_RELEASED_GONE;
      break;
    }
    unpack(*at, count, counts);
    if (!apply(what, count, counts)) break;
    uint64_t next = pack(count, counts);
    if (has_large(next) && !make_record(at, m)) {
      done = SOLO_RELEASED_NOT;
      break;
    }
    /* Invariant: while the lock is free, a field is LARGE exactly if a record has its count. Only
     *            the owner of the lock changes a LARGE field.
     * Ordering:  this CAS pairs with the CAS in release(), try_acquire() and itself, and with the load
     *            of solo_mapping_wait_in_flight(). The CAS is necessary even if `next` equals `count`.
     * Otherwise: the last release does not observe another thread's last access, or a mapping with
     *            references is closed.
     */
    if (!solo_cas_acq_rel(&m->count, &count, next)) continue;
    /* from here on, m can belong to another thread */
    store(at, *out_word = next, counts);
    if (!(next & SOLO_COUNT_LIVE)) done = SOLO_RELEASED_LAST;
    break;
  }
  if (*at && done != SOLO_RELEASED && done != SOLO_RELEASED_LAST) store(at, count, (*at)->counts);
  solo_large_unlock();
  return done;
}

solo_mapping *solo_large_acquire(solo_mapping *m, uint64_t count, solo_ref ref,
                                 uint64_t *out_version) {
  const large_change what = {.more = ref};
  uint64_t word;
  if (change_counts(m, count, &what, &word) != SOLO_RELEASED) return NULL;
  /* not equal to the state word, so that solo_mapping_release_shared() checks for LARGE and infinite
   * counts */
  *out_version = word | SOLO_COUNT_DYNAMIC;
  return m;
}

solo_released solo_large_release(solo_mapping *m, uint64_t version, solo_ref ref, solo_release how,
                                 solo_ref use) {
  const large_change what = {.less = ref, .more = use, .how = how};
  uint64_t word = 0;
  solo_released done = change_counts(m, version, &what, &word);
  return done == SOLO_RELEASED && word && use ? SOLO_RELEASED_IN_FLIGHT : done;
}

void solo_large_drop_in_flight(solo_mapping *m) {
  const large_change what = {.less = SOLO_REF_IN_FLIGHT};
  uint64_t word;
  /* relaxed: the tag is constant while m has a use in flight */
  (void)change_counts(m, solo_load_relaxed(&m->count), &what, &word);
}

void solo_large_clear(solo_mapping *m, uint64_t mask) {
  solo_large_lock();
  solo_large **at = place_of(m);
  /* ordering as in change_counts(); a LARGE field changes only under the lock */
  uint64_t count = solo_and_acq_rel(&m->count, ~mask) & ~mask;
  if (*at && !has_large(count)) store(at, count, (*at)->counts);
  solo_large_unlock();
}

uint64_t solo_large_count(const solo_mapping *m, uint64_t count, solo_ref ref) {
  int field = (int)ref - 1;
  uint64_t known = (count & fields[field].mask) / fields[field].one;
  if (!is_large(count, field)) return known;
  solo_large_lock();
  const solo_large *record = *place_of(m);
  /* relaxed: constant under the lock */
  if (record && is_large(solo_load_relaxed(&m->count), field)) known = record->counts[field];
  solo_large_unlock();
  return known;
}

void solo_large_init_lock(void) {
  solo_lock_init(&all.lock, SOLO_RANK_COUNTS);
}
