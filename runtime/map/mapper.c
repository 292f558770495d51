/* User-defined mappers: called, and their components processed as a list of its own. */
#include "runtime/map/mapper.h"

#include "runtime/map/map.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_COMPONENTS = 32 };

static int is_out_of_memory(const solo_components *c) {
  return (uintptr_t)c->last > (uintptr_t)c->end;
}

int64_t solo_components_count(const solo_components *c) {
  return is_out_of_memory(c) ? 0 : c->last - c->first;
}

static SOLO_NOINLINE int grow(solo_components *c) {
  size_t count = (size_t)(c->last - c->first), capacity = count ? 2 * count : FIRST_COMPONENTS;
  solo_component *memory = realloc(c->first, capacity * sizeof *memory);
  if (!memory) {
    c->last = (solo_component *)((uintptr_t)c->end + 1);
    return 0;
  }
  *c = (solo_components){memory, memory + count, memory + capacity};
  /* cppcheck-suppress memleak ; it is in *c */
  return 1;
}

void solo_components_push(solo_components *c, void *base, void *begin, int64_t size, int64_t type,
                          void *name) {
  if (SOLO_UNLIKELY(c->last >= c->end) && (is_out_of_memory(c) || !grow(c))) return;
  *c->last++ = (solo_component){base, begin, size, type, name};
}

/* The components as a list, whose arrays are in scratch memory. */
static int make_list(const solo_components *c, solo_map_list *out) {
  size_t count = (size_t)solo_components_count(c), bytes = count * sizeof(void *);
  char *memory = solo_scratch_take(5 * bytes + 1);
  if (is_out_of_memory(c) || count > INT32_MAX || !memory) return 0;
  void **bases = (void **)memory, **begins = bases + count, **names = begins + count;
  int64_t *sizes = (int64_t *)(names + count), *types = sizes + count;
  for (size_t i = 0; i < count; i++) {
    bases[i] = c->first[i].base;
    begins[i] = c->first[i].begin;
    sizes[i] = c->first[i].size;
    types[i] = c->first[i].type;
    names[i] = c->first[i].name;
  }
  *out = (solo_map_list){(int32_t)count, bases, begins, sizes, types, names, NULL};
  return 1;
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
  solo_map_list inner;
  int made = make_list(&components, &inner);
  free(components.first);
  if (!made) return too_many(c, solo_map_name(list, i));
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
