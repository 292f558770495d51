/* Nodes of the range index, a B+-tree, and their version protocol, for table/index_*.c.
 * docs/design/mapping-table.md states the invariants.
 *
 * A separator key[i] is the smallest begin below child[i + 1]. Unused keys are SOLO_NO_KEY, so a
 * search needs no count. The keys of a leaf are unsorted; `order` lists their positions.
 *
 * While the writer changes a node, the node's version is odd. A reader accepts the loaded values if
 * the version was even and did not change. A reader loads a child's version before it validates the
 * parent. The versions of all nodes that one operation changes are odd at the same time. */
#ifndef SOLO_MAPPING_INDEX_NODE_H
#define SOLO_MAPPING_INDEX_NODE_H

#include "runtime/table/index.h"

enum {
  SOLO_LEAF_MAX = 15,
  SOLO_CHILD_MAX = 32,
  SOLO_LEAF_MIN = SOLO_LEAF_MAX / 4 + 1,
  SOLO_CHILD_MIN = SOLO_CHILD_MAX / 4,
  SOLO_HEIGHT_MAX = 16,
  SOLO_LEVEL_BITS = SOLO_CACHE_LINE - 1,
};

#define SOLO_NO_KEY UINTPTR_MAX

typedef struct head {
  _Atomic uint32_t version;
  uint32_t count; /* number of ranges or children; only the writer reads it */
} head;

typedef struct leaf leaf;
struct SOLO_ALIGNED(SOLO_CACHE_PAIR) leaf {
  head head;
  _Atomic uintptr_t key[SOLO_LEAF_MAX];
  struct slot {
    _Atomic uintptr_t end;
    void *_Atomic value;
  } slot[SOLO_LEAF_MAX];
  /* Four bits per position, lowest first: the positions of the keys in ascending order of keys,
   * then the free positions. */
  _Atomic uint64_t order;
  leaf *_Atomic next;
};

typedef struct inner inner;
struct SOLO_ALIGNED(SOLO_CACHE_PAIR) inner {
  head head;
  _Atomic uintptr_t key[SOLO_CHILD_MAX - 1];
  /* Never NULL: a reader can follow an unused slot before it detects that the writer has changed the
   * node. An unused slot holds an old child or child[0]. */
  head *_Atomic child[SOLO_CHILD_MAX];
};

_Static_assert(sizeof(leaf) == 384 && sizeof(inner) == 512, "whole pairs of cache lines");
_Static_assert(sizeof(head) == sizeof(uintptr_t), "keys are searched by cache line (search_inner)");

typedef struct chunk chunk;
struct SOLO_ALIGNED(SOLO_CACHE_PAIR) chunk {
  chunk *next;
};

typedef struct pool {
  head *free;
  size_t spare;
  size_t growth; /* number of nodes in the next chunk */
} pool;

typedef struct step {
  inner *node;
  size_t index;
} step;

struct SOLO_ALIGNED(SOLO_CACHE_PAIR) solo_index {
  /* The root's address plus its level (0: leaf). Every look-up reads this word, so it shares its
   * cache lines with no other variable. */
  _Atomic uintptr_t root;
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic size_t count;
  pool leaves, inners; /* only the writer uses the members from here on */
  chunk *chunks;
  size_t open_count; /* nodes in open[], which the current operation changes */
  head *open[3 * SOLO_HEIGHT_MAX];
  size_t depth;
  step path[SOLO_HEIGHT_MAX];
  leaf first_leaf; /* first node; most tables need no other */
};

/* One search step without a branch. The asm statement prevents the compiler from loading all keys
 * first and spilling them. relaxed: the caller validates. */
#define SEARCH_STEP(n, key)                                                                        \
  do {                                                                                             \
    (n) -= address < solo_load_relaxed(key);                                                       \
    __asm__("" : "+r"(n));                                                                         \
  } while (0)

/* Selects one of four cache lines by their first keys, then compares its other seven keys. */
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

/* Returns the number of ranges that begin at or below address. */
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

SOLO_INLINE size_t place_in(uint64_t order, size_t i) {
  return order >> 4 * i & 15;
}

/* Waits while the writer changes the node. Returns an even version. */
SOLO_INLINE uint32_t read_begin(const head *node) {
  for (;;) {
    /* pairs with write_end_one() */
    uint32_t version = solo_load_acquire(&node->version);
    if (SOLO_LIKELY(!(version & 1))) return version;
    solo_cpu_relax();
  }
}

SOLO_INLINE int read_valid(const head *node, uint32_t version) {
  solo_fence_acquire(); /* pairs with write_begin_one() */
  return SOLO_LIKELY(solo_load_relaxed(&node->version) == version);
}

SOLO_INLINE head *child_at(const inner *node, size_t i) {
  return solo_load_acquire(&node->child[i]); /* pairs with set_child() */
}

SOLO_INLINE void read_range(const leaf *at, size_t i, solo_index_range *out) {
  /* relaxed: the caller validates, or is the writer */
  size_t place = place_in(solo_load_relaxed(&at->order), i);
  out->begin = solo_load_relaxed(&at->key[place]);
  out->end = solo_load_relaxed(&at->slot[place].end);
  out->value = solo_load_relaxed(&at->slot[place].value);
}

/* Writer's functions. relaxed: only the writer stores, and readers validate. */

SOLO_INLINE uint32_t write_begin_one(head *node) {
  uint32_t version = solo_load_relaxed(&node->version);
  solo_store_relaxed(&node->version, version + 1);
  /* Ordering:  this release fence pairs with the acquire fence in read_valid().
   * Otherwise: a reader could load a changed word and still see the old version. */
  solo_fence_release();
  return version;
}

SOLO_INLINE void write_end_one(head *node, uint32_t version) {
  /* Ordering:  this release store pairs with the acquire load in read_begin().
   * Otherwise: a reader could see the new version and load an old word. */
  solo_store_release(&node->version, version + 2);
}

/* Opens a node (makes its version odd). solo_index_write_end closes all open nodes. */
void solo_index_write_begin(solo_index *index, head *node);
void solo_index_write_end(solo_index *index);

SOLO_INLINE uint64_t order_of(const leaf *at) {
  return solo_load_relaxed(&at->order);
}

/* relaxed: the writer reads values that it stored */
SOLO_INLINE uintptr_t leaf_key(const leaf *at, size_t i) {
  return solo_load_relaxed(&at->key[place_in(order_of(at), i)]);
}

/* relaxed: the node is open */
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
  solo_store_release(&at->next, next); /* pairs with solo_index_locate() */
}

SOLO_INLINE uintptr_t inner_key(const inner *at, size_t i) {
  return solo_load_relaxed(&at->key[i]);
}

SOLO_INLINE void set_key(inner *at, size_t i, uintptr_t key) {
  solo_store_relaxed(&at->key[i], key);
}

SOLO_INLINE void set_child(inner *at, size_t i, head *child) {
  /* pairs with child_at() */
  solo_store_release(&at->child[i], child);
}

SOLO_INLINE head *root_of(const solo_index *index, size_t *out_level) {
  /* relaxed: the writer reads a value that it stored */
  uintptr_t root = solo_load_relaxed(&index->root);
  *out_level = root & SOLO_LEVEL_BITS;
  return (head *)(root - *out_level);
}

SOLO_INLINE void set_root(solo_index *index, head *node, size_t level) {
  /* pairs with descend() */
  solo_store_release(&index->root, (uintptr_t)node + level);
}

/* Pull moves the first n ranges of right to the end of left; push moves the last n ranges of left to
 * the front of right. */
void solo_leaf_pull(leaf *left, leaf *right, size_t n);
void solo_leaf_push(leaf *left, leaf *right, size_t n);

/* separator: the parent's key for right. Both return the new separator. */
uintptr_t solo_inner_pull(inner *left, inner *right, size_t n, uintptr_t separator);
uintptr_t solo_inner_push(inner *left, inner *right, size_t n, uintptr_t separator);

/* Insert or remove child i (>= 1) with its separator. */
void solo_inner_insert(inner *at, size_t i, uintptr_t key, head *child);
void solo_inner_erase(inner *at, size_t i);

/* Reserve makes n nodes available. Allocate returns one of them, open and empty, and cannot fail. */
solo_status solo_index_reserve(solo_index *index, pool *from, size_t node_size, size_t n);
leaf *solo_index_leaf_allocate(solo_index *index);
inner *solo_index_inner_allocate(solo_index *index, head *first_child);
void solo_index_node_free(pool *to, head *node);

#endif
