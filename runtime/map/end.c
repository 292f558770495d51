/* The end of a construct, in two passes from the last entry to the first
 * (docs/design/map-rules.md). Pass one releases all references; the state word determines which
 * release is the last. Pass two copies data to the host. A member has no reference; its data are
 * copied if the mapping of its parent was closed. Mappers are expanded first. */
#include "runtime/map/map.h"

#include "runtime/construct/in_flight.h"
#include "runtime/construct/nowait_order.h"
#include "runtime/construct/nowait_stream.h"

#define READ_AGAIN (SOLO_MAP_ALWAYS | SOLO_MAP_FROM)

SOLO_INLINE solo_ref ref_of(uint64_t type) {
  return (type & SOLO_MAP_HOLD) ? SOLO_REF_HOLD : SOLO_REF_DYNAMIC;
}

solo_status solo_map_find(solo_construct *c, const solo_map_list *list, int32_t i,
                          solo_map_slot *slot) {
  uint64_t type = (uint64_t)list->types[i];
  int member = (type & SOLO_MAP_MEMBER_OF) != 0;
  if (SOLO_UNLIKELY(solo_map_range_is_bad((uintptr_t)list->begins[i], list->sizes[i])))
    return solo_map_range_error(c, list, i);
  solo_request request = {(uintptr_t)list->begins[i], (uint64_t)list->sizes[i], SOLO_REF_NONE,
                          c->id};
  /* LEAVING counts as absent, because the thread that closes the mapping may wait for c's uses in
   * flight */
  solo_presence presence =
      solo_mapping_try(&c->device->mappings, &request, &slot->mapping, &slot->version);
  if (presence == SOLO_ABSENT || presence == SOLO_LEAVING ||
      (presence == SOLO_PARTIAL && !(type & SOLO_MAP_IMPLICIT))) {
    slot->mapping = NULL;
    if ((type & SOLO_MAP_PRESENT) && !c->device->unified)
      return solo_map_absent_error(c, (uintptr_t)list->begins[i], (uint64_t)list->sizes[i],
                                   solo_map_name(list, i), SOLO_MAP_MOMENT_END);
  } else if (!member || (type & SOLO_MAP_PTR_AND_OBJ)) {
    slot->flags |= SOLO_SLOT_COUNTED;
  }
  if (type & SOLO_MAP_PTR_AND_OBJ) {
    request.begin = (uintptr_t)list->bases[i];
    request.size = sizeof(void *);
    if (solo_mapping_try(&c->device->mappings, &request, &slot->pointer, &slot->pointer_version) ==
            SOLO_CONTAINED &&
        (!member || (slot->pointer->flags & SOLO_MAPPING_POINTER)))
      slot->flags |= SOLO_SLOT_POINTER_COUNTED;
  }
  return SOLO_OK;
}

SOLO_INLINE int skipped(uint64_t type) {
  return (type & (SOLO_MAP_LITERAL | SOLO_MAP_PRIVATE | SOLO_MAP_ATTACH)) != 0;
}

typedef enum which { KEPT, BOTH } which;

static SOLO_COLD void note_copy(const solo_construct *c, const char *name) {
  solo_map_description description;
  solo_error_note(" (copying %s back)", solo_map_describe(c, name, &description));
}

/* An entry with `from` is copied after the last release only; with `always`, after each release. */
solo_status solo_map_fetch_entry(solo_construct *c, const solo_map_list *list, int32_t i,
                                 const solo_map_slot *slot) {
  uint64_t type = (uint64_t)list->types[i];
  solo_mapping *m = slot->mapping;
  if (!m || list->sizes[i] <= 0 || (slot->flags & SOLO_SLOT_FETCHED)) return SOLO_OK;
  int last = (slot->flags & SOLO_SLOT_COUNTED)
                 ? (slot->flags & SOLO_SLOT_LAST) != 0
                 /* relaxed: only c writes this value */
                 : solo_load_relaxed(&m->creator) == solo_closer(c->id);
  if (!last && !(type & SOLO_MAP_ALWAYS)) return SOLO_OK;
  solo_status status =
      solo_map_copy_back(c, m, (uintptr_t)list->begins[i], (uint64_t)list->sizes[i]);
  if (SOLO_UNLIKELY(status != SOLO_OK)) note_copy(c, solo_map_name(list, i));
  return status;
}

/* Called if no memory is left to count a use in flight: after the release, another thread can remove
 * the mapping. Copies the data that pass two would copy. */
static SOLO_COLD solo_status fetch_early(solo_construct *c, const solo_map_list *list, int32_t i,
                                         solo_map_slot *slots) {
  const uint64_t always = SOLO_MAP_ALWAYS | SOLO_MAP_FROM;
  solo_status first = SOLO_OK;
  for (int32_t k = list->count; k-- > i;) {
    uint64_t type = (uint64_t)list->types[k];
    if ((type & always) != always || skipped(type) || slots[k].mapping != slots[i].mapping)
      continue;
    solo_status status = solo_map_fetch_entry(c, list, k, &slots[k]);
    slots[k].flags |= SOLO_SLOT_FETCHED;
    if (status != SOLO_OK && first == SOLO_OK) first = status;
  }
  return first;
}

/* Called if another thread has deleted the mapping of entry i: clears all slots with this mapping,
 * so that pass two does not access it. */
static SOLO_COLD void forget(const solo_construct *c, const solo_map_list *list, int32_t i,
                             solo_map_slot *slots) {
  const solo_mapping *removed = slots[i].mapping;
  /* relaxed: only c writes this value */
  if (solo_load_relaxed(&removed->creator) == solo_closer(c->id)) return;
  for (int32_t k = i; k < list->count; k++)
    if (slots[k].mapping == removed) slots[k].mapping = NULL;
}

/* map(delete:) on a member: the parent holds the reference. The parent precedes the member in the
 * list, without the delete bit. Returns SOLO_RELEASE_ALL for such a parent. */
static SOLO_COLD solo_release release_by_members(const solo_map_list *list, int32_t i,
                                                 const solo_map_slot *slots) {
  for (int32_t k = list->count; --k > i;) {
    uint64_t type = (uint64_t)list->types[k];
    int is_member = (type & SOLO_MAP_MEMBER_OF) && !(type & SOLO_MAP_PTR_AND_OBJ);
    if (is_member && (type & SOLO_MAP_DELETE) && slots[k].mapping &&
        slots[k].mapping == slots[i].mapping &&
        solo_version_fits(slots[k].version, slots[i].version))
      return SOLO_RELEASE_ALL;
  }
  return SOLO_RELEASE_ONE;
}

/* any: union of the types of entries i and later. */
static solo_status release_entry(solo_construct *c, const solo_map_list *list, int32_t i,
                                 solo_map_slot *slots, uint64_t any) {
  uint64_t type = (uint64_t)list->types[i];
  solo_map_slot *slot = &slots[i];
  solo_release how = SOLO_RELEASE_ONE;
  solo_status status = SOLO_OK;
  if (any & SOLO_MAP_DELETE)
    how = (type & SOLO_MAP_DELETE) ? SOLO_RELEASE_ALL : release_by_members(list, i, slots);
  if (slot->flags & SOLO_SLOT_COUNTED) {
    const solo_held held = {slot->mapping, slot->version, ref_of(type)};
    solo_released done = solo_construct_try_release(c, &held, how);
    if (SOLO_UNLIKELY(done == SOLO_RELEASED_NOT)) {
      status = fetch_early(c, list, i, slots);
      done = solo_construct_release(c, &held, how);
    }
    if (done == SOLO_RELEASED_LAST) slot->flags |= SOLO_SLOT_LAST;
    if (SOLO_UNLIKELY(done == SOLO_RELEASED_GONE)) forget(c, list, i, slots);
  }
  if (SOLO_UNLIKELY(slot->flags & SOLO_SLOT_POINTER_COUNTED)) {
    const solo_held held = {slot->pointer, slot->pointer_version, ref_of(type)};
    /* map(delete:) of the pointee does not delete a separately mapped pointer */
    if (!(slot->pointer->flags & SOLO_MAPPING_POINTER)) how = SOLO_RELEASE_ONE;
    (void)solo_construct_release(c, &held, how);
  }
  return status;
}

/* Copies all entries even after an error; returns the first error. KEPT: skips CLOSING mappings. */
static solo_status fetch_all(solo_construct *c, const solo_map_list *list, solo_map_slot *slots,
                             which entries) {
  solo_status first = SOLO_OK;
  for (int32_t i = list->count; i-- > 0;) {
    uint64_t type = (uint64_t)list->types[i];
    if (!(type & SOLO_MAP_FROM) || skipped(type)) continue;
    if (slots[i].flags & SOLO_SLOT_FETCHED) continue;
    /* relaxed: c has closed the mapping, or the value is advisory */
    if (entries == KEPT && (!slots[i].mapping || solo_mapping_is_closing(slots[i].mapping)))
      continue;
    if (entries == KEPT) slots[i].flags |= SOLO_SLOT_FETCHED;
    solo_status status = solo_map_fetch_entry(c, list, i, &slots[i]);
    if (SOLO_UNLIKELY(status != SOLO_OK) && first == SOLO_OK) first = status;
  }
  return first;
}

/* Orders the copies to the host after the work of constructs that released their references
 * earlier. If such a construct does not use a stream, c waits for it. Before that, c publishes its
 * data and ends its uses in flight. Otherwise the other construct could wait for c: a deadlock. */
static solo_status order_after_others(solo_construct *c, const solo_map_list *list,
                                      solo_map_slot *slots) {
  int ready = 0, others;
  for (solo_mapping *m = c->closing; m; m = m->next) {
    for (unsigned round = 0;; round++) {
      SOLO_TRY(solo_nowait_order_after_users(c, m, &others));
      if (SOLO_LIKELY(!others)) break;
      if (!ready) {
        SOLO_TRY(fetch_all(c, list, slots, KEPT));
        SOLO_TRY(solo_construct_release_waiters(c));
      }
      ready = 1;
      solo_nowait_pause(round);
    }
  }
  return SOLO_OK;
}

solo_status solo_map_end(solo_construct *c, const solo_map_list *list, solo_map_slot *slots) {
  int looked_up = slots != NULL;
  solo_status first = SOLO_OK; /* references are released even after an error */
  uint64_t any = 0;
  solo_map_list components;
  if (SOLO_UNLIKELY(list->mappers != NULL)) {
    first = solo_map_without_mappers(list, &components);
    if (SOLO_LIKELY(first == SOLO_OK)) {
      list = &components;
      looked_up = 0;
      slots = NULL;
    }
  }
  if (!slots && list->count > 0) {
    slots = solo_scratch_allocate((size_t)list->count * sizeof *slots);
    if (!slots) return SOLO_NOMEM;
  }
  for (int32_t i = list->count; i-- > 0;) {
    uint64_t type = (uint64_t)list->types[i];
    solo_status status = SOLO_OK;
    if (!looked_up) slots[i] = (solo_map_slot){0};
    if (skipped(type) || (list->mappers && list->mappers[i]))
      continue; /* an entry with a mapper remains only if no memory was left for the expansion */
    if (!looked_up) status = solo_map_find(c, list, i, &slots[i]);
    any |= type;
    /* `keep`: references become uses in flight, because pass two reads mappings that other threads
     * may close */
    if (SOLO_UNLIKELY((any & READ_AGAIN) == READ_AGAIN)) c->keep = 1;
    solo_status given = release_entry(c, list, i, slots, any);
    if (status == SOLO_OK) status = given;
    if (SOLO_UNLIKELY(status != SOLO_OK) && first == SOLO_OK) first = status;
  }
  if (!(any & SOLO_MAP_FROM)) return first;
  solo_status status = SOLO_OK;
  if (!solo_device_is_synchronous(c->device) && c->closing)
    status = order_after_others(c, list, slots);
  if (SOLO_UNLIKELY(status != SOLO_OK) && first == SOLO_OK) first = status;
  status = fetch_all(c, list, slots, BOTH);
  return first == SOLO_OK ? status : first;
}
