/* User-defined mappers: called, and their components processed as a list of its own. */
#include "runtime/map/mapper.h"

#include "runtime/map/map.h"
#include <string.h>

enum { FIRST_COMPONENTS = 32, COMPONENT_BYTES = 5 * 8 };

static int grow(solo_components *c) {
  int64_t capacity = c->capacity ? c->capacity * 2 : FIRST_COMPONENTS;
  size_t bytes = (size_t)capacity * 8, used = (size_t)c->count * 8;
  char *memory = solo_scratch_take((size_t)capacity * COMPONENT_BYTES);
  if (!memory) return 1;
  void *old[5] = {c->bases, c->begins, c->sizes, c->types, c->names};
  for (int k = 0; k < 5; k++)
    if (used) memcpy(memory + (size_t)k * bytes, old[k], used);
  c->bases = (void **)memory;
  c->begins = (void **)(memory + bytes);
  c->sizes = (int64_t *)(memory + 2 * bytes);
  c->types = (int64_t *)(memory + 3 * bytes);
  c->names = (void **)(memory + 4 * bytes);
  c->capacity = capacity;
  return 0;
}

void solo_components_push(solo_components *c, void *base, void *begin, int64_t size, int64_t type,
                          void *name) {
  if (c->count == c->capacity && grow(c)) {
    c->out_of_memory = 1;
    return;
  }
  c->bases[c->count] = base;
  c->begins[c->count] = begin;
  c->sizes[c->count] = size;
  c->types[c->count] = type;
  c->names[c->count] = name;
  c->count++;
}

static SOLO_COLD solo_status too_many(const solo_construct *c, const char *name) {
  solo_map_description description;
  return solo_fail(SOLO_NOMEM, "no host memory for the components of the mapper of %s",
                   solo_map_describe(c, name, &description));
}

solo_status solo_map_with_mapper(solo_construct *c, const solo_map_list *list, int32_t i,
                                 solo_map_then *then) {
  solo_components components = {0};
  void *mapper = list->mappers[i];
  solo_mapper_function *call;
  memcpy(&call, &mapper, sizeof call); /* an object pointer in the ABI, a function in truth */
  call(&components, list->bases[i], list->begins[i], list->sizes[i], list->types[i],
       list->names ? list->names[i] : NULL);
  if (components.out_of_memory || components.count > INT32_MAX)
    return too_many(c, solo_map_name(list, i));
  solo_map_list inner = {.count = (int32_t)components.count,
                         .bases = components.bases,
                         .begins = components.begins,
                         .sizes = components.sizes,
                         .types = components.types,
                         .names = components.names};
  return then(c, &inner, NULL);
}

int solo_map_reads_host(const solo_map_list *list, solo_map_phase phase) {
  const uint64_t follows = SOLO_MAP_PTR_AND_OBJ | SOLO_MAP_ATTACH;
  for (int32_t i = 0; i < list->count; i++) {
    uint64_t type = (uint64_t)list->types[i];
    if (list->mappers && list->mappers[i]) return 1;
    if (phase == SOLO_MAP_BEGINS && (type & follows) && !(type & SOLO_MAP_LITERAL)) return 1;
  }
  return 0;
}
