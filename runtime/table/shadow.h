/* Attached pointers (shadows). The device copy of such a pointer holds a device address, which
 * later copies of the struct must preserve. One index serves all mappings of a table, because a
 * mapper can attach one pointer per array element.
 *
 * Ownership: the mapping owns its shadows. The caller holds the table's lock. SOLO_NOMEM has no text. */
#ifndef SOLO_SHADOW_H
#define SOLO_SHADOW_H

#include "runtime/table/index.h"
#include "runtime/table/mapping_word.h"
#include "runtime/table/memory.h"

typedef struct solo_shadow {
  struct solo_shadow *next;
  uintptr_t host;
  solo_devptr device; /* device address of the device copy of the pointer */
  uint64_t value;     /* device address of the pointee's base */
} solo_shadow;

typedef struct solo_shadows {
  solo_index *index;
  solo_shadow *free;
} solo_shadows;

/* *out_known: nonzero if this attachment already exists. */
solo_status solo_shadow_record(solo_shadows *shadows, solo_table_memory *memory,
                               solo_mapping *mapping, const solo_shadow *what,
                               int *out_known) SOLO_MUST_CHECK;

/* Copies up to `capacity` shadows in [begin, end), a part of one mapping. Returns how many exist. */
size_t solo_shadow_list(const solo_shadows *shadows, uintptr_t begin, uintptr_t end,
                        solo_shadow *out, size_t capacity);

void solo_shadow_drop(solo_shadows *shadows, solo_mapping *mapping);

#endif
