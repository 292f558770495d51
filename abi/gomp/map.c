/* Converts the map lists of GCC's target constructs to those of abi/tgt.h, for CPU devices. Each
 * entry of GCC has an address, a size and 16 bits: the kind in the lower half, log2 of the
 * alignment in the upper half. */
#include "abi/gomp/map.h"
#include "abi/include/omp.h"
#include "abi/mapped.h"

#include <stdlib.h>

enum {
  KIND_MASK = 0xff,
  KIND_COPY = 3, /* bit 0: copy to the device; bit 1: copy from it */
  KIND_POINTER = 4,
  KIND_DESCRIPTOR = 5,
  KIND_PRESENT = 6,
  KIND_DELETE = 7,
  KIND_FIRSTPRIVATE = 12,
  KIND_VALUE = 13,
  KIND_DEVICE_POINTER = 14,
  KIND_ZERO_LENGTH = 15,
  KIND_POINTER_IF_PRESENT = 16,
  KIND_ALWAYS = 16, /* with KIND 1, 2 or 3 */
  KIND_RELEASE = 23,
  KIND_STRUCT = 28,
  KIND_ALWAYS_POINTER = 29,
  KIND_POINTER_ZERO_LENGTH = 30,
  KIND_DELETE_ZERO_LENGTH = 31,
  KIND_ATTACH = 80,
  KIND_ATTACH_ZERO_LENGTH = 82,
  KIND_IMPLICIT = 96,
  KIND_FORCE = 128,
};
enum {
  TYPE_TO = 1,
  TYPE_ALWAYS = 4,
  TYPE_DELETE = 8,
  TYPE_POINTER_AND_OBJECT = 0x10,
  TYPE_IMPLICIT = 0x200,
  TYPE_PRESENT = 0x1000,
  TYPE_ATTACH = 0x4000
};
enum { MEMBER_SHIFT = 48, MEMBERS_MOST = 0xffff };

#define DATA_PARAMETERS                                                                            \
  void *loc, int64_t device, int32_t count, void **bases, void **begins, int64_t *sizes,           \
      int64_t *types, void **names, void **mappers
void __tgt_target_data_begin_mapper(DATA_PARAMETERS);
void __tgt_target_data_end_mapper(DATA_PARAMETERS);
void __tgt_target_data_update_mapper(DATA_PARAMETERS);

static unsigned kind_of(const gomp_map_list *list, size_t i) {
  unsigned kind = list->kinds[i] & KIND_MASK;
  return kind & KIND_FORCE ? kind & ~(unsigned)KIND_FORCE : kind;
}

/* Returns the type of an entry that maps a range; -1: it maps none. */
static int64_t type_of(unsigned kind) {
  if (kind <= KIND_COPY) return kind;
  if ((kind & ~(unsigned)KIND_COPY) == KIND_IMPLICIT) return (kind & KIND_COPY) | TYPE_IMPLICIT;
  if (kind > KIND_ALWAYS && kind <= KIND_ALWAYS + KIND_COPY)
    return (kind & KIND_COPY) | TYPE_ALWAYS;
  switch (kind) {
  case KIND_POINTER:
  case KIND_POINTER_ZERO_LENGTH:
  case KIND_DESCRIPTOR:
    return TYPE_TO;
  case KIND_PRESENT:
    return TYPE_PRESENT;
  case KIND_DELETE:
  case KIND_DELETE_ZERO_LENGTH:
    return TYPE_DELETE;
  case KIND_RELEASE:
  case KIND_ZERO_LENGTH:
    return 0;
  default:
    return -1;
  }
}

static int is_implicit(unsigned kind) {
  return (kind & ~(unsigned)KIND_COPY) == KIND_IMPLICIT;
}

static int is_pointer(unsigned kind) {
  return kind == KIND_POINTER || kind == KIND_POINTER_ZERO_LENGTH;
}

static size_t size_of(const gomp_map_list *list, size_t i) {
  return is_pointer(kind_of(list, i)) ? sizeof(void *) : list->sizes[i];
}

typedef struct range {
  char *base, *begin, *end;
} range;

static void put(gomp_map *map, const range *r, const void *mapping, int64_t type) {
  map->mappings[map->count] = mapping;
  map->bases[map->count] = r->base;
  map->begins[map->count] = r->begin;
  map->sizes[map->count] = r->end - r->begin;
  map->types[map->count++] = type;
}

/* Returns MEMBER_OF bits for the earlier entry that counts the reference of this range, or 0. */
static int64_t counted_by(const gomp_map *map, const range *r, const void *mapping) {
  for (int32_t i = 0; i < map->count && i < MEMBERS_MOST; i++) {
    char *begin = map->begins[i];
    if (map->types[i] >> MEMBER_SHIFT) continue;
    if ((mapping && map->mappings[i] == mapping) ||
        (r->begin >= begin && r->end <= begin + map->sizes[i]))
      return (int64_t)((uint64_t)(i + 1) << MEMBER_SHIFT);
  }
  return 0;
}

/* Adds an entry. A construct counts one reference per mapping (OpenMP 5.0, 2.19.7.1). Returns the
 * MEMBER_OF bits for the entry that counts it. */
static int64_t put_counted(gomp_map *map, range r, int64_t type, int may_be_part) {
  if (map->use == GOMP_MAP_UPDATES) {
    put(map, &r, NULL, type);
    return 0;
  }
  solo_mapped f = solo_mapped_part(map->device, r.begin, (size_t)(r.end - r.begin));
  if (f.mapping && may_be_part && r.begin < r.end) {
    if (r.begin < f.begin) r.begin = f.begin;
    if (r.end > f.end) r.end = f.end;
  }
  int64_t earlier = counted_by(map, &r, f.mapping);
  put(map, &r, f.mapping, type | earlier);
  return earlier ? earlier : (int64_t)((uint64_t)map->count << MEMBER_SHIFT);
}

static int is_attachment(unsigned kind) {
  return is_pointer(kind) || kind == KIND_ALWAYS_POINTER || kind == KIND_ATTACH ||
         kind == KIND_ATTACH_ZERO_LENGTH;
}

/* Returns whether entry i attaches a pointer that is not mapped: a declare target variable, which the
 * region reads on the host. Its pointee is not mapped either. */
static int is_host_pointer(const gomp_map *map, const gomp_map_list *list, size_t i) {
  if (map->use != GOMP_MAP_REGION || i >= list->count || is_pointer(kind_of(list, i)) ||
      !is_attachment(kind_of(list, i)))
    return 0;
  char *pointer = list->hosts[i];
  for (size_t k = 0; k < list->count; k++)
    if (type_of(kind_of(list, k)) >= 0 &&
        (uintptr_t)(pointer - (char *)list->hosts[k]) < size_of(list, k))
      return 0;
  return !solo_mapped_part(map->device, pointer, sizeof pointer).mapping;
}

static void put_range(gomp_map *map, const gomp_map_list *list, size_t i, int64_t member_of) {
  unsigned kind = kind_of(list, i);
  int64_t type = type_of(kind);
  char *host = list->hosts[i];
  if (type < 0 || !host || is_host_pointer(map, list, i + 1)) return;
  range r = {host, host, host + size_of(list, i)};
  /* copied always, because the bounds change if the program allocates or deallocates the array */
  if (kind == KIND_DESCRIPTOR &&
      (*(void **)(void *)host || solo_pointer_is_attached(map->device, host)))
    type |= TYPE_ALWAYS;
  if (member_of)
    put(map, &r, NULL, type | member_of);
  else
    (void)put_counted(map, r, type, map->use == GOMP_MAP_ENDS || is_implicit(kind));
}

/* Sets the device copy of a mapped pointer to NULL if its pointee is not mapped. */
static void put_optional(gomp_map *map, char *pointer, char *pointee) {
  range r = {pointer, pointer, pointer + sizeof(void *)};
  solo_mapped holder = solo_mapped_part(map->device, pointer, sizeof(void *));
  int64_t member_of = counted_by(map, &r, holder.mapping);
  if (!pointee && !solo_pointer_is_attached(map->device, pointer)) return;
  if (member_of || holder.mapping)
    put(map, &(range){pointer, pointee, pointee}, NULL, TYPE_POINTER_AND_OBJECT | member_of);
}

/* The size of an entry for a pointer is a bias: the pointee begins at the pointer plus this bias. */
static void put_attachment(gomp_map *map, const gomp_map_list *list, size_t i) {
  unsigned kind = kind_of(list, i);
  char **pointer = list->hosts[i];
  if (!is_attachment(kind) || !pointer || is_host_pointer(map, list, i)) return;
  char *pointee = *pointer ? *pointer + list->sizes[i] : NULL;
  int is_optional = !pointee || kind == KIND_ATTACH_ZERO_LENGTH || kind == KIND_POINTER_ZERO_LENGTH;
  if (map->use == GOMP_MAP_REGION && is_optional)
    put_optional(map, (char *)pointer, pointee);
  else if (pointee)
    put(map, &(range){(char *)pointer, pointee, pointee + sizeof *pointer}, NULL,
        TYPE_ATTACH | (kind == KIND_ALWAYS_POINTER ? TYPE_ALWAYS : 0));
}

/* Maps one range for all listed members. Returns the number of members. */
static size_t put_struct(gomp_map *map, const gomp_map_list *list, size_t at) {
  size_t members = list->sizes[at], last = at + members;
  range all = {list->hosts[at], NULL, NULL};
  int64_t type = 0;
  for (size_t i = at + 1; i <= last && i < list->count; i++) {
    char *from = list->hosts[i], *to = from + size_of(list, i);
    if (type_of(kind_of(list, i)) < 0) continue;
    if (!all.begin || from < all.begin) all.begin = from;
    if (!all.end || to > all.end) all.end = to;
    if (kind_of(list, i) == KIND_DELETE) type = TYPE_DELETE;
  }
  if (!all.begin) return members;
  int64_t member_of = put_counted(map, all, type, map->use == GOMP_MAP_ENDS);
  for (size_t i = at + 1; i <= last && i < list->count; i++) put_range(map, list, i, member_of);
  return members;
}

gomp_map *solo_gomp_map_make(int32_t device, const gomp_map_list *list, gomp_map_use use) {
  size_t most = 2 * list->count + 1;
  gomp_map *map = calloc(1, sizeof *map + most * 5 * sizeof(int64_t));
  if (!map) solo_kmp_fatal("out of memory for a map list of %zu entries", list->count);
  map->device = device;
  map->use = use;
  map->bases = (void **)(void *)(map + 1);
  map->begins = map->bases + most;
  map->sizes = (int64_t *)(void *)(map->begins + most);
  map->types = map->sizes + most;
  map->mappings = (const void **)(void *)(map->types + most);
  for (size_t i = 0; i < list->count; i++) {
    if (kind_of(list, i) == KIND_STRUCT)
      i += put_struct(map, list, i);
    else
      put_range(map, list, i, 0);
  }
  for (size_t i = 0; i < list->count; i++) put_attachment(map, list, i);
  return map;
}

void solo_gomp_map_begin(gomp_map *map) {
  __tgt_target_data_begin_mapper(NULL, map->device, map->count, map->bases, map->begins, map->sizes,
                                 map->types, NULL, NULL);
}

void solo_gomp_map_end(gomp_map *map) {
  __tgt_target_data_end_mapper(NULL, map->device, map->count, map->bases, map->begins, map->sizes,
                               map->types, NULL, NULL);
}

/* Only ranges can be updated. */
void solo_gomp_map_update(gomp_map *map) {
  while (map->count && map->types[map->count - 1] & TYPE_ATTACH) map->count--;
  __tgt_target_data_update_mapper(NULL, map->device, map->count, map->bases, map->begins,
                                  map->sizes, map->types, NULL, NULL);
}

/* Returns `host` if this address is not mapped. */
static void *translate(int32_t device, void *host, size_t size) {
  solo_mapped f = solo_mapped_part(device, host, size ? size : 1);
  return f.mapping ? (void *)(f.device + ((uintptr_t)host - (uintptr_t)f.begin)) : host;
}

static void *struct_on_device(const gomp_map_list *list, size_t at, int32_t device) {
  char *base = list->hosts[at];
  if (at + 1 >= list->count || !list->sizes[at]) return translate(device, base, 1);
  char *member = list->hosts[at + 1];
  return (char *)translate(device, member, 1) - (member - base);
}

void solo_gomp_map_arguments(const gomp_map *map, const gomp_map_list *list, void **arguments) {
  for (size_t i = 0; i < list->count; i++) {
    unsigned kind = kind_of(list, i);
    if (kind == KIND_STRUCT) arguments[i] = struct_on_device(list, i, map->device);
    /* NULL if the address is not mapped (OpenMP 5.0, 2.19.7.1) */
    else if (kind == KIND_ZERO_LENGTH)
      arguments[i] = list->hosts[i] ? omp_get_mapped_ptr(list->hosts[i], map->device) : NULL;
    else if (type_of(kind) >= 0)
      arguments[i] = translate(map->device, list->hosts[i], size_of(list, i));
    else
      arguments[i] = list->hosts[i];
  }
}

void solo_gomp_map_return(const gomp_map *map, const gomp_map_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    unsigned kind = kind_of(list, i);
    if (kind == KIND_DEVICE_POINTER || kind == KIND_POINTER_IF_PRESENT)
      list->hosts[i] = translate(map->device, list->hosts[i], 1);
  }
}
