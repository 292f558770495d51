#include "runtime/table/index_node.h"

#include "runtime/base/early.h"
#include <stdlib.h>
#include <string.h>

void solo_index_write_begin(solo_index *index, head *node) {
  if (solo_load_relaxed(&node->version) & 1) return; /* relaxed: only the writer stores it */
  write_begin_one(node);
  index->open[index->open_count++] = node;
}

void solo_index_write_end(solo_index *index) {
  for (size_t i = 0; i < index->open_count; i++) {
    head *node = index->open[i];
    /* relaxed: the writer's own store */
    write_end_one(node, solo_load_relaxed(&node->version) - 1);
  }
  index->open_count = 0;
}

static void leaf_move(leaf *from, size_t i, leaf *to, size_t j) {
  solo_index_range range;
  read_range(from, i, &range);
  leaf_insert(to, j, &range);
  leaf_erase(from, i);
}

void solo_leaf_pull(leaf *left, leaf *right, size_t n) {
  for (size_t i = 0; i < n; i++) leaf_move(right, 0, left, left->head.count);
}

void solo_leaf_push(leaf *left, leaf *right, size_t n) {
  for (size_t i = 0; i < n; i++) leaf_move(left, left->head.count - 1, right, 0);
}

static void inner_cut(inner *at, size_t count) {
  for (size_t i = count; i < at->head.count; i++) set_key(at, i - 1, SOLO_NO_KEY);
  at->head.count = (uint32_t)count;
}

void solo_inner_insert(inner *at, size_t i, uintptr_t key, head *child) {
  for (size_t j = at->head.count; j > i; j--) {
    set_child(at, j, child_at(at, j - 1));
    set_key(at, j - 1, inner_key(at, j - 2));
  }
  set_child(at, i, child);
  set_key(at, i - 1, key);
  at->head.count++;
}

void solo_inner_erase(inner *at, size_t i) {
  size_t count = at->head.count;
  for (size_t j = i; j + 1 < count; j++) {
    set_child(at, j, child_at(at, j + 1));
    set_key(at, j - 1, inner_key(at, j));
  }
  inner_cut(at, count - 1);
}

uintptr_t solo_inner_pull(inner *left, inner *right, size_t n, uintptr_t separator) {
  size_t count = left->head.count, rest = right->head.count - n;
  for (size_t i = 0; i < n; i++) {
    set_child(left, count + i, child_at(right, i));
    set_key(left, count + i - 1, i ? inner_key(right, i - 1) : separator);
  }
  left->head.count += (uint32_t)n;
  separator = inner_key(right, n - 1);
  for (size_t i = 0; i < rest; i++) {
    set_child(right, i, child_at(right, i + n));
    if (i) set_key(right, i - 1, inner_key(right, i - 1 + n));
  }
  if (rest) inner_cut(right, rest);
  return separator;
}

uintptr_t solo_inner_push(inner *left, inner *right, size_t n, uintptr_t separator) {
  size_t from = left->head.count - n, count = right->head.count;
  for (size_t i = count; i-- > 0;) {
    set_child(right, i + n, child_at(right, i));
    if (i) set_key(right, i + n - 1, inner_key(right, i - 1));
  }
  if (count) set_key(right, n - 1, separator);
  for (size_t i = 0; i < n; i++) {
    set_child(right, i, child_at(left, from + i));
    if (i) set_key(right, i - 1, inner_key(left, from + i - 1));
  }
  right->head.count += (uint32_t)n;
  separator = inner_key(left, from - 1);
  inner_cut(left, from);
  return separator;
}

/* key[0] of a free node holds the next free node. The child slots and leaf.next stay addresses of
 * nodes, because a delayed reader may still follow them. */
static _Atomic uintptr_t *link_of(head *node) {
  return (_Atomic uintptr_t *)(node + 1);
}

void solo_index_node_free(pool *from, head *node) {
  /* relaxed: a delayed reader detects the change by the version */
  solo_store_relaxed(link_of(node), (uintptr_t)from->free);
  from->free = node;
  from->spare++;
}

solo_status solo_index_reserve(solo_index *index, pool *from, size_t node_size, size_t n) {
  enum { FIRST = 4, LARGEST = 4096 };
  while (from->spare < n) {
    size_t nodes = from->growth ? from->growth : FIRST;
    size_t bytes = sizeof(chunk) + nodes * node_size;
    chunk *more = solo_heap_allocate(bytes);
    if (!more)
      return solo_fail(SOLO_NOMEM, "no host memory for the mapping table (%zu bytes)", bytes);
    more->next = index->chunks;
    index->chunks = more;
    char *nodes_at = (char *)(more + 1);
    for (size_t i = nodes; i-- > 0;) solo_index_node_free(from, (head *)(nodes_at + i * node_size));
    from->growth = nodes < LARGEST ? 2 * nodes : nodes;
  }
  return SOLO_OK;
}

/* Removes a reserved node from the pool. The node is empty and open (its version is odd). */
static head *allocate_node(solo_index *index, pool *from, size_t keys) {
  head *node = from->free;
  _Atomic uintptr_t *key = link_of(node);
  from->free = (head *)solo_load_relaxed(key);
  from->spare--;
  solo_index_write_begin(index, node);
  for (size_t i = 0; i < keys; i++) solo_store_relaxed(&key[i], SOLO_NO_KEY);
  node->count = 0;
  return node;
}

leaf *solo_index_leaf_allocate(solo_index *index) {
  leaf *node = (leaf *)allocate_node(index, &index->leaves, SOLO_LEAF_MAX);
  solo_store_relaxed(&node->order, 0xedcba9876543210); /* relaxed: the node is open */
  return node;
}

inner *solo_index_inner_allocate(solo_index *index, head *first_child) {
  inner *node = (inner *)allocate_node(index, &index->inners, SOLO_CHILD_MAX - 1);
  for (size_t i = 0; i < SOLO_CHILD_MAX; i++) set_child(node, i, first_child);
  return node;
}
