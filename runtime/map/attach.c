/* ATTACH entries (Clang 22; OpenMP 6.0, 7.9.6): {address of the pointer, address in the pointee,
 * size of the pointer}. The pointer is attached if its mapping or that of the pointee is new in this
 * construct, or with `always`. ATTACH entries acquire no references. */
#include "runtime/base/settings.h"
#include "runtime/map/map.h"

static int is_own(const solo_construct *c, const solo_mapping *m) {
  return solo_load_relaxed(&m->creator) == c->id; /* relaxed: only this construct writes its id */
}

static void attach_entry(solo_construct *c, const solo_map_list *list, int32_t i) {
  uint64_t type = (uint64_t)list->types[i];
  uintptr_t pointer = (uintptr_t)list->bases[i], begin = (uintptr_t)list->begins[i];
  uint64_t size = (uint64_t)list->sizes[i];
  solo_mapping *holder, *pointee;
  if (!solo_map_present(c, pointer, sizeof(void *), &holder)) return;
  if (!solo_map_present(c, begin, 0, &pointee)) return;
  int is_new = is_own(c, holder) || is_own(c, pointee);
  int always = (type & SOLO_MAP_ALWAYS) || solo_settings()->attach_always;
  if (!is_new && !always) return;
  uintptr_t base = *(const uintptr_t *)pointer;
  /* relaxed: the construct's entries hold references */
  uint64_t device_begin =
      solo_load_relaxed(&pointee->device) + (begin - solo_load_relaxed(&pointee->begin));
  solo_transfer attach = {.mapping = holder,
                          .host = pointer,
                          .value = device_begin - (begin - base),
                          .name = solo_map_name(list, i),
                          .kind = always ? SOLO_TRANSFER_ATTACH_AGAIN : SOLO_TRANSFER_ATTACH};
  solo_construct_transfer(c, &attach);
  if (size <= sizeof(void *)) return;
  /* a Fortran descriptor: also copies the bounds, which follow the address */
  attach.kind = SOLO_TRANSFER_COPY;
  attach.host = pointer + sizeof(void *);
  attach.bytes = size - sizeof(void *);
  attach.value =
      solo_load_relaxed(&holder->device) + (attach.host - solo_load_relaxed(&holder->begin));
  solo_construct_transfer(c, &attach);
}

void solo_map_attach_all(solo_construct *c, const solo_map_list *list) {
  for (int32_t i = 0; i < list->count; i++)
    if (list->types[i] & (int64_t)SOLO_MAP_ATTACH) attach_entry(c, list, i);
}
