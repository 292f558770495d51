/* The range index as a path-compressed radix tree over the bits of begin: the design that lost
 * (bench/results/mapping_index.txt), kept so that the comparison can be run again.
 *
 * Shape. A node looks at one digit of 6 bits: shift says which, prefix what lies above it; a bitmap
 * tells which of its 64 slots are used. A slot holds a node that looks at a lower digit or a record
 * (low bit set): one range. Every node but the root, which looks at the topmost digit, has at least
 * two slots in use. Records are linked in address order.
 *
 * Readers note each node and record that they looked at with its version (even: stable), and check
 * all of them at the end: equal means that all that was read was so at one moment. Nodes and
 * records are type-stable, so that a reader that lost a race follows old but valid links, at most
 * STEPS_MAX of them. The writer makes all versions odd that it changes, and even at the end.
 */
#include "runtime/table/index.h"

#include <stdlib.h>
#include <string.h>

enum { DIGIT = 6, SLOTS = 1 << DIGIT, TOP_SHIFT = 60, STEPS_MAX = 32, OPEN_MAX = 12 };

/* Common to nodes and records. */
typedef struct head {
  _Atomic uint32_t version;
  _Atomic uint32_t shift;
} head;

typedef struct node {
  head head;
  _Atomic uintptr_t prefix;
  _Atomic uint64_t used;
  struct node *free_next;
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uintptr_t slot[SLOTS];
} node;

typedef struct SOLO_ALIGNED(64) record {
  head head;
  _Atomic uintptr_t begin, end;
  void *_Atomic value;
  struct record *_Atomic next, *_Atomic previous;
  struct record *free_next;
} record;

typedef struct chunk {
  struct chunk *next;
} chunk;

struct solo_index {
  node *root;
  record *_Atomic sentinel; /* before the first record; begins at 0 and is in no slot */
  size_t count, growth;
  node *free_nodes;
  record *free_records;
  chunk *chunks;
  head *open[OPEN_MAX];
  size_t open_count;
};

typedef struct trace {
  const head *seen[STEPS_MAX];
  uint32_t version[STEPS_MAX];
  size_t count;
} trace;

/* --- reading (all loads of words relaxed: trace_valid; links acquire: what they lead to) ------ */

static int note(trace *t, const head *at) {
  uint32_t version = solo_load_acquire(&at->version); /* pairs with write_end */
  if ((version & 1) || t->count == STEPS_MAX) return 0;
  t->seen[t->count] = at;
  t->version[t->count++] = version;
  return 1;
}

static int trace_valid(const trace *t) {
  solo_fence_acquire(); /* pairs with write_begin */
  for (size_t i = 0; i < t->count; i++)
    if (solo_load_relaxed(&t->seen[i]->version) != t->version[i]) return 0;
  return 1;
}

static inline int is_record(uintptr_t slot) {
  return slot & 1;
}

static inline record *record_in(uintptr_t slot) {
  return (record *)(slot - 1);
}

static inline unsigned highest(uint64_t bits) {
  return 63 - (unsigned)__builtin_clzll(bits);
}

/* The last record below slot; NULL: raced. */
static const record *last_below(trace *t, uintptr_t slot) {
  for (;;) {
    if (!slot) return NULL;
    if (is_record(slot)) {
      const record *r = record_in(slot);
      return note(t, &r->head) ? r : NULL;
    }
    const node *n = (const node *)slot;
    if (!note(t, &n->head)) return NULL;
    uint64_t used = solo_load_relaxed(&n->used);
    if (!used) return NULL;
    slot = solo_load_acquire(&n->slot[highest(used)]); /* pairs with set_slot */
  }
}

/* The record with the greatest begin <= address, the sentinel if there is none; NULL: raced. */
static const record *floor_of(const solo_index *index, uintptr_t address, trace *t) {
  uintptr_t at = (uintptr_t)index->root, lower = 0;
  for (;;) {
    if (!at) return NULL;
    if (is_record(at)) {
      const record *r = record_in(at);
      if (!note(t, &r->head)) return NULL;
      if (solo_load_relaxed(&r->begin) <= address) return r;
      break;
    }
    const node *n = (const node *)at;
    if (!note(t, &n->head)) return NULL;
    unsigned shift = solo_load_relaxed(&n->head.shift);
    uintptr_t prefix = solo_load_relaxed(&n->prefix);
    uint64_t used = solo_load_relaxed(&n->used);
    if (shift < TOP_SHIFT && (address ^ prefix) >> (shift + DIGIT)) {
      if (address > prefix) return last_below(t, at);
      break;
    }
    unsigned digit = address >> shift & (SLOTS - 1);
    uint64_t below = used & (((uint64_t)1 << digit) - 1);
    if (below) lower = solo_load_acquire(&n->slot[highest(below)]); /* pairs with set_slot */
    if (!(used >> digit & 1)) break;
    at = solo_load_acquire(&n->slot[digit]); /* pairs with set_slot */
  }
  if (lower) return last_below(t, lower);
  return solo_load_relaxed(&index->sentinel);
}

void *solo_index_find(const solo_index *index, uintptr_t address) {
  for (;; solo_cpu_relax()) {
    trace t = {.count = 0};
    const record *r = floor_of(index, address, &t);
    if (!r) continue;
    void *value = solo_load_relaxed(&r->value);
    if (solo_load_relaxed(&r->end) <= address) value = NULL;
    if (trace_valid(&t)) return value;
  }
}

static void read_record(const record *r, solo_index_range *out) {
  out->begin = solo_load_relaxed(&r->begin);
  out->end = solo_load_relaxed(&r->end);
  out->value = solo_load_relaxed(&r->value);
}

void solo_index_locate(const solo_index *index, uintptr_t address,
                       solo_index_neighbours *out_place) {
  for (;; solo_cpu_relax()) {
    trace t = {.count = 0};
    memset(out_place, 0, sizeof *out_place);
    const record *r = floor_of(index, address, &t);
    if (!r) continue;
    read_record(r, &out_place->floor);
    if (r == solo_load_relaxed(&index->sentinel) && !note(&t, &r->head)) continue;
    const record *next = solo_load_acquire(&r->next); /* pairs with link_after */
    if (next) {
      if (!note(&t, &next->head)) continue;
      read_record(next, &out_place->ceiling);
    }
    if (trace_valid(&t)) return;
  }
}

size_t solo_index_count(const solo_index *index) {
  return index->count;
}

/* --- memory
 * ---------------------------------------------------------------------------------------- */

static void *more(solo_index *index, size_t bytes) {
  chunk *c = aligned_alloc(SOLO_CACHE_LINE, SOLO_CACHE_LINE + bytes);
  if (!c) return NULL;
  memset(c, 0, SOLO_CACHE_LINE + bytes);
  c->next = index->chunks;
  index->chunks = c;
  return (char *)c + SOLO_CACHE_LINE;
}

static int reserve(solo_index *index) {
  if (!index->free_nodes) {
    node *n = more(index, index->growth * sizeof *n);
    if (!n) return 0;
    for (size_t i = 0; i < index->growth; i++) {
      n[i].free_next = index->free_nodes;
      index->free_nodes = &n[i];
    }
  }
  if (!index->free_records) {
    record *r = more(index, index->growth * sizeof *r);
    if (!r) return 0;
    for (size_t i = index->growth; i-- > 0;) {
      r[i].free_next = index->free_records;
      index->free_records = &r[i];
    }
    if (index->growth < 4096) index->growth *= 2;
  }
  return 1;
}

/* --- changing
 * -------------------------------------------------------------------------------------- */

static void write_begin(solo_index *index, head *at) {
  uint32_t version = solo_load_relaxed(&at->version);
  if (version & 1) return;
  solo_store_relaxed(&at->version, version + 1);
  solo_fence_release(); /* pairs with trace_valid */
  index->open[index->open_count++] = at;
}

static void write_end(solo_index *index) {
  for (size_t i = 0; i < index->open_count; i++) {
    uint32_t version = solo_load_relaxed(&index->open[i]->version);
    solo_store_release(&index->open[i]->version, version + 1); /* pairs with note */
  }
  index->open_count = 0;
}

static void set_slot(node *n, unsigned digit, uintptr_t to) {
  solo_store_release(&n->slot[digit], to); /* pairs with floor_of, last_below */
  solo_store_relaxed(&n->used, solo_load_relaxed(&n->used) | (uint64_t)1 << digit);
}

static node *take_node(solo_index *index, unsigned shift, uintptr_t key) {
  node *n = index->free_nodes;
  index->free_nodes = n->free_next;
  write_begin(index, &n->head);
  solo_store_relaxed(&n->head.shift, shift);
  solo_store_relaxed(&n->used, 0);
  solo_store_relaxed(&n->prefix,
                     shift == TOP_SHIFT ? 0 : key >> (shift + DIGIT) << (shift + DIGIT));
  return n;
}

static record *take_record(solo_index *index, uintptr_t begin, uintptr_t end, void *value) {
  record *r = index->free_records;
  index->free_records = r->free_next;
  write_begin(index, &r->head);
  solo_store_relaxed(&r->begin, begin);
  solo_store_relaxed(&r->end, end);
  solo_store_relaxed(&r->value, value);
  return r;
}

static void link_after(solo_index *index, record *before, record *r) {
  record *after = solo_load_relaxed(&before->next);
  write_begin(index, &before->head);
  solo_store_relaxed(&r->previous, before);
  solo_store_relaxed(&r->next, after);
  if (after) {
    write_begin(index, &after->head);
    solo_store_relaxed(&after->previous, r);
  }
  solo_store_release(&before->next, r); /* pairs with solo_index_locate */
}

static uintptr_t key_of(uintptr_t slot) {
  return is_record(slot) ? solo_load_relaxed(&record_in(slot)->begin)
                         : solo_load_relaxed(&((node *)slot)->prefix);
}

static void hang(solo_index *index, record *r) {
  uintptr_t key = solo_load_relaxed(&r->begin);
  node *n = index->root;
  for (;;) {
    unsigned shift = solo_load_relaxed(&n->head.shift), digit = key >> shift & (SLOTS - 1);
    if (!(solo_load_relaxed(&n->used) >> digit & 1)) {
      write_begin(index, &n->head);
      set_slot(n, digit, (uintptr_t)r + 1);
      return;
    }
    uintptr_t at = solo_load_relaxed(&n->slot[digit]), other = key_of(at);
    unsigned differ = key ^ other ? highest(key ^ other) / DIGIT * DIGIT : 0;
    if (!is_record(at) && differ <= solo_load_relaxed(&((node *)at)->head.shift)) {
      n = (node *)at;
      continue;
    }
    node *between = take_node(index, differ, key);
    set_slot(between, other >> differ & (SLOTS - 1), at);
    set_slot(between, key >> differ & (SLOTS - 1), (uintptr_t)r + 1);
    write_begin(index, &n->head);
    set_slot(n, digit, (uintptr_t)between);
    return;
  }
}

solo_status solo_index_create(solo_index **out_index) {
  solo_index *index = calloc(1, sizeof *index);
  if (!index) return SOLO_NOMEM;
  index->growth = 4;
  if (!reserve(index)) {
    solo_index_destroy(index);
    return SOLO_NOMEM;
  }
  index->root = take_node(index, TOP_SHIFT, 0);
  solo_store_relaxed(&index->sentinel, take_record(index, 0, 0, NULL));
  write_end(index);
  *out_index = index;
  return SOLO_OK;
}

void solo_index_destroy(solo_index *index) {
  if (!index) return;
  for (chunk *c = index->chunks, *next; c; c = next) {
    next = c->next;
    free(c);
  }
  free(index);
}

solo_status solo_index_insert(solo_index *index, uintptr_t begin, uintptr_t end, void *value,
                              solo_index_range *out_clash) {
  trace t = {.count = 0};
  record *before = (record *)floor_of(index, begin, &t);
  const record *after = solo_load_relaxed(&before->next), *clash = NULL;
  if (solo_load_relaxed(&before->end) > begin)
    clash = before;
  else if (after && solo_load_relaxed(&after->begin) < end)
    clash = after;
  if (clash) {
    if (out_clash) read_record(clash, out_clash);
    return SOLO_OVERLAP;
  }
  if (!reserve(index)) return SOLO_NOMEM;
  record *r = take_record(index, begin, end, value);
  link_after(index, before, r);
  hang(index, r);
  write_end(index);
  index->count++;
  return SOLO_OK;
}

/* Takes the slot of key out of its node; a node left with one slot gives it to its parent. */
static void unhang(solo_index *index, node *parent, node *n, uintptr_t key) {
  unsigned digit = key >> solo_load_relaxed(&n->head.shift) & (SLOTS - 1);
  uint64_t used = solo_load_relaxed(&n->used) & ~((uint64_t)1 << digit);
  write_begin(index, &n->head);
  solo_store_relaxed(&n->used, used);
  if (!parent || (used & (used - 1))) return;
  write_begin(index, &parent->head);
  set_slot(parent, key >> solo_load_relaxed(&parent->head.shift) & (SLOTS - 1),
           solo_load_relaxed(&n->slot[highest(used)]));
  n->free_next = index->free_nodes;
  index->free_nodes = n;
}

void *solo_index_remove(solo_index *index, uintptr_t begin) {
  node *parent = NULL, *n = index->root;
  uintptr_t at = 0;
  for (;;) {
    unsigned digit = begin >> solo_load_relaxed(&n->head.shift) & (SLOTS - 1);
    if (!(solo_load_relaxed(&n->used) >> digit & 1)) return NULL;
    at = solo_load_relaxed(&n->slot[digit]);
    if (is_record(at)) break;
    parent = n;
    n = (node *)at;
  }
  record *r = record_in(at);
  if (solo_load_relaxed(&r->begin) != begin) return NULL;
  write_begin(index, &r->head);
  record *before = solo_load_relaxed(&r->previous), *after = solo_load_relaxed(&r->next);
  write_begin(index, &before->head);
  solo_store_relaxed(&before->next, after);
  if (after) {
    write_begin(index, &after->head);
    solo_store_relaxed(&after->previous, before);
  }
  unhang(index, parent, n, begin);
  write_end(index);
  r->free_next = index->free_records;
  index->free_records = r;
  index->count--;
  return solo_load_relaxed(&r->value);
}

void solo_index_each(const solo_index *index, void (*visit)(void *context, solo_index_range range),
                     void *context) {
  const record *r = solo_load_relaxed(&solo_load_relaxed(&index->sentinel)->next);
  for (; r; r = solo_load_relaxed(&r->next)) {
    solo_index_range range;
    read_record(r, &range);
    visit(context, range);
  }
}

const char *solo_index_check(const solo_index *index) {
  uintptr_t reached = 0;
  size_t count = 0;
  const record *r = solo_load_relaxed(&solo_load_relaxed(&index->sentinel)->next);
  for (; r; r = solo_load_relaxed(&r->next), count++) {
    if (solo_load_relaxed(&r->begin) < reached) return "ranges overlap or are out of order";
    reached = solo_load_relaxed(&r->end);
    if (solo_index_find(index, reached - 1) != solo_load_relaxed(&r->value))
      return "a range is not found";
  }
  return count == index->count ? NULL : "the count";
}
