/* Interned names (mapping_names.h). */
#include "runtime/mapping_names.h"

#include "runtime/mapping.h"
#include <string.h>

enum { FIRST_SLOTS = 64, MOST_NAMES = 1 << 16 };

static size_t hash(const char *text) {
  uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
  for (; *text; text++) h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return (size_t)(h ^ (h >> 32));
}

static char **slot_of(char **slots, size_t capacity, const char *text) {
  size_t i = hash(text) & (capacity - 1);
  while (slots[i] && strcmp(slots[i], text) != 0) i = (i + 1) & (capacity - 1);
  return &slots[i];
}

/* The smaller array stays with the table's other memory: together they are no more than the last.
 */
static int grow(solo_mapping_table *table) {
  solo_names *names = &table->names;
  size_t capacity = names->capacity ? 2 * names->capacity : FIRST_SLOTS;
  char **slots = solo_mapping_table_memory(table, capacity * sizeof *slots);
  if (!slots) return 0;
  for (size_t i = 0; i < names->capacity; i++)
    if (names->slots[i]) *slot_of(slots, capacity, names->slots[i]) = names->slots[i];
  names->slots = slots;
  names->capacity = capacity;
  return 1;
}

const char *solo_names_copy(solo_mapping_table *table, const char *text) {
  solo_names *names = &table->names;
  if (names->capacity) {
    const char *known = *slot_of(names->slots, names->capacity, text);
    if (known) return known;
  }
  if (names->count == MOST_NAMES) return NULL;
  if (2 * (names->count + 1) > names->capacity && !grow(table)) return NULL;
  size_t bytes = strlen(text) + 1;
  char *copy = solo_mapping_table_memory(table, bytes);
  if (!copy) return NULL;
  names->count++;
  return *slot_of(names->slots, names->capacity, text) = memcpy(copy, text, bytes);
}
