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

static void push(void *components, void *base, void *begin, int64_t size, int64_t type,
                 void *name) {
  solo_components_push(components, base, begin, size, type, name);
}

/* The map clause's bits also apply to its mapper's components (OpenMP 6.0, 7.9.10); Clang 22 does
 * not set them. */
#define INHERITED (SOLO_MAP_ALWAYS | SOLO_MAP_DELETE | SOLO_MAP_CLOSE)

/* A component in the struct of which entry i is a member needs no reference: the struct's entry has
 * one. flang 22 sets an object's mapper also for parts of the object, for which the mapper would
 * read beyond the object. */
static void get_components(const solo_map_list *list, int32_t i, solo_components *out) {
  void *mapper = list->mappers[i], *name = list->names ? list->names[i] : NULL;
  uint64_t type = (uint64_t)list->types[i], parent = (type >> SOLO_MAP_MEMBER_SHIFT) - 1, size = 0;
  uintptr_t begin = 0;
  solo_mapper_function *call = push;
  if (parent < (uint64_t)list->count) {
    begin = (uintptr_t)list->begins[parent];
    size = (uint64_t)list->sizes[parent];
  }
  if (mapper) {
    if (!(type & SOLO_MAP_PTR_AND_OBJ) && (uintptr_t)list->begins[i] - begin < size &&
        mapper == list->mappers[parent])
      return;
    memcpy(&call, &mapper, sizeof call); /* the ABI stores a function as an object pointer */
  }
  call(out, list->bases[i], list->begins[i], list->sizes[i], list->types[i], name);
  for (int64_t k = solo_components_count(out); k-- > 0;) {
    solo_component *component = &out->first[k];
    uint64_t own = (uint64_t)component->type;
    if (!(own & SOLO_MAP_ATTACH)) own |= type & INHERITED;
    if (!(own & (SOLO_MAP_MEMBER_OF | SOLO_MAP_PTR_AND_OBJ)) &&
        (uintptr_t)component->begin - begin < size)
      own |= SOLO_MAP_MEMBER_OF;
    component->type = (int64_t)own;
  }
}

static solo_status make_list(const solo_map_list *list, int32_t first, int32_t end,
                             solo_map_list *out) {
  solo_components all = {0};
  int lost = 0;
  for (int32_t i = first; i < end; i++) {
    solo_components own = {0};
    get_components(list, i, &own);
    lost |= is_out_of_memory(&own);
    int64_t count = solo_components_count(&own);
    for (const solo_component *k = own.first; count-- > 0; k++)
      solo_components_push(&all, k->base, k->begin, k->size, k->type, k->name);
    free(own.first);
  }
  size_t count = (size_t)solo_components_count(&all);
  char *memory = solo_scratch_allocate(5 * count * sizeof(void *) + 1);
  lost |= is_out_of_memory(&all) || count > INT32_MAX || !memory;
  if (!lost) {
    void **bases = (void **)memory, **begins = bases + count, **names = begins + count;
    int64_t *sizes = (int64_t *)(names + count), *types = sizes + count;
    for (size_t k = 0; k < count; k++) {
      bases[k] = all.first[k].base;
      begins[k] = all.first[k].begin;
      sizes[k] = all.first[k].size;
      types[k] = all.first[k].type;
      names[k] = all.first[k].name;
    }
    *out = (solo_map_list){(int32_t)count, bases, begins, sizes, types, names, NULL};
  }
  free(all.first);
  return lost ? solo_fail(SOLO_NOMEM, "no host memory for the components of a mapper") : SOLO_OK;
}

solo_status solo_map_with_mapper(solo_construct *c, const solo_map_list *list, int32_t i,
                                 solo_map_then *then) {
  solo_map_list components;
  SOLO_TRY(make_list(list, i, i + 1, &components));
  return then(c, &components, NULL);
}

solo_status solo_map_without_mappers(const solo_map_list *list, solo_map_list *out) {
  return make_list(list, 0, list->count, out);
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
