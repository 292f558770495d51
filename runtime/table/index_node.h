/* Nodes of the range index: layout, search, versions. Included by table/index_*.c only.
 *
 * Shape. A leaf holds up to 15 ranges, an inner node up to 32 children; every node
 * but the root is at least a quarter full. A separator key[i] is exactly the smallest begin below
 * child[i] (child[0] needs none), so that the floor of an address always lies in the leaf that the
 * descent reaches. Unused keys are UINTPTR_MAX, which no range can begin with: a node is searched
 * without looking at its count. The keys of an inner node are sorted; those of a leaf stay where
 * they were put, and one word tells their order, so that a range comes and goes with six stores.
 *
 * Version of a node:
 *
 *     even, stable --write_begin--> odd, being changed --write_end--> even, greater by 2
 *
 * A reader takes the version (even), reads words, and reads the version again: equal means that the
 * words belonged together. It takes a child's version before it validates the parent: at that
 * moment the child was the right one with that version, so a later change of what the child covers
 * (split, merge, recycling) shows in the child's own version. All nodes that one operation changes
 * are odd together, and even again only when all are changed.
 *
 * Type-stable: leaves are recycled as leaves, inner nodes as inner nodes, and a child slot only
 * ever holds nodes of this index. A version wraps after 2^31 changes of one node: a reader would
 * have to sleep through exactly that many within one look-up.
 */
#ifndef SOLO_MAPPING_INDEX_NODE_H
#define SOLO_MAPPING_INDEX_NODE_H

#include "runtime/table/index.h"

enum {
  SOLO_LEAF_MAX = 15,  /* keys of a leaf: with its head, two cache lines */
  SOLO_CHILD_MAX = 32, /* children of an inner node: 31 keys and the head, four cache lines */
  SOLO_LEAF_MIN = SOLO_LEAF_MAX / 4 + 1,
  SOLO_CHILD_MIN = SOLO_CHILD_MAX / 4,
  SOLO_HEIGHT_MAX = 16, /* more than 2^47 ranges, even in quarter-full nodes */
  SOLO_LEVEL_BITS = SOLO_CACHE_LINE - 1,
};

#define SOLO_NO_KEY UINTPTR_MAX

typedef struct head {
  _Atomic uint32_t version;
  uint32_t count; /* ranges or children; only the writer looks at it */
} head;

typedef struct leaf leaf;
struct SOLO_ALIGNED(SOLO_CACHE_PAIR) leaf {
  head head;
  _Atomic uintptr_t key[SOLO_LEAF_MAX]; /* not in order: order is */
  struct slot {
    _Atomic uintptr_t end;
    void *_Atomic value;
  } slot[SOLO_LEAF_MAX];
  /* Four bits each, lowest first: the places of the smallest key, the next, ..., then free ones. */
  _Atomic uint64_t order;
  leaf *_Atomic next; /* in address order */
};

typedef struct inner inner;
struct SOLO_ALIGNED(SOLO_CACHE_PAIR) inner {
  head head;
  _Atomic uintptr_t key[SOLO_CHILD_MAX - 1]; /* key[i]: smallest begin below child[i + 1] */
  /* Unused ones are old or child[0], never NULL: a reader that lost a race may follow them as far
   * as the version. */
  head *_Atomic child[SOLO_CHILD_MAX];
};

_Static_assert(sizeof(leaf) == 384 && sizeof(inner) == 512, "whole pairs of cache lines");
_Static_assert(sizeof(head) == sizeof(uintptr_t), "keys are searched by cache line (search_inner)");

/* Memory for nodes, in chunks that double in size. */
typedef struct chunk chunk;
struct SOLO_ALIGNED(SOLO_CACHE_PAIR) chunk {
  chunk *next;
};

typedef struct pool {
  head *free;    /* linked through key[0] */
  size_t spare;  /* nodes in free */
  size_t growth; /* nodes of the next chunk */
} pool;

typedef struct step {
  inner *node;
  size_t index; /* of the child taken */
} step;

struct SOLO_ALIGNED(SOLO_CACHE_PAIR) solo_index {
  /* The root and, in the low bits, its level (0: a leaf). Alone in its pair of lines, which is written only
   * when the root changes: every look-up reads it. */
  _Atomic uintptr_t root;
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic size_t count;
  pool leaves, inners; /* this and the rest: the writer's */
  chunk *chunks;
  size_t open_count;               /* nodes that the operation in progress changes ... */
  head *open[3 * SOLO_HEIGHT_MAX]; /* ... which are these */
  size_t depth;                    /* inner nodes on the path to the leaf that it is about; */
  step path[SOLO_HEIGHT_MAX];      /* path[0] is the root */
  leaf first_leaf;                 /* most tables need no other: one allocation */
};

/* --- reading: any thread ------------------------------------------------------------- */

/* One step of a search without branches: n counts down from "all keys are <= address". The empty
 * statement keeps the compiler from loading all keys first, for want of registers. Relaxed: the
 * version check tells whether what was read is consistent. */
#define SEARCH_STEP(n, key)                                                                        \
  do {                                                                                             \
    (n) -= address < solo_load_relaxed(key);                                                       \
    __asm__("" : "+r"(n));                                                                         \
  } while (0)

/* The index of the child that covers address: the cache line by its first key, then the other seven
 * keys of that line. */
SOLO_INLINE size_t search_inner(const inner *at, uintptr_t address) {
  size_t line = 3;
  SEARCH_STEP(line, &at->key[7]);
  SEARCH_STEP(line, &at->key[15]);
  SEARCH_STEP(line, &at->key[23]);
  const _Atomic uintptr_t *key = at->key + 8 * line;
  size_t n = 8 * line + 7;
  SEARCH_STEP(n, &key[0]);
  SEARCH_STEP(n, &key[1]);
  SEARCH_STEP(n, &key[2]);
  SEARCH_STEP(n, &key[3]);
  SEARCH_STEP(n, &key[4]);
  SEARCH_STEP(n, &key[5]);
  SEARCH_STEP(n, &key[6]);
  return n;
}

/* The number of ranges of a leaf that begin at or below address: all keys are compared. */
SOLO_INLINE size_t search_leaf(const leaf *at, uintptr_t address) {
  size_t n = SOLO_LEAF_MAX;
  SEARCH_STEP(n, &at->key[0]);
  SEARCH_STEP(n, &at->key[1]);
  SEARCH_STEP(n, &at->key[2]);
  SEARCH_STEP(n, &at->key[3]);
  SEARCH_STEP(n, &at->key[4]);
  SEARCH_STEP(n, &at->key[5]);
  SEARCH_STEP(n, &at->key[6]);
  SEARCH_STEP(n, &at->key[7]);
  SEARCH_STEP(n, &at->key[8]);
  SEARCH_STEP(n, &at->key[9]);
  SEARCH_STEP(n, &at->key[10]);
  SEARCH_STEP(n, &at->key[11]);
  SEARCH_STEP(n, &at->key[12]);
  SEARCH_STEP(n, &at->key[13]);
  SEARCH_STEP(n, &at->key[14]);
  return n;
}

/* The place of the i-th range of a leaf. */
SOLO_INLINE size_t place_in(uint64_t order, size_t i) {
  return order >> 4 * i & 15;
}

/* The version to validate against, even; waits while a writer changes the node. */
SOLO_INLINE uint32_t read_begin(const head *node) {
  for (;;) {
    uint32_t version = solo_load_acquire(&node->version); /* pairs with solo_index_write_end */
    if (SOLO_LIKELY(!(version & 1))) return version;
    solo_cpu_relax();
  }
}

/* Were the words read since read_begin those of that version? */
SOLO_INLINE int read_valid(const head *node, uint32_t version) {
  solo_fence_acquire(); /* pairs with solo_index_write_begin */
  /* relaxed: ordered by the fence */
  return SOLO_LIKELY(solo_load_relaxed(&node->version) == version);
}

SOLO_INLINE head *child_at(const inner *node, size_t i) {
  return solo_load_acquire(&node->child[i]); /* pairs with set_child */
}

SOLO_INLINE void read_range(const leaf *at, size_t i, solo_index_range *out) {
  /* relaxed: the caller validates, or is the writer */
  size_t place = place_in(solo_load_relaxed(&at->order), i);
  out->begin = solo_load_relaxed(&at->key[place]);
  out->end = solo_load_relaxed(&at->slot[place].end);
  out->value = solo_load_relaxed(&at->slot[place].value);
}

/* --- changing: the writer ------------------------------------------------------------------------
 * It reads its own words relaxed (nobody else writes them) and stores relaxed into nodes that are
 * odd: readers validate. */

/* One node alone. Returns its even version. */
SOLO_INLINE uint32_t write_begin_one(head *node) {
  uint32_t version = solo_load_relaxed(&node->version);
  solo_store_relaxed(&node->version, version + 1);
  solo_fence_release(); /* pairs with read_valid: no change is seen without the odd version */
  return version;
}

SOLO_INLINE void write_end_one(head *node, uint32_t version) {
  solo_store_release(&node->version, version + 2); /* pairs with read_begin */
}

/* Several nodes at once: each may be begun more than once, all end together. */
void solo_index_write_begin(solo_index *index, head *node);
void solo_index_write_end(solo_index *index);

SOLO_INLINE uint64_t order_of(const leaf *at) {
  return solo_load_relaxed(&at->order);
}

SOLO_INLINE uintptr_t leaf_key(const leaf *at, size_t i) {
  /* relaxed: the writer reads its own store */
  return solo_load_relaxed(&at->key[place_in(order_of(at), i)]);
}

/* Nothing moves but the bits of order: the first free place becomes the i-th ... */
SOLO_INLINE void leaf_insert(leaf *at, size_t i, const solo_index_range *range) {
  uint64_t order = order_of(at), count = at->head.count;
  size_t place = place_in(order, count);
  solo_store_relaxed(&at->key[place], range->begin);
  solo_store_relaxed(&at->slot[place].end, range->end);
  solo_store_relaxed(&at->slot[place].value, range->value);
  uint64_t below = ((uint64_t)1 << 4 * i) - 1, up_to_count = ((uint64_t)16 << 4 * count) - 1;
  uint64_t moved = (order & up_to_count & ~below) << 4 & up_to_count;
  order = (order & below) | (uint64_t)place << 4 * i | moved | (order & ~up_to_count);
  solo_store_relaxed(&at->order, order);
  at->head.count++;
}

/* ... and the i-th the first free one. */
SOLO_INLINE void leaf_erase(leaf *at, size_t i) {
  uint64_t order = order_of(at), last = --at->head.count;
  size_t place = place_in(order, i);
  solo_store_relaxed(&at->key[place], SOLO_NO_KEY);
  uint64_t below = ((uint64_t)1 << 4 * i) - 1, up_to_last = ((uint64_t)16 << 4 * last) - 1;
  uint64_t moved = (order & up_to_last & ~below) >> 4 & ~below;
  order = (order & below) | moved | (uint64_t)place << 4 * last | (order & ~up_to_last);
  solo_store_relaxed(&at->order, order);
}

SOLO_INLINE void set_next(leaf *at, leaf *next) {
  solo_store_release(&at->next, next); /* pairs with solo_index_locate */
}

SOLO_INLINE uintptr_t inner_key(const inner *at, size_t i) {
  return solo_load_relaxed(&at->key[i]);
}

SOLO_INLINE void set_key(inner *at, size_t i, uintptr_t key) {
  solo_store_relaxed(&at->key[i], key);
}

SOLO_INLINE void set_child(inner *at, size_t i, head *child) {
  solo_store_release(&at->child[i], child); /* pairs with child_at: a new node's memory is seen */
}

SOLO_INLINE head *root_of(const solo_index *index, size_t *out_level) {
  uintptr_t root = solo_load_relaxed(&index->root); /* relaxed: the writer reads its own store */
  *out_level = root & SOLO_LEVEL_BITS;
  return (head *)(root - *out_level);
}

SOLO_INLINE void set_root(solo_index *index, head *node, size_t level) {
  solo_store_release(&index->root, (uintptr_t)node + level); /* pairs with descend */
}

/* Moves n ranges from the front of right to the end of left, or the other way. */
void solo_leaf_pull(leaf *left, leaf *right, size_t n);
void solo_leaf_push(leaf *left, leaf *right, size_t n);

/* The same for children. separator: right's; returns what it is afterwards (meaningless when right
 * is left empty). */
uintptr_t solo_inner_pull(inner *left, inner *right, size_t n, uintptr_t separator);
uintptr_t solo_inner_push(inner *left, inner *right, size_t n, uintptr_t separator);

/* Inserts child at i >= 1 with its separator; takes child i >= 1 out. */
void solo_inner_insert(inner *at, size_t i, uintptr_t key, head *child);
void solo_inner_erase(inner *at, size_t i);

/* Memory: sees to it that n nodes are free; a reserved one, open and empty; back to the free. */
solo_status solo_index_reserve(solo_index *index, pool *from, size_t node_size, size_t n);
leaf *solo_index_take_leaf(solo_index *index);
inner *solo_index_take_inner(solo_index *index, head *first_child);
void solo_index_give(pool *to, head *node);

#endif
