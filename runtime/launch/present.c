#include "runtime/launch/present.h"

#include "runtime/map/plain.h"

/* Prefetches the mappings and the first line of the data, so that their cache misses overlap. */
static SOLO_COLD void prefetch(const solo_mapping_table *table, const solo_map_list *list) {
  const solo_shards *shards = solo_load_acquire(&table->shards); /* pairs as in solo_shard_at() */
  for (int32_t i = 0; i < list->count; i++) {
    uintptr_t begin = (uintptr_t)list->begins[i];
    /* pairs with solo_mapping_table_grow_hints() */
    solo_hints hints = solo_load_acquire(shards ? solo_shard_hints(shards, begin) : &table->hints);
    if ((hints & SOLO_HINT_MARK) == SOLO_HINTS_FIRST_SHIFT) break;
    solo_hint_place place = solo_hint_place_of(hints, begin);
    /* as in solo_hint_in_pair() */
    solo_hint_slot *slot = place.pair, *distance = solo_hint_distance(hints, slot);
    int has_distance = solo_hints_have_distances(hints);
    if (has_distance) __builtin_prefetch(distance); /* while the hints are loaded */
    if ((solo_load_acquire(slot) ^ place.mark) & SOLO_HINT_MARK) slot++, distance++;
    __builtin_prefetch((const void *)solo_load_acquire(slot), 1);
    /* relaxed: advisory */
    if (has_distance) __builtin_prefetch((const void *)(begin + solo_load_relaxed(distance)), 1);
  }
}

/* Loads the members of *list again after each call, so that fewer registers are saved. */
int32_t solo_present_begin(solo_device *device, const solo_map_list *list, solo_map_slot *slots,
                           uint64_t *out_arguments, int32_t *out_argument_count) {
  uint64_t *next = out_arguments;
  int32_t i = 0;
  if (SOLO_UNLIKELY(!list->types || !list->bases || !list->begins || !list->sizes)) {
    *out_argument_count = 0;
    return 0;
  }
  /* relaxed: advisory */
  solo_hints hints = solo_load_relaxed(&device->mappings.way);
  if (SOLO_UNLIKELY(solo_hints_are_large(hints)) &&
      (list->count > 1 || solo_hints_have_distances(hints)))
    prefetch(&device->mappings, list);
  for (solo_map_slot *slot = slots; i < list->count; i++, slot++) {
    uint64_t type = (uint64_t)list->types[i];
    if (SOLO_UNLIKELY(type & ~SOLO_MAP_PLAIN)) break;
    if (SOLO_UNLIKELY(list->mappers && list->mappers[i])) break;
    if (type & SOLO_MAP_LITERAL) {
      if (!(type & SOLO_MAP_TARGET_PARAM)) break;
      slot->mapping = NULL;
      slot->flags = 0;
      *next++ = (uintptr_t)list->bases[i];
      continue;
    }
    solo_mapping *m = solo_mapping_acquire_present(&device->mappings, (uintptr_t)list->begins[i],
                                                   (uint64_t)list->sizes[i], SOLO_COUNT_DYNAMIC_ONE,
                                                   &slot->version);
    if (SOLO_UNLIKELY(!m)) m = solo_map_plain_reuse(device, list, i, &slot->version);
    if (SOLO_UNLIKELY(!m)) break;
    uintptr_t begin = (uintptr_t)list->begins[i], base = (uintptr_t)list->bases[i];
    /* relaxed: constant while referenced */
    uint64_t address = solo_load_relaxed(&m->device) + (begin - solo_load_relaxed(&m->begin));
    slot->mapping = m;
    slot->pointer = NULL;
    slot->flags = SOLO_SLOT_COUNTED;
    slot->device = address;
    slot->base = base;
    if (list->types[i] & SOLO_MAP_TARGET_PARAM) *next++ = address + (base - begin);
    /* Ordering:  pairs with the exchange in solo_mapping_data_ready(). No deadlock is possible:
     *            this thread has no unpublished mapping. */
    while (SOLO_UNLIKELY(solo_load_acquire(&m->data_state) != SOLO_DATA_READY))
      solo_mapping_wait_data(m);
  }
  *out_argument_count = (int32_t)(next - out_arguments);
  return i;
}

solo_status solo_present_end(solo_device *device, const solo_map_list *list, solo_map_slot *slots,
                             const char *where) {
  solo_status first = SOLO_OK;
  for (int32_t i = list->count; i-- > 0;) {
    solo_mapping *m = slots[i].mapping;
    if (!m || SOLO_LIKELY(solo_mapping_release_shared(m, slots[i].version))) continue;
    solo_status status = solo_map_plain_end(device, list, i, &slots[i], where);
    if (first == SOLO_OK) first = status;
  }
  return first;
}

void solo_present_undo(solo_device *device, const solo_map_list *list, solo_map_slot *slots,
                       const char *where) {
  solo_construct c;
  solo_saved_error first;
  solo_error_save(&first);
  solo_status status = solo_construct_open(&c, device, where);
  if (status == SOLO_OK) solo_map_undo(&c, list, slots);
  status = solo_construct_close(&c, status);
  (void)status; /* the caller reports the kernel's failure */
  (void)solo_error_restore(&first);
}
