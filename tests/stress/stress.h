/* Hand-written libraries, map lists and calls for the tests of this folder. A library is a binary
 * descriptor with one linked image. */
#ifndef SOLO_TEST_STRESS_H
#define SOLO_TEST_STRESS_H

#include "abi/include/solo.h"
#include "abi/tgt.h"
#include "runtime/device/devices.h"
#include "runtime/device/pool.h"
#include "runtime/image/linked.h"
#include "runtime/map/map.h"
#include "tests/deferred/deferred.h"
#include "tests/unit/test.h"

/* NULL in programs without the deferred backend. */
extern solo_deferred_counts solo_deferred_count(void) __attribute__((weak));

typedef struct library {
  solo_linked_symbol symbols[2]; /* sorted by name */
  solo_linked_image image;
  tgt_entry_22 entries[2];
  tgt_device_image device_image;
  tgt_bin_desc descriptor;
  char key;
} library;

/* Defines a kernel "k" and a variable "g" with a device copy. */
static inline void library_make(library *l, void *kernel, int *host, int *device) {
  *l = (library){
      .symbols = {{"g", device, sizeof *device}, {"k", kernel, 0}},
      .image = {SOLO_LINKED_MAGIC, SOLO_LINKED_VERSION, 0, 1, SOLO_ARCH_ELF_MACHINE, 2, l->symbols},
      .entries = {{0, 1, 1, 0, &l->key, (char *)(uintptr_t) "k", 0, 0, NULL},
                  {0, 1, 1, 0, host, (char *)(uintptr_t) "g", sizeof *host, 0, NULL}},
      .device_image = {&l->image, &l->image + 1, l->entries, l->entries + 2},
      .descriptor = {1, &l->device_image, l->entries, l->entries + 2}};
}

/* A map list of up to eight entries; add() appends an entry. */
typedef struct list {
  int count;
  void *bases[8], *begins[8], *names[8], *mappers[8];
  int64_t sizes[8], types[8];
} list;

static inline list *add(list *l, void *base, void *begin, int64_t size, uint64_t type) {
  int i = l->count++;
  l->bases[i] = base;
  l->begins[i] = begin;
  l->sizes[i] = size;
  l->types[i] = (int64_t)type;
  l->names[i] = NULL;
  l->mappers[i] = NULL;
  return l;
}

static inline void enter(list *l) {
  __tgt_target_data_begin_mapper(NULL, 0, l->count, l->bases, l->begins, l->sizes, l->types,
                                 l->names, l->mappers);
}
static inline void leave(list *l) {
  __tgt_target_data_end_mapper(NULL, 0, l->count, l->bases, l->begins, l->sizes, l->types, l->names,
                               l->mappers);
}
static inline void update(list *l) {
  __tgt_target_data_update_mapper(NULL, 0, l->count, l->bases, l->begins, l->sizes, l->types,
                                  l->names, l->mappers);
}
static inline int launch(void *key, list *l) {
  tgt_kernel_args args = {.version = 3,
                          .count = (uint32_t)l->count,
                          .bases = l->bases,
                          .begins = l->begins,
                          .sizes = l->sizes,
                          .types = l->types,
                          .names = l->names,
                          .mappers = l->mappers,
                          .num_teams = {UINT32_MAX, 0, 0}};
  return __tgt_target_kernel(NULL, 0, -1, 0, key, &args);
}

/* Returns the mapping that is in use at the host address, or NULL. */
static inline solo_mapping *mapping_at(void *host) {
  solo_device *device = NULL;
  CHECK(solo_device_get(0, &device) == SOLO_OK);
  solo_mapping *m = device ? solo_mapping_find(&device->mappings, (uintptr_t)host) : NULL;
  return m && !solo_mapping_is_out_of_use(m) ? m : NULL;
}

/* Checks that the table is valid and has this many mappings. Without mappings, no block may be
 * allocated. */
static inline void check_left(size_t mappings) {
  solo_device *device;
  if (solo_device_get(0, &device) != SOLO_OK) {
    CHECK(!"device 0");
    return;
  }
  CHECK(solo_mapping_table_check(&device->mappings) == NULL);
  solo_pool_trim(device); /* also removes cached mappings */
  CHECK_INT(solo_mapping_table_count(&device->mappings), mappings);
  CHECK(solo_mapping_table_check(&device->mappings) == NULL);
  if (solo_deferred_count && !mappings) CHECK_INT(solo_deferred_count().blocks, 0);
}

#endif
