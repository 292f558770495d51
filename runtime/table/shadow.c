/* The index of attached pointers (shadow.h): one entry per pointer, [host, host + 1), because
 * pointers of packed structs and unions may overlap. */
#include "runtime/table/shadow.h"

enum { SHADOWS_PER_CHUNK = 32 };

static solo_shadow *take_shadow(solo_mapping_table *table) {
  if (!table->free_shadows) {
    solo_shadow *block = solo_mapping_table_memory(table, SHADOWS_PER_CHUNK * sizeof *block);
    if (!block) return NULL;
    for (int i = 0; i < SHADOWS_PER_CHUNK; i++) {
      block[i].next = table->free_shadows;
      table->free_shadows = &block[i];
    }
  }
  solo_shadow *s = table->free_shadows;
  table->free_shadows = s->next;
  return s;
}

static void put_shadow(solo_mapping_table *table, solo_shadow *s) {
  s->next = table->free_shadows;
  table->free_shadows = s;
}

/* The first shadow at or after the address, NULL: none. */
static solo_shadow *first_from(const solo_mapping_table *table, uintptr_t address) {
  solo_index_neighbours place;
  solo_index_locate(table->shadows, address, &place);
  return place.floor.value && place.floor.begin == address ? place.floor.value
                                                           : place.ceiling.value;
}

static solo_status add(solo_mapping_table *table, solo_mapping *m, const solo_shadow *what) {
  if (!table->shadows) SOLO_TRY(solo_index_create(&table->shadows));
  solo_shadow *s = take_shadow(table);
  if (!s) return SOLO_NOMEM;
  s->host = what->host;
  s->device = what->device;
  s->value = what->value;
  solo_status status = solo_index_insert(table->shadows, s->host, s->host + 1, s, NULL);
  if (status == SOLO_OK)
    solo_add_relaxed(&m->shadow_count, 1); /* a hint; the lock orders the index */
  else
    put_shadow(table, s);
  return status;
}

solo_status solo_shadow_record(solo_mapping_table *table, solo_mapping *m, const solo_shadow *what,
                               int *out_known) {
  solo_status status = SOLO_OK;
  solo_lock_acquire(&table->lock);
  solo_shadow *s = table->shadows ? solo_index_find(table->shadows, what->host) : NULL;
  *out_known = s && s->value == what->value && s->device == what->device;
  if (s) {
    s->device = what->device;
    s->value = what->value;
  } else {
    status = add(table, m, what);
  }
  solo_lock_release(&table->lock);
  return status == SOLO_OK ? SOLO_OK
                           : solo_fail(SOLO_NOMEM, "no host memory to note an attached pointer");
}

size_t solo_shadow_list(solo_mapping_table *table, uintptr_t begin, uintptr_t end, solo_shadow *out,
                        size_t capacity) {
  size_t found = 0;
  solo_lock_acquire(&table->lock);
  for (solo_shadow *s = table->shadows ? first_from(table, begin) : NULL; s && s->host < end;
       s = first_from(table, s->host + 1)) {
    if (found < capacity) out[found] = *s;
    found++;
  }
  solo_lock_release(&table->lock);
  return found;
}

void solo_shadow_drop(solo_mapping_table *table, solo_mapping *m) {
  /* relaxed: own, and the lock is held */
  uintptr_t begin = solo_load_relaxed(&m->begin), end = solo_load_relaxed(&m->end);
  for (solo_shadow *s = first_from(table, begin); s && s->host < end;
       s = first_from(table, begin)) {
    solo_index_remove(table->shadows, s->host);
    put_shadow(table, s);
  }
  solo_store_relaxed(&m->shadow_count, 0); /* the lock orders it */
}
