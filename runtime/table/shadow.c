/* Index of attached pointers (shadow.h). An entry has the range [host, host + 1), because pointers
 * in packed structs and unions can overlap. */
#include "runtime/table/shadow.h"

enum { SHADOWS_PER_CHUNK = 32 };

static solo_shadow *allocate_shadow(solo_shadows *shadows, solo_table_memory *memory) {
  if (!shadows->free) {
    solo_shadow *block = solo_table_memory_allocate(memory, SHADOWS_PER_CHUNK * sizeof *block);
    if (!block) return NULL;
    for (int i = 0; i < SHADOWS_PER_CHUNK; i++) {
      block[i].next = shadows->free;
      shadows->free = &block[i];
    }
  }
  solo_shadow *s = shadows->free;
  shadows->free = s->next;
  return s;
}

static void put_shadow(solo_shadows *shadows, solo_shadow *s) {
  s->next = shadows->free;
  shadows->free = s;
}

static solo_shadow *first_from(const solo_shadows *shadows, uintptr_t address) {
  solo_index_neighbours place;
  solo_index_locate(shadows->index, address, &place);
  return place.floor.value && place.floor.begin == address ? place.floor.value
                                                           : place.ceiling.value;
}

static solo_status add(solo_shadows *shadows, solo_table_memory *memory, solo_mapping *m,
                       const solo_shadow *what) {
  if (!shadows->index) SOLO_TRY(solo_index_create(&shadows->index));
  solo_shadow *s = allocate_shadow(shadows, memory);
  if (!s) return SOLO_NOMEM;
  s->host = what->host;
  s->device = what->device;
  s->value = what->value;
  solo_status status = solo_index_insert(shadows->index, s->host, s->host + 1, s, NULL);
  if (status == SOLO_OK)
    solo_add_relaxed(&m->shadow_count, 1); /* relaxed: under the table's lock */
  else
    put_shadow(shadows, s);
  return status;
}

solo_status solo_shadow_record(solo_shadows *shadows, solo_table_memory *memory, solo_mapping *m,
                               const solo_shadow *what, int *out_known) {
  solo_shadow *s = shadows->index ? solo_index_find(shadows->index, what->host) : NULL;
  *out_known = s && s->value == what->value && s->device == what->device;
  if (!s) return add(shadows, memory, m, what);
  s->device = what->device;
  s->value = what->value;
  return SOLO_OK;
}

size_t solo_shadow_list(const solo_shadows *shadows, uintptr_t begin, uintptr_t end,
                        solo_shadow *out, size_t capacity) {
  size_t found = 0;
  for (solo_shadow *s = shadows->index ? first_from(shadows, begin) : NULL; s && s->host < end;
       s = first_from(shadows, s->host + 1)) {
    if (found < capacity) out[found] = *s;
    found++;
  }
  return found;
}

void solo_shadow_drop(solo_shadows *shadows, solo_mapping *m) {
  /* relaxed: owned, under the lock */
  uintptr_t begin = solo_load_relaxed(&m->begin), end = solo_load_relaxed(&m->end);
  for (solo_shadow *s = first_from(shadows, begin); s && s->host < end;
       s = first_from(shadows, begin)) {
    solo_index_remove(shadows->index, s->host);
    put_shadow(shadows, s);
  }
  solo_store_relaxed(&m->shadow_count, 0); /* relaxed: under the lock */
}
