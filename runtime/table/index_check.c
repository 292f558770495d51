#include "runtime/table/index_node.h"

static const leaf *first_leaf(const solo_index *index) {
  size_t level;
  const head *node = root_of(index, &level);
  for (; level > 0; level--) node = child_at((const inner *)node, 0);
  return (const leaf *)node;
}

void solo_index_each(const solo_index *index, void (*visit)(void *context, solo_index_range range),
                     void *context) {
  /* relaxed: the writer's own list */
  for (const leaf *at = first_leaf(index); at; at = solo_load_relaxed(&at->next))
    for (size_t i = 0; i < at->head.count; i++) {
      solo_index_range range;
      read_range(at, i, &range);
      visit(context, range);
    }
}

typedef struct check {
  const leaf *next;  /* expected next leaf */
  uintptr_t reached; /* end of the last range */
  size_t count;
} check;

static const char *check_leaf(check *state, const leaf *at, size_t lowest_count) {
  if (at->head.version & 1) return "a leaf is left open";
  if (at != state->next) return "the list of leaves differs from the tree";
  state->next = solo_load_relaxed(&at->next);
  if (at->head.count < lowest_count || at->head.count > SOLO_LEAF_MAX)
    return "the number of ranges in a leaf is out of bounds";
  unsigned places = 0;
  for (size_t i = 0; i < SOLO_LEAF_MAX; i++) {
    solo_index_range range;
    read_range(at, i, &range);
    if (places & 1u << place_in(order_of(at), i))
      return "a position occurs twice in a leaf's order";
    places |= 1u << place_in(order_of(at), i);
    if (i >= at->head.count) {
      if (range.begin != SOLO_NO_KEY) return "a key after the last one of a leaf";
      continue;
    }
    if (range.begin >= range.end) return "an empty range";
    if (range.begin < state->reached) return "ranges overlap or are out of order";
    if (!range.value) return "a range without a value";
    state->reached = range.end;
    state->count++;
  }
  return NULL;
}

static uintptr_t smallest(const head *node, size_t level) {
  for (; level > 0; level--) node = child_at((const inner *)node, 0);
  return leaf_key((const leaf *)node, 0);
}

static const char *check_node(check *state, const head *node, size_t level, int is_root) {
  if (level == 0) return check_leaf(state, (const leaf *)node, is_root ? 0 : SOLO_LEAF_MIN);
  const inner *at = (const inner *)node;
  if (at->head.version & 1) return "an inner node is left open";
  if (at->head.count < (is_root ? 2u : SOLO_CHILD_MIN) || at->head.count > SOLO_CHILD_MAX)
    return "the number of children of an inner node is out of bounds";
  for (size_t i = 0; i < SOLO_CHILD_MAX; i++) {
    if (!child_at(at, i)) return "a child slot is NULL";
    if (i >= at->head.count) {
      if (inner_key(at, i - 1) != SOLO_NO_KEY) return "a key after the last one of an inner node";
      continue;
    }
    if (i > 0 && inner_key(at, i - 1) != smallest(child_at(at, i), level - 1))
      return "a separator is not the smallest key below it";
    const char *wrong = check_node(state, child_at(at, i), level - 1, 0);
    if (wrong) return wrong;
  }
  return NULL;
}

const char *solo_index_check(const solo_index *index) {
  size_t level;
  const head *root = root_of(index, &level);
  check state = {.next = first_leaf(index)};
  const char *wrong = check_node(&state, root, level, 1);
  if (wrong) return wrong;
  if (state.next) return "the list of leaves continues after the last leaf";
  if (state.count != solo_index_count(index)) return "the number of ranges is wrong";
  return index->open_count ? "nodes are left open" : NULL;
}
