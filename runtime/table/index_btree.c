#include "runtime/table/index_node.h"

#include "runtime/base/early.h"
#include <stdlib.h>
#include <string.h>

SOLO_INLINE void prefetch(const void *base, size_t from_line, size_t lines) {
  for (size_t i = from_line; i < lines; i++)
    __builtin_prefetch((const char *)base + i * SOLO_CACHE_LINE, 0, 3);
}

/* Returns the leaf for address; NULL: the writer changed a node, and the caller retries. *out_edge:
 * nonzero if the leaf is the first one. */
static SOLO_NOINLINE const leaf *descend(const solo_index *index, uintptr_t address,
                                         uint32_t *out_version, int *out_edge) {
  uintptr_t root = solo_load_acquire(&index->root); /* pairs with set_root() */
  size_t level = root & SOLO_LEVEL_BITS;
  const head *node = (const head *)(root - level);
  uint32_t version = read_begin(node);
  /* pairs with set_root(); checks that `version` belongs to a root of this level */
  if (SOLO_UNLIKELY(solo_load_acquire(&index->root) != root)) return NULL;
  size_t moved = 0;
  for (; level > 0; level--) {
    const inner *parent = (const inner *)node;
    size_t i = search_inner(parent, address);
    const head *child = child_at(parent, i);
    if (level == 1) prefetch(child, 1, sizeof(leaf) / SOLO_CACHE_LINE);
    uint32_t child_version = read_begin(child);
    if (!read_valid(node, version)) return NULL;
    moved |= i;
    node = child;
    version = child_version;
  }
  *out_version = version;
  *out_edge = moved == 0;
  return (const leaf *)node;
}

SOLO_INLINE void *find_in_leaf(const leaf *at, uintptr_t address) {
  size_t n = search_leaf(at, address);
  if (n == 0) return NULL;
  /* relaxed: validated by the caller */
  const struct slot *slot = &at->slot[place_in(solo_load_relaxed(&at->order), n - 1)];
  void *value = solo_load_relaxed(&slot->value);
  return solo_load_relaxed(&slot->end) > address ? value : NULL;
}

void *solo_index_find(const solo_index *index, uintptr_t address) {
  if (SOLO_UNLIKELY(address == SOLO_NO_KEY)) return NULL;
  for (;;) {
    uint32_t version;
    int edge;
    const leaf *at = descend(index, address, &version, &edge);
    if (SOLO_UNLIKELY(!at)) continue;
    void *value = find_in_leaf(at, address);
    if (read_valid(&at->head, version)) return value;
  }
}

void solo_index_locate(const solo_index *index, uintptr_t address,
                       solo_index_neighbours *out_place) {
  if (address == SOLO_NO_KEY) address--;
  for (;;) {
    memset(out_place, 0, sizeof *out_place);
    uint32_t version, next_version = 0;
    int edge;
    const leaf *at = descend(index, address, &version, &edge);
    if (SOLO_UNLIKELY(!at)) continue;
    const leaf *next = NULL;
    size_t n = search_leaf(at, address);
    if (n > 0) read_range(at, n - 1, &out_place->floor);
    if (n < SOLO_LEAF_MAX) read_range(at, n, &out_place->ceiling);
    if (n == SOLO_LEAF_MAX || out_place->ceiling.begin == SOLO_NO_KEY) {
      out_place->ceiling = (solo_index_range){0, 0, NULL};
      next = solo_load_acquire(&at->next); /* pairs with set_next() */
      if (next) {
        next_version = read_begin(&next->head);
        read_range(next, 0, &out_place->ceiling);
      }
    }
    if (next && !read_valid(&next->head, next_version)) continue;
    if (!read_valid(&at->head, version)) continue;
    if (n > 0 || edge) return;
    /* the first range of the leaf was removed during the search: retry */
  }
}

size_t solo_index_count(const solo_index *index) {
  return solo_load_relaxed(&index->count);
}

solo_status solo_index_create(solo_index **out_index) {
  solo_index *index = solo_early_allocate(sizeof *index);
  if (!index) return solo_fail(SOLO_NOMEM, "no host memory for a mapping");
  solo_index_node_free(&index->leaves, &index->first_leaf.head);
  set_root(index, &solo_index_leaf_allocate(index)->head, 0);
  solo_index_write_end(index);
  *out_index = index;
  return SOLO_OK;
}

void solo_index_destroy(solo_index *index) {
  if (!index) return;
  for (chunk *at = index->chunks, *next; at; at = next) {
    next = at->next;
    free(at);
  }
  solo_early_free(index);
}

/* Descends for the writer and records the path. */
static SOLO_NOINLINE leaf *find_leaf(solo_index *index, uintptr_t address, size_t *out_n) {
  size_t level;
  head *node = root_of(index, &level);
  index->depth = level;
  for (size_t i = 0; i < level; i++) {
    inner *at = (inner *)node;
    index->path[i].node = at;
    index->path[i].index = search_inner(at, address);
    node = child_at(at, index->path[i].index);
  }
  *out_n = search_leaf((leaf *)node, address);
  return (leaf *)node;
}

static int clashes(const leaf *at, size_t n, uintptr_t begin, uintptr_t end,
                   solo_index_range *out_clash) {
  solo_index_range range;
  if (n > 0) {
    read_range(at, n - 1, &range);
    if (range.end > begin) goto clash;
  }
  if (n == at->head.count) {
    at = solo_load_relaxed(&at->next); /* relaxed: only the writer changes the list */
    n = 0;
  }
  if (at && n < at->head.count) {
    read_range(at, n, &range);
    if (range.begin < end) goto clash;
  }
  return 0;
clash:
  if (out_clash) *out_clash = range;
  return 1;
}

static SOLO_COLD solo_status reserve_split(solo_index *index) {
  size_t i = index->depth;
  while (i > 0 && index->path[i - 1].node->head.count == SOLO_CHILD_MAX) i--;
  size_t inners = index->depth - i + (i == 0);
  SOLO_TRY(solo_index_reserve(index, &index->leaves, sizeof(leaf), 1));
  return solo_index_reserve(index, &index->inners, sizeof(inner), inners);
}

/* Inserts `right` after the split node, and splits full ancestors. append: nonzero if `right` is
 * the last node of its level. Then a split leaves the left part nearly full, because more ranges
 * are likely to be appended. */
static SOLO_COLD void insert_child(solo_index *index, uintptr_t key, head *right, int append) {
  for (size_t d = index->depth; d-- > 0;) {
    inner *at = index->path[d].node;
    size_t i = index->path[d].index + 1;
    solo_index_write_begin(index, &at->head);
    if (at->head.count < SOLO_CHILD_MAX) {
      solo_inner_insert(at, i, key, right);
      return;
    }
    size_t keep = append ? SOLO_CHILD_MAX + 1 - SOLO_CHILD_MIN : SOLO_CHILD_MAX / 2;
    inner *upper = solo_index_inner_allocate(index, right);
    uintptr_t middle = solo_inner_push(at, upper, SOLO_CHILD_MAX - keep, SOLO_NO_KEY);
    if (i <= keep)
      solo_inner_insert(at, i, key, right);
    else
      solo_inner_insert(upper, i - keep, key, right);
    key = middle;
    right = &upper->head;
  }
  size_t level;
  head *old = root_of(index, &level);
  inner *root = solo_index_inner_allocate(index, old);
  root->head.count = 1;
  solo_inner_insert(root, 1, key, right);
  set_root(index, &root->head, level + 1);
}

static SOLO_COLD solo_status split_leaf(solo_index *index, leaf *at, size_t n,
                                        solo_index_range range) {
  SOLO_TRY(reserve_split(index));
  solo_index_write_begin(index, &at->head);
  leaf *right = solo_index_leaf_allocate(index);
  leaf *next = solo_load_relaxed(&at->next); /* relaxed: only the writer changes the list */
  int append = !next && n == SOLO_LEAF_MAX;
  size_t keep = append ? SOLO_LEAF_MAX + 1 - SOLO_LEAF_MIN : (SOLO_LEAF_MAX + 1) / 2;
  solo_leaf_push(at, right, SOLO_LEAF_MAX - keep);
  if (n <= keep)
    leaf_insert(at, n, &range);
  else
    leaf_insert(right, n - keep, &range);
  set_next(right, next);
  set_next(at, right);
  insert_child(index, leaf_key(right, 0), &right->head, append);
  solo_index_write_end(index);
  return SOLO_OK;
}

solo_status solo_index_insert(solo_index *index, uintptr_t begin, uintptr_t end, void *value,
                              solo_index_range *out_clash) {
  size_t n;
  leaf *at = find_leaf(index, begin, &n);
  if (clashes(at, n, begin, end, out_clash)) return SOLO_OVERLAP;
  solo_index_range range = {begin, end, value};
  if (SOLO_LIKELY(at->head.count < SOLO_LEAF_MAX)) {
    uint32_t version = write_begin_one(&at->head);
    leaf_insert(at, n, &range);
    write_end_one(&at->head, version);
  } else {
    SOLO_TRY(split_leaf(index, at, n, range));
  }
  /* relaxed: only the writer changes it */
  solo_store_relaxed(&index->count, solo_load_relaxed(&index->count) + 1);
  return SOLO_OK;
}

/* Balances child i and its left neighbour (of child 0: its right neighbour). Returns 1 if it has
 * merged them, 0 if it has moved ranges. */
static SOLO_COLD int even_leaves(solo_index *index, inner *parent, size_t i) {
  if (i > 0) i--;
  leaf *left = (leaf *)child_at(parent, i), *right = (leaf *)child_at(parent, i + 1);
  size_t total = left->head.count + right->head.count;
  solo_index_write_begin(index, &left->head);
  solo_index_write_begin(index, &right->head);
  solo_index_write_begin(index, &parent->head);
  /* does not merge into a nearly full node, because one of the next insertions would split it */
  if (total <= SOLO_LEAF_MAX * 3 / 4) {
    solo_leaf_pull(left, right, right->head.count);
    set_next(left, solo_load_relaxed(&right->next));
    solo_inner_erase(parent, i + 1);
    solo_index_node_free(&index->leaves, &right->head);
    return 1;
  }
  if (left->head.count < total / 2)
    solo_leaf_pull(left, right, total / 2 - left->head.count);
  else
    solo_leaf_push(left, right, left->head.count - total / 2);
  set_key(parent, i, leaf_key(right, 0));
  return 0;
}

static SOLO_COLD int even_inners(solo_index *index, inner *parent, size_t i) {
  if (i > 0) i--;
  inner *left = (inner *)child_at(parent, i), *right = (inner *)child_at(parent, i + 1);
  size_t total = left->head.count + right->head.count;
  uintptr_t separator = inner_key(parent, i);
  solo_index_write_begin(index, &left->head);
  solo_index_write_begin(index, &right->head);
  solo_index_write_begin(index, &parent->head);
  if (total <= SOLO_CHILD_MAX * 3 / 4) {
    solo_inner_pull(left, right, right->head.count, separator);
    solo_inner_erase(parent, i + 1);
    solo_index_node_free(&index->inners, &right->head);
    return 1;
  }
  if (left->head.count < total / 2)
    separator = solo_inner_pull(left, right, total / 2 - left->head.count, separator);
  else
    separator = solo_inner_push(left, right, left->head.count - total / 2, separator);
  set_key(parent, i, separator);
  return 0;
}

static SOLO_COLD void rebalance(solo_index *index) {
  size_t d = index->depth - 1;
  if (!even_leaves(index, index->path[d].node, index->path[d].index)) return;
  for (; d > 0; d--) {
    if (index->path[d].node->head.count >= SOLO_CHILD_MIN) return;
    if (!even_inners(index, index->path[d - 1].node, index->path[d - 1].index)) return;
  }
  inner *root = index->path[0].node;
  if (root->head.count > 1) return;
  set_root(index, child_at(root, 0), index->depth - 1);
  solo_index_node_free(&index->inners, &root->head);
}

/* Updates the separator of the leaf in its ancestor. The first leaf has no separator. */
static void rename_leaf(solo_index *index, uintptr_t key) {
  for (size_t d = index->depth; d-- > 0;)
    if (index->path[d].index > 0) {
      inner *above = index->path[d].node;
      solo_index_write_begin(index, &above->head);
      set_key(above, index->path[d].index - 1, key);
      return;
    }
}

void *solo_index_remove(solo_index *index, uintptr_t begin) {
  size_t n;
  leaf *at = find_leaf(index, begin, &n);
  if (n-- == 0 || leaf_key(at, n) != begin) return NULL;
  /* relaxed: only the writer stores it */
  void *value = solo_load_relaxed(&at->slot[place_in(order_of(at), n)].value);
  if (SOLO_LIKELY(index->depth == 0 || (n > 0 && at->head.count > SOLO_LEAF_MIN))) {
    uint32_t version = write_begin_one(&at->head);
    leaf_erase(at, n);
    write_end_one(&at->head, version);
  } else {
    solo_index_write_begin(index, &at->head);
    leaf_erase(at, n);
    if (n == 0) rename_leaf(index, leaf_key(at, 0));
    if (at->head.count < SOLO_LEAF_MIN) rebalance(index);
    solo_index_write_end(index);
  }
  /* relaxed: only the writer changes it */
  solo_store_relaxed(&index->count, solo_load_relaxed(&index->count) - 1);
  return value;
}
