#include "runtime/table/mapping.h"

/* The caller holds the lock. */
static solo_mapping *find_infinite(solo_mapping_table *table, uintptr_t begin, uint32_t flag) {
  solo_mapping *m = solo_index_find(table->index, begin);
  return m && solo_load_relaxed(&m->begin) == begin && (m->flags & flag) ? m : NULL;
}

solo_status solo_mapping_disassociate(solo_mapping_table *table, uintptr_t begin) {
  solo_mapping_table_lock(table);
  solo_mapping *m = find_infinite(table, begin, SOLO_MAPPING_ASSOCIATED);
  if (!m) {
    m = solo_mapping_find(table, begin);
    /* relaxed: each value that the word has during the call is a correct result */
    int held = m && (solo_load_relaxed(&m->count) & SOLO_COUNT_HOLD);
    solo_mapping_table_unlock(table);
    return held ? SOLO_INVALID : SOLO_NOT_FOUND;
  }
  uint64_t count = solo_load_relaxed(&m->count);
  for (;;) {
    if ((count & SOLO_COUNT_HOLD) || (count & SOLO_COUNT_IN_FLIGHT)) {
      solo_mapping_table_unlock(table);
      return SOLO_INVALID;
    }
    /* as in release() of mapping.c */
    if (solo_cas_acq_rel(&m->count, &count, count & ~SOLO_COUNT_LIVE)) break;
  }
  solo_mapping_unlink_and_free(table, m);
  solo_mapping_table_unlock(table);
  return SOLO_OK;
}

int solo_mapping_remove_global(solo_mapping_table *table, uintptr_t begin, solo_devptr device) {
  solo_mapping_table_lock(table);
  solo_mapping *m = find_infinite(table, begin, SOLO_MAPPING_GLOBAL);
  if (m && solo_load_relaxed(&m->device) != device) m = NULL; /* relaxed: constant under the lock */
  /* makes the mapping CLOSING; ordering as in release() of mapping.c */
  if (m) solo_large_clear(m, SOLO_COUNT_LIVE);
  solo_mapping_table_unlock(table);
  if (!m) return 0;
  solo_block *none = solo_mapping_remove(table, m);
  (void)none; /* a global has no pool block: its memory belongs to the image */
  return 1;
}

typedef struct orphans {
  int (*is_of_thread)(uint64_t creator);
  solo_mapping *first;
} orphans;

static void find_orphan(void *context, solo_index_range range) {
  orphans *o = context;
  solo_mapping *m = range.value;
  /* relaxed: the child has one thread */
  uint64_t count = solo_load_relaxed(&m->count);
  if ((count & SOLO_COUNT_STATE) == SOLO_COUNT_CACHED) return;
  if (!(count & SOLO_COUNT_OUT)) solo_large_clear(m, SOLO_COUNT_IN_FLIGHT);
  if ((count & SOLO_COUNT_LIVE) && solo_load_relaxed(&m->data_state) == SOLO_DATA_READY) return;
  int closing = !(count & (SOLO_COUNT_LIVE | SOLO_COUNT_OUT));
  /* A construct that closes a mapping stores solo_closer(id) in `creator`. If another thread has not
   * yet stored it, solo_closer(creator) is no id, and the mapping is removed. */
  uint64_t creator = solo_load_relaxed(&m->creator);
  if (o->is_of_thread(closing ? solo_closer(creator) : creator)) return;
  m->next = o->first;
  o->first = m;
}

void solo_mapping_forked(solo_mapping_table *table, int (*is_of_thread)(uint64_t creator)) {
  orphans o = {is_of_thread, NULL};
  if (!table->index) return;
  solo_index_each(table->index, find_orphan, &o);
  while (o.first) {
    solo_mapping *m = o.first;
    solo_block *block = m->block;
    o.first = m->next;
    if (!solo_mapping_is_out_of_use(m)) solo_large_clear(m, SOLO_COUNT_LIVE);
    solo_mapping_table_lock(table);
    solo_mapping_unlink_and_free(table, m);
    solo_mapping_table_unlock(table);
    if (block) table->free_block(table->context, block);
  }
  solo_mapping_table *shard;
  for (unsigned i = 0; (shard = solo_shard_next(table, 0, SOLO_SHARDS, &i));)
    solo_mapping_forked(shard, is_of_thread);
  SOLO_ASSERT_SOUND(solo_mapping_table_check(table));
}

solo_status solo_mapping_attach(solo_mapping_table *table, solo_mapping *m, const solo_shadow *what,
                                int *out_known) {
  table = solo_mapping_table_of(table, m);
  solo_mapping_table_lock(table);
  solo_status status = solo_shadow_record(&table->shadows, &table->memory, m, what, out_known);
  solo_mapping_table_unlock(table);
  return status == SOLO_OK ? SOLO_OK
                           : solo_fail(SOLO_NOMEM, "no host memory for attached pointers");
}
