/* Map lists of GCC's target constructs on a CPU device. The caller frees a map with free(). Errors: as
 * in __tgt_target_data_begin_mapper(). */
#ifndef SOLO_GOMP_MAP_H
#define SOLO_GOMP_MAP_H

#include "abi/gomp/internal.h"

typedef struct gomp_map_list {
  size_t count;
  void **hosts;
  const size_t *sizes;
  const unsigned short *kinds;
} gomp_map_list;

typedef enum gomp_map_use {
  GOMP_MAP_REGION, /* a target region */
  GOMP_MAP_BEGINS, /* target data, target enter data */
  GOMP_MAP_ENDS,   /* target exit data */
  GOMP_MAP_UPDATES,
} gomp_map_use;

typedef struct gomp_map {
  struct gomp_map *outer; /* map of the thread's enclosing target data construct; NULL: none */
  int32_t device, count;
  gomp_map_use use;
  void **bases, **begins;
  int64_t *sizes, *types;
  const void **mappings; /* mappings that contained the ranges before the construct; NULL: none */
} gomp_map;

gomp_map *solo_gomp_map_make(int32_t device, const gomp_map_list *list, gomp_map_use use);
void solo_gomp_map_begin(gomp_map *map);
void solo_gomp_map_end(gomp_map *map);
void solo_gomp_map_update(gomp_map *map);
/* Writes the device addresses of all entries to `arguments`. */
void solo_gomp_map_arguments(const gomp_map *map, const gomp_map_list *list, void **arguments);
/* Replaces the addresses of use_device_ptr and use_device_addr by device addresses. */
void solo_gomp_map_return(const gomp_map *map, const gomp_map_list *list);

#endif
