#include "runtime/map/plain.h"

#include "runtime/base/assert.h"
#include "runtime/construct/in_flight.h"
#include "runtime/table/claim.h"

SOLO_INLINE int is_reported(void) {
  return (solo_load_relaxed(&solo_info_bits) & /* relaxed: settings */
          (SOLO_INFO_MAPPING_CHANGED | SOLO_COPIES_REPORTED)) != 0;
}

/* Returns whether all later entries are plain and none adds data to the range of entry i. Otherwise
 * a construct must create the mapping, because it attaches pointers only to mappings that it
 * created. */
static int is_all_plain(const solo_map_list *list, int32_t i) {
  uintptr_t begin = (uintptr_t)list->begins[i];
  uint64_t size = (uint64_t)list->sizes[i];
  for (int32_t k = i + 1; k < list->count; k++) {
    uint64_t type = (uint64_t)list->types[k];
    if ((type & ~SOLO_MAP_PLAIN) || (list->mappers && list->mappers[k])) return 0;
    if ((type & SOLO_MAP_TO) && (uintptr_t)list->begins[k] - begin < size) return 0;
  }
  return 1;
}

solo_mapping *solo_map_plain_reuse(solo_device *device, const solo_map_list *list, int32_t i,
                                   uint64_t *out_version) {
  uint64_t type = (uint64_t)list->types[i], size = (uint64_t)list->sizes[i];
  SOLO_ASSERT(solo_device_is_synchronous(device),
              "data is published before its copy has completed");
  if (SOLO_UNLIKELY(is_reported() || device->unified || (type & SOLO_MAP_PRESENT) ||
                    !is_all_plain(list, i)))
    return NULL;
  const solo_mapping_new what = {.begin = (uintptr_t)list->begins[i],
                                 .end = (uintptr_t)list->begins[i] + size,
                                 .base = (uintptr_t)list->bases[i],
                                 .creator = solo_construct_new_id(),
                                 .name = solo_map_name(list, i),
                                 .flags = SOLO_MAPPING_COMPLETE,
                                 .data_state = SOLO_DATA_READY};
  solo_mapping *m = solo_mapping_reuse(&device->mappings, &what);
  if (!m) return NULL;
  /* relaxed: owned */
  if ((type & SOLO_MAP_TO) &&
      SOLO_UNLIKELY(solo_queue_copy_unreported(device, device->shared_queue,
                                               solo_load_relaxed(&m->device), what.begin, size,
                                               SOLO_COPY_IN) != SOLO_OK)) {
    solo_mapping_abandon(&device->mappings, m);
    return NULL;
  }
  *out_version = solo_mapping_publish(m, SOLO_COUNT_DYNAMIC_ONE);
  return m;
}

/* Ends entry i with a construct, because the short path failed. The mapping is CLOSING. */
static SOLO_COLD solo_status end_closing(solo_device *device, const solo_map_list *list, int32_t i,
                                         solo_map_slot *slot, const char *where) {
  solo_construct c;
  solo_status status = solo_construct_open(&c, device, where);
  solo_construct_note_closing(&c, slot->mapping);
  slot->flags |= SOLO_SLOT_LAST;
  if (status == SOLO_OK && (list->types[i] & SOLO_MAP_FROM))
    status = solo_map_fetch_entry(&c, list, i, slot);
  return solo_construct_close(&c, status);
}

/* Copies entry i to the host if one copy suffices. Returns 0 if it has not copied the data. */
SOLO_INLINE int fetch(solo_device *device, const solo_map_list *list, int32_t i,
                      const solo_map_slot *slot) {
  if (!(list->types[i] & SOLO_MAP_FROM) || list->sizes[i] <= 0) return 1;
  /* relaxed: the CAS of the last release has acquired the other threads' attachments */
  return SOLO_LIKELY(!solo_load_relaxed(&slot->mapping->shadow_count)) &&
         solo_queue_copy_unreported(device, device->shared_queue, (uintptr_t)list->begins[i],
                                    slot->device, (uint64_t)list->sizes[i],
                                    SOLO_COPY_OUT) == SOLO_OK;
}

solo_status solo_map_plain_end(solo_device *device, const solo_map_list *list, int32_t i,
                               solo_map_slot *slot, const char *where) {
  solo_mapping *m = slot->mapping;
  if (solo_mapping_release(m, slot->version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE) !=
      SOLO_RELEASED_LAST)
    return SOLO_OK;
  /* relaxed: only the calling thread's forked child reads the value */
  solo_store_relaxed(&m->creator, solo_closer(solo_construct_new_id()));
  if (SOLO_LIKELY(!is_reported() && fetch(device, list, i, slot))) {
    slot->flags |= SOLO_SLOT_FETCHED;
    if (SOLO_LIKELY(solo_mapping_cache(&device->mappings, m))) return SOLO_OK;
  }
  return end_closing(device, list, i, slot, where);
}
