/* Attached pointers inside mappings: what the device copy holds, and where.
 *
 * A struct copied to the device carries host addresses; those of its pointers that were attached
 * hold device addresses there. Each is noted here, so that a later copy of the struct can keep both
 * sides right. One ordered index per mapping table, by the pointer's host address: a mapper over an
 * array attaches a pointer per element, and each element asks for its own.
 *
 * Ownership: a shadow goes with its mapping. Threads: the lock of the mapping's table (mapping.h) is held. Errors:
 * NOMEM (no text).
 */
#ifndef SOLO_SHADOW_H
#define SOLO_SHADOW_H

#include "runtime/table/index.h"
#include "runtime/table/mapping_word.h"
#include "runtime/table/memory.h"

typedef struct solo_shadow {
  struct solo_shadow *next; /* free list */
  uintptr_t host;           /* address of the pointer on the host */
  solo_devptr device;       /* of its copy */
  uint64_t value;           /* device address of the pointee's base */
} solo_shadow;

typedef struct solo_shadows {
  solo_index *index; /* by host address; NULL: never was one */
  solo_shadow *free;
} solo_shadows;

/* Notes an attachment; the whole pointer lies within the mapping. *out_known: nonzero when this
 * very one was already there. */
solo_status solo_shadow_record(solo_shadows *shadows, solo_table_memory *memory,
                               solo_mapping *mapping, const solo_shadow *what,
                               int *out_known) SOLO_MUST_CHECK;

/* Copies the shadows within [begin, end), a part of one mapping, into out (at most capacity); the
 * number there are. */
size_t solo_shadow_list(const solo_shadows *shadows, uintptr_t begin, uintptr_t end,
                        solo_shadow *out, size_t capacity);

/* Forgets those of a mapping that leaves. */
void solo_shadow_drop(solo_shadows *shadows, solo_mapping *mapping);

#endif
