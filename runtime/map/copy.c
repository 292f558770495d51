#include "runtime/map/map.h"

/* Copies the shadows (attached pointers) of the range into scratch memory. */
static SOLO_COLD solo_status shadows_in(solo_construct *c, solo_mapping *m, uintptr_t begin,
                                        uint64_t bytes, solo_shadow **out_list, size_t *out_count) {
  enum { FIRST = 8 };
  size_t capacity = solo_load_relaxed(&m->shadow_count); /* relaxed: advisory */
  if (capacity > FIRST) capacity = FIRST;
  solo_mapping_table *table = solo_mapping_table_of(&c->device->mappings, m);
  for (;;) {
    *out_list = solo_scratch_allocate(capacity * sizeof **out_list);
    if (!*out_list) return SOLO_NOMEM;
    solo_lock_acquire(&table->lock);
    *out_count = solo_shadow_list(&table->shadows, begin, begin + bytes, *out_list, capacity);
    solo_lock_release(&table->lock);
    if (*out_count <= capacity) return SOLO_OK;
    capacity = *out_count;
  }
}

SOLO_INLINE solo_devptr device_address(const solo_mapping *m, uintptr_t host) {
  /* relaxed: constant while referenced */
  return solo_load_relaxed(&m->device) + (host - solo_load_relaxed(&m->begin));
}

solo_status solo_map_send(solo_construct *c, solo_mapping *m, uintptr_t begin, uint64_t bytes) {
  SOLO_TRY(solo_construct_copy(c, device_address(m, begin), begin, bytes, SOLO_COPY_IN, m->name));
  if (SOLO_LIKELY(!solo_load_relaxed(&m->shadow_count))) return SOLO_OK; /* relaxed: advisory */
  solo_shadow *list;
  size_t count;
  SOLO_TRY(shadows_in(c, m, begin, bytes, &list, &count));
  for (size_t i = 0; i < count; i++)
    SOLO_TRY(solo_construct_copy(c, list[i].device, (uintptr_t)&list[i].value, sizeof list[i].value,
                                 SOLO_COPY_IN, m->name));
  return SOLO_OK;
}

solo_status solo_map_copy_back(solo_construct *c, solo_mapping *m, uintptr_t begin,
                               uint64_t bytes) {
  if (SOLO_UNLIKELY(solo_load_relaxed(&m->shadow_count))) { /* relaxed: advisory */
    solo_shadow *list;
    size_t count;
    SOLO_TRY(shadows_in(c, m, begin, bytes, &list, &count));
    for (size_t i = 0; i < count; i++) {
      solo_restore *restore = solo_scratch_allocate(sizeof *restore);
      if (!restore) return SOLO_NOMEM;
      restore->pointer = (void **)list[i].host;
      restore->value = *restore->pointer;
      restore->next = c->restores;
      c->restores = restore;
    }
  }
  return solo_construct_copy(c, begin, device_address(m, begin), bytes, SOLO_COPY_OUT, m->name);
}

solo_status solo_map_attach(solo_construct *c, const solo_transfer *t) {
  const solo_mapping *holder = t->mapping;
  /* relaxed: constant while referenced */
  uintptr_t begin = solo_load_relaxed(&holder->begin), end = solo_load_relaxed(&holder->end);
  if (SOLO_UNLIKELY(t->host - begin > end - begin - sizeof(void *)))
    return solo_fail(SOLO_OVERLAP,
                     "the pointer at %p is only partly mapped on device %d: map the whole object "
                     "that contains it",
                     (void *)t->host, c->device->number);
  int known;
  const solo_shadow what = {
      .host = t->host, .device = device_address(holder, t->host), .value = t->value};
  SOLO_TRY(solo_mapping_attach(&c->device->mappings, t->mapping, &what, &known));
  if (known && t->kind == SOLO_TRANSFER_ATTACH) return SOLO_OK;
  /* copies from *t, because another construct may change the value in the table */
  return solo_construct_copy(c, what.device, (uintptr_t)&t->value, sizeof t->value, SOLO_COPY_IN,
                             holder->name);
}

int solo_map_present(const solo_construct *c, uintptr_t begin, uint64_t size,
                     solo_mapping **out_mapping) {
  const solo_request request = {begin, size, SOLO_REF_NONE, c->id};
  uint64_t version;
  return solo_mapping_try(&c->device->mappings, &request, out_mapping, &version) == SOLO_CONTAINED;
}
