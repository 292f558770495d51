#include "runtime/table/names.h"

#include "runtime/base/atomic.h"
#include "runtime/base/generation.h"
#include <string.h>

enum { FIRST_SLOTS = 8, MOST_NAMES = 1 << 16 };

typedef struct solo_name {
  const char *at;      /* address of the original string; NULL: free slot */
  uint64_t generation; /* registry generation at the last comparison of copy and original */
  char *copy;
} solo_name;

static solo_name *slot_of(solo_name *slots, size_t capacity, const char *at) {
  size_t i = (size_t)(((uintptr_t)at * UINT64_C(0x9e3779b97f4a7c15)) >> 40) & (capacity - 1);
  while (slots[i].at && slots[i].at != at) i = (i + 1) & (capacity - 1);
  return &slots[i];
}

static int grow(solo_names *names, solo_table_memory *memory) {
  size_t capacity = names->capacity ? 2 * names->capacity : FIRST_SLOTS;
  solo_name *slots = solo_table_memory_allocate(memory, capacity * sizeof *slots);
  if (!slots) return 0;
  for (size_t i = 0; i < names->capacity; i++)
    if (names->slots[i].at) *slot_of(slots, capacity, names->slots[i].at) = names->slots[i];
  names->slots = slots;
  names->capacity = capacity;
  return 1;
}

static SOLO_NOINLINE const char *find_again(solo_names *names, solo_table_memory *memory,
                                            const char *text, uint64_t generation) {
  if (names->count == MOST_NAMES) return NULL;
  if (2 * (names->count + 1) > names->capacity && !grow(names, memory)) return NULL;
  solo_name *name = slot_of(names->slots, names->capacity, text);
  if (!name->at || strcmp(name->copy, text) != 0) {
    size_t bytes = strlen(text) + 1;
    char *copy = solo_table_memory_allocate(memory, bytes);
    if (!copy) return NULL;
    name->at = text;
    /* a new block, because mappings can still use the old copy */
    name->copy = memcpy(copy, text, bytes);
    names->count++;
  }
  name->generation = generation;
  return name->copy;
}

const char *solo_names_copy(solo_names *names, solo_table_memory *memory, const char *text) {
  /* relaxed: the caller executes a construct of the string's library, so the library stays
   * registered */
  uint64_t generation = solo_load_relaxed(&solo_registry_generation);
  if (SOLO_LIKELY(names->capacity)) {
    const solo_name *name = slot_of(names->slots, names->capacity, text);
    if (SOLO_LIKELY(name->at && name->generation == generation)) return name->copy;
  }
  return find_again(names, memory, text, generation);
}
