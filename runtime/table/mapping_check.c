#include "runtime/table/table.h"

typedef struct check {
  const solo_mapping_table *table;
  const char *wrong;
} check;

/* The caller holds the lock. Counts can change concurrently. */
static const char *check_mapping(const solo_mapping *m, solo_index_range range, uint32_t number) {
  /* relaxed: constant while in the index */
  if (solo_load_relaxed(&m->begin) != range.begin || solo_load_relaxed(&m->end) != range.end)
    return "the index and a mapping disagree about its range";
  if (solo_load_relaxed(&m->data_state) > SOLO_DATA_ENQUEUED)
    return "the data state of a mapping is invalid";
  uint64_t count = solo_load_relaxed(&m->count); /* relaxed: every value must be valid */
  uint64_t state = count & SOLO_COUNT_STATE;
  if (state & SOLO_COUNT_OUT) {
    if (state != SOLO_COUNT_CACHED && state != SOLO_COUNT_CLAIMED)
      return "the index names a free mapping";
    if (state == SOLO_COUNT_CACHED && (!m->block || !m->keep_bytes))
      return "a cached mapping has no block";
  }
  if (m->flags / SOLO_MAPPING_SHARD != number) return "the shard number of a mapping is wrong";
  if ((m->flags & (SOLO_MAPPING_ASSOCIATED | SOLO_MAPPING_GLOBAL)) && (count & SOLO_COUNT_LIVE) &&
      (count & SOLO_COUNT_DYNAMIC) != SOLO_COUNT_DYNAMIC)
    return "the count of an associated range or a global is finite";
  return NULL;
}

static void visit_mapping(void *context, solo_index_range range) {
  check *c = context;
  if (!c->wrong) c->wrong = check_mapping(range.value, range, c->table->number);
}

static void visit_shadow(void *context, solo_index_range range) {
  check *c = context;
  const solo_shadow *s = range.value;
  const solo_mapping *m = solo_index_find(c->table->index, range.begin);
  if (c->wrong) return;
  if (s->host != range.begin)
    c->wrong = "the index of attached pointers and a pointer disagree";
  else if (!m)
    c->wrong = "an attached pointer outlived its mapping";
  else if (!solo_load_relaxed(&m->shadow_count)) /* lock held */
    c->wrong = "a mapping with attached pointers counts none";
}

static const char *check_free(const solo_mapping_table *table) {
  size_t count = solo_index_count(table->index);
  for (const solo_mapping *m = table->nodes.free; m; m = m->next) {
    if (count++ == table->nodes.made) return "the free list has a cycle";
    /* relaxed: constant */
    if ((solo_load_relaxed(&m->count) & SOLO_COUNT_STATE) != SOLO_COUNT_FREE)
      return "a mapping in the free list is not FREE";
  }
  return count == table->nodes.made ? NULL : "a mapping is neither in the index nor free";
}

static const char *check_hints(const solo_mapping_table *table) {
  solo_hints hints = solo_load_relaxed(&table->hints);
  /* relaxed, all: the caller holds the lock */
  for (size_t i = 0; i < solo_hint_count(hints); i++) {
    uintptr_t word = solo_load_relaxed(&solo_hint_slots(hints)[i]);
    if (word <= SOLO_HINT_MARK) continue;
    const solo_mapping *m = (const solo_mapping *)(word & ~(uintptr_t)SOLO_HINT_MARK);
    uintptr_t begin = solo_load_relaxed(&m->begin);
    solo_hint_place place = solo_hint_place_of(hints, begin);
    if (solo_index_find(table->index, begin) != m)
      return "a hint names a mapping that is not in the index";
    if ((size_t)(place.pair - solo_hint_slots(hints)) / SOLO_HINT_LINE != i / SOLO_HINT_LINE ||
        place.mark != (word & SOLO_HINT_MARK))
      return "a hint is in a wrong slot";
  }
  return NULL;
}

const char *solo_mapping_table_check_one(const solo_mapping_table *table) {
  if (!table->index) return NULL;
  check c = {.table = table, .wrong = solo_index_check(table->index)};
  if (!c.wrong) solo_index_each(table->index, visit_mapping, &c);
  if (!c.wrong) c.wrong = check_free(table);
  if (!c.wrong) c.wrong = check_hints(table);
  const solo_index *shadows = table->shadows.index;
  if (c.wrong || !shadows) return c.wrong;
  c.wrong = solo_index_check(shadows);
  if (!c.wrong) solo_index_each(shadows, visit_shadow, &c);
  return c.wrong;
}

typedef struct shard_check {
  const solo_mapping_table *first;
  const char *wrong;
  unsigned number;
} shard_check;

static void visit_shard_range(void *context, solo_index_range range) {
  shard_check *c = context;
  solo_index_neighbours place;
  solo_index_locate(c->first->index, range.begin, &place);
  if ((range.begin ^ (range.end - 1)) >> SOLO_GRANULE_BITS ||
      solo_shard_number(range.begin) != c->number)
    c->wrong = "a range is in the wrong shard";
  if ((place.floor.value && place.floor.end > range.begin) ||
      (place.ceiling.value && place.ceiling.begin < range.end))
    c->wrong = "a shard's range overlaps one of the first table";
}

const char *solo_mapping_table_check(const solo_mapping_table *table) {
  shard_check c = {.first = table, .wrong = solo_mapping_table_check_one(table)};
  /* relaxed: no other thread uses the table */
  const solo_shards *shards = solo_load_relaxed(&table->shards);
  for (; shards && !c.wrong && c.number < SOLO_SHARDS; c.number++) {
    const solo_mapping_table *shard = solo_shard_at(&table->shards, c.number);
    if (!shard) continue;
    /* relaxed: no other thread uses the shard */
    if (solo_load_relaxed(&shards->ways[c.number]) != solo_load_relaxed(&shard->hints))
      c.wrong = "the published hints of a shard are not its own";
    solo_index_each(shard->index, visit_shard_range, &c);
    if (!c.wrong) c.wrong = solo_mapping_table_check_one(shard);
  }
  return c.wrong;
}

size_t solo_mapping_table_count(const solo_mapping_table *table) {
  size_t count = solo_index_count(table->index);
  for (unsigned i = 0; i < SOLO_SHARDS; i++) {
    const solo_mapping_table *shard = solo_shard_at(&table->shards, i);
    if (shard) count += solo_index_count(shard->index);
  }
  return count;
}
