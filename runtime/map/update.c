/* target update: copies between mapped ranges; changes no references. */
#include "runtime/map/map.h"

#include "runtime/base/generation.h"
#include "runtime/construct/in_flight.h"
#include "runtime/map/section_text.h"

static SOLO_COLD solo_status absent_error(const solo_construct *c, const solo_map_list *list,
                                          int32_t i) {
  return solo_map_absent_error(c, (uintptr_t)list->begins[i], (uint64_t)list->sizes[i],
                               solo_map_name(list, i), SOLO_MAP_MOMENT_UPDATE);
}

static SOLO_COLD solo_status partial_error(const solo_construct *c, const solo_map_list *list,
                                           int32_t i, const solo_mapping *m) {
  solo_map_description description;
  if ((uint64_t)list->types[i] & SOLO_MAP_PRESENT) return absent_error(c, list, i);
  solo_fail(SOLO_OVERLAP,
            "update of %s, %p, %lld bytes: only %p to %p of it is on device %d: nothing of it is "
            "updated",
            solo_map_describe(c, solo_map_name(list, i), &description), list->begins[i],
            (long long)list->sizes[i],
            (void *)solo_load_relaxed(&m->begin), /* relaxed: constant during a use in flight */
            (void *)solo_load_relaxed(&m->end), c->device->number);
  /* the error is reported but does not end the program, as in LLVM's libomptarget */
  return solo_error_set_device(c->device->number);
}

static SOLO_COLD void note_update(const solo_construct *c, const char *name) {
  solo_map_description description;
  solo_error_note(" (updating %s)", solo_map_describe(c, name, &description));
}

static solo_status update_entry(solo_construct *c, const solo_map_list *list, int32_t i) {
  uint64_t type = (uint64_t)list->types[i];
  uintptr_t begin = (uintptr_t)list->begins[i];
  uint64_t size = (uint64_t)list->sizes[i];
  if (size == 0) return SOLO_OK;
  if (SOLO_UNLIKELY(solo_map_range_is_bad(begin, list->sizes[i])))
    return solo_map_range_error(c, list, i);
  solo_request request = {begin, size, SOLO_REF_IN_FLIGHT, c->id};
  solo_mapping *m;
  solo_presence presence = solo_construct_acquire_in_flight(c, &request, &m);
  if (presence == SOLO_ABSENT) {
    if (!(type & SOLO_MAP_PRESENT) || c->device->unified) return SOLO_OK;
    return absent_error(c, list, i);
  }
  solo_status status = SOLO_OK;
  /* without these bits (a mapper's entry for a struct), a partly mapped range is no error */
  if (SOLO_UNLIKELY(presence == SOLO_PARTIAL) &&
      (type & (SOLO_MAP_TO | SOLO_MAP_FROM | SOLO_MAP_PRESENT)))
    status = partial_error(c, list, i, m);
  if (status == SOLO_OK && (type & SOLO_MAP_TO)) status = solo_map_send(c, m, begin, size);
  if (status == SOLO_OK && (type & SOLO_MAP_FROM)) status = solo_map_copy_back(c, m, begin, size);
  solo_construct_note_in_flight(c, m);
  if (status != SOLO_OK) note_update(c, solo_map_name(list, i));
  return status;
}

/* A cache of section texts without a step. The generation invalidates the names of unloaded libraries. */
enum { PLAIN_NAMES = 8 };
static _Thread_local struct {
  const char *name;
  uint64_t generation;
} plain_names[PLAIN_NAMES];

/* Returns 0 if the entry has no name (no -g) or its name is in the cache. */
SOLO_INLINE int may_have_step(const solo_map_list *list, int32_t i) {
  const char *name = solo_map_name(list, i);
  unsigned at = (unsigned)((uintptr_t)name >> 4) % PLAIN_NAMES;
  /* relaxed: the library that contains the name was registered before its code executed */
  return name && (plain_names[at].name != name ||
                  plain_names[at].generation != solo_load_relaxed(&solo_registry_generation));
}

static SOLO_NOINLINE int is_stepped(const solo_map_list *list, int32_t i) {
  const char *name = solo_map_name(list, i);
  unsigned at = (unsigned)((uintptr_t)name >> 4) % PLAIN_NAMES;
  if (solo_section_may_have_step(name)) return solo_map_is_stepped(list, i);
  plain_names[at].name = name;
  /* relaxed: as in may_have_step() */
  plain_names[at].generation = solo_load_relaxed(&solo_registry_generation);
  return 0;
}

static SOLO_NOINLINE solo_status update_with_mapper(solo_construct *c, const solo_map_list *list,
                                                    int32_t i, solo_map_then *then) {
  if (((uint64_t)list->types[i] & SOLO_MAP_NON_CONTIGUOUS) ||
      (may_have_step(list, i) && is_stepped(list, i)))
    return solo_map_refuse_stepped_mapper(c, list, i);
  return solo_map_with_mapper(c, list, i, then);
}

/* Continues after an error; returns the first error. */
static solo_status update_list(solo_construct *c, const solo_map_list *list, solo_map_slot *slots) {
  (void)slots;
  solo_status first = SOLO_OK;
  for (int32_t i = 0; i < list->count; i++) {
    uint64_t type = (uint64_t)list->types[i];
    if (type & (SOLO_MAP_LITERAL | SOLO_MAP_PRIVATE | SOLO_MAP_ATTACH)) continue;
    solo_status status;
    if (list->mappers && list->mappers[i])
      status = update_with_mapper(c, list, i, update_list);
    else if (type & SOLO_MAP_NON_CONTIGUOUS)
      status = solo_map_update_strided(c, list, i);
    else if (SOLO_UNLIKELY(may_have_step(list, i)) && is_stepped(list, i) && list->sizes[i] > 0)
      status = solo_map_update_stepped(c, list, i);
    else
      status = update_entry(c, list, i);
    if (status != SOLO_OK && first == SOLO_OK) first = status;
  }
  return first;
}

solo_status solo_map_update(solo_construct *c, const solo_map_list *list) {
  return update_list(c, list, NULL);
}
