/* Converts the map lists of GCC's target constructs to those of abi/tgt.h, for CPU devices. Each
 * entry of GCC has an address, a size and 16 bits: the kind in the lower half, log2 of the
 * alignment in the upper half. */
#include "abi/gomp/map.h"
#include "abi/include/omp.h"

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
  KIND_ATTACH = 80,
  KIND_IMPLICIT = 96,
  KIND_FORCE = 128,
};
enum {
  TYPE_TO = 1,
  TYPE_ALWAYS = 4,
  TYPE_DELETE = 8,
  TYPE_IMPLICIT = 0x200,
  TYPE_PRESENT = 0x1000,
  TYPE_ATTACH = 0x4000
};
enum { MEMBER_SHIFT = 48 };

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
  case KIND_DESCRIPTOR:
    return TYPE_TO;
  case KIND_PRESENT:
    return TYPE_PRESENT;
  case KIND_DELETE:
    return TYPE_DELETE;
  case KIND_RELEASE:
    return 0;
  default:
    return -1;
  }
}

static int is_pointer(unsigned kind) {
  return kind == KIND_POINTER || kind == KIND_ALWAYS_POINTER || kind == KIND_ATTACH;
}

static void put(gomp_map *map, void *base, void *begin, size_t size, int64_t type) {
  map->bases[map->count] = base;
  map->begins[map->count] = begin;
  map->sizes[map->count] = (int64_t)size;
  map->types[map->count++] = type;
}

static void put_range(gomp_map *map, const gomp_map_list *list, size_t i, int64_t member_of) {
  unsigned kind = kind_of(list, i);
  int64_t type = type_of(kind);
  if (type < 0 || !list->hosts[i]) return;
  size_t size = kind == KIND_POINTER ? sizeof(void *) : list->sizes[i];
  put(map, list->hosts[i], list->hosts[i], size, type | member_of);
}

/* The size of an entry for a pointer is its bias: the pointee begins at the pointer plus the bias. */
static void put_attachment(gomp_map *map, const gomp_map_list *list, size_t i) {
  unsigned kind = kind_of(list, i);
  char **pointer = list->hosts[i];
  if (!is_pointer(kind) || !pointer || !*pointer) return;
  put(map, pointer, *pointer + list->sizes[i], sizeof *pointer,
      TYPE_ATTACH | (kind == KIND_ALWAYS_POINTER ? TYPE_ALWAYS : 0));
}

/* One allocation for all listed members. Returns the number of members. */
static size_t put_struct(gomp_map *map, const gomp_map_list *list, size_t at) {
  size_t members = list->sizes[at], last = at + members;
  char *begin = NULL, *end = NULL;
  int64_t type = 0;
  for (size_t i = at + 1; i <= last && i < list->count; i++) {
    char *from = list->hosts[i];
    if (type_of(kind_of(list, i)) < 0) continue;
    if (!begin || from < begin) begin = from;
    if (!end || from + list->sizes[i] > end) end = from + list->sizes[i];
    if (kind_of(list, i) == KIND_DELETE) type = TYPE_DELETE;
  }
  if (!begin) return members;
  int64_t member_of = (int64_t)(map->count + 1) << MEMBER_SHIFT;
  put(map, list->hosts[at], begin, (size_t)(end - begin), type);
  for (size_t i = at + 1; i <= last && i < list->count; i++) put_range(map, list, i, member_of);
  return members;
}

gomp_map *solo_gomp_map_make(int32_t device, const gomp_map_list *list) {
  size_t most = 2 * list->count + 1;
  gomp_map *map = calloc(1, sizeof *map + most * 4 * sizeof(int64_t));
  if (!map) solo_kmp_fatal("out of memory for a map list of %zu entries", list->count);
  map->device = device;
  map->bases = (void **)(void *)(map + 1);
  map->begins = map->bases + most;
  map->sizes = (int64_t *)(void *)(map->begins + most);
  map->types = map->sizes + most;
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

/* Without a mapping the address remains. */
static void *translate(void *host, int32_t device) {
  void *mapped = host ? omp_get_mapped_ptr(host, device) : NULL;
  return mapped ? mapped : host;
}

static void *struct_on_device(const gomp_map_list *list, size_t at, int32_t device) {
  char *base = list->hosts[at];
  if (at + 1 >= list->count || !list->sizes[at]) return translate(base, device);
  char *member = list->hosts[at + 1];
  return (char *)translate(member, device) - (member - base);
}

void solo_gomp_map_arguments(const gomp_map *map, const gomp_map_list *list, void **arguments) {
  for (size_t i = 0; i < list->count; i++) {
    unsigned kind = kind_of(list, i);
    if (kind == KIND_STRUCT) arguments[i] = struct_on_device(list, i, map->device);
    /* NULL if the address is not mapped (OpenMP 5.0, 2.19.7.1) */
    else if (kind == KIND_ZERO_LENGTH)
      arguments[i] = list->hosts[i] ? omp_get_mapped_ptr(list->hosts[i], map->device) : NULL;
    else if (type_of(kind) >= 0)
      arguments[i] = translate(list->hosts[i], map->device);
    else
      arguments[i] = list->hosts[i];
  }
}

void solo_gomp_map_return(const gomp_map *map, const gomp_map_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    unsigned kind = kind_of(list, i);
    if (kind == KIND_DEVICE_POINTER || kind == KIND_POINTER_IF_PRESENT)
      list->hosts[i] = translate(list->hosts[i], map->device);
  }
}
