/* Copies of variable names, because a mapping can outlive the library that contains its name
 * (dlclose). After libraries were registered or removed, a string is compared with its copy again,
 * because a string of another library can be at the same address.
 *
 * Ownership: copies live as long as the table. The caller holds the table's lock. Without memory
 * the mapping has no name. */
#ifndef SOLO_MAPPING_NAMES_H
#define SOLO_MAPPING_NAMES_H

#include "runtime/base/platform.h"
#include "runtime/table/memory.h"

typedef struct solo_names {
  struct solo_name *slots; /* hash table, or NULL; capacity is a power of two */
  size_t capacity, count;
} solo_names;

const char *solo_names_copy(solo_names *names, solo_table_memory *memory, const char *text);

#endif
