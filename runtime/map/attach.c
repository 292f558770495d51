/* ATTACH entries (Clang 22; OpenMP 6.0, 7.9.6): after everything else of the construct is mapped,
 * pointers on the device are made to point to the device copies of their pointees.
 *
 * An entry {base: address of the pointer, begin: in the pointee, size: of the pointer} acts when
 * ALWAYS is set or when the storage of pointer or pointee is new in this construct. No counts.
 */
#include "runtime/base/settings.h"
#include "runtime/construct/nowait.h"

static int is_own(const solo_construct *c, const solo_mapping *m) {
  return solo_load_relaxed(&m->creator) == c->id; /* equal only if this construct wrote it */
}

static solo_status attach_entry(solo_construct *c, const solo_map_list *list, int32_t i) {
  uint64_t type = (uint64_t)list->types[i];
  uintptr_t pointer = (uintptr_t)list->bases[i], begin = (uintptr_t)list->begins[i];
  uint64_t size = (uint64_t)list->sizes[i];
  solo_mapping *holder, *pointee;
  if (!solo_map_present(c, pointer, sizeof(void *), &holder)) return SOLO_OK;
  if (!solo_map_present(c, begin, 0, &pointee)) return SOLO_OK;
  int is_new = is_own(c, holder) || is_own(c, pointee);
  int always = (type & SOLO_MAP_ALWAYS) || solo_settings()->attach_always;
  if (!is_new && !always) return SOLO_OK;
  SOLO_TRY(solo_nowait_before_host_read(c));
  uintptr_t base = *(const uintptr_t *)pointer;
  /* relaxed: this construct's own entries hold references to both */
  uint64_t device_begin =
      solo_load_relaxed(&pointee->device) + (begin - solo_load_relaxed(&pointee->begin));
  SOLO_TRY(solo_map_attach(c, holder, pointer, device_begin - (begin - base),
                           always ? SOLO_ATTACH_AGAIN : SOLO_ATTACH_IF_DIFFERENT));
  if (size <= sizeof(void *)) return SOLO_OK;
  /* a descriptor (Fortran): what follows the address is bounds, the same on both sides */
  uintptr_t bounds = pointer + sizeof(void *);
  uint64_t bytes = size - sizeof(void *);
  solo_devptr to =
      solo_load_relaxed(&holder->device) + (bounds - solo_load_relaxed(&holder->begin));
  if (SOLO_UNLIKELY(solo_map_is_others(c, holder)))
    return solo_map_defer(c, &(solo_deferred_copy){.mapping = holder,
                                                   .host = bounds,
                                                   .bytes = bytes,
                                                   .value = to,
                                                   .kind = SOLO_DEFERRED_COPY});
  return solo_map_copy_in(c, to, (const void *)bounds, bytes);
}

solo_status solo_map_attach_all(solo_construct *c, const solo_map_list *list) {
  for (int32_t i = 0; i < list->count; i++)
    if (list->types[i] & (int64_t)SOLO_MAP_ATTACH) SOLO_TRY(attach_entry(c, list, i));
  return SOLO_OK;
}
