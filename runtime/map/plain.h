/* Plain entries: to, from, tofrom or alloc of a range, with no modifier but present, no member, no
 * mapper. On a device whose work is done when its call returns their beginning and their end need no
 * construct where the range is present (launch/present.h), and where it is mapped again and again, as a
 * sum or a small array is: its mapping is DORMANT in between (table/mapping_word.h), with its memory.
 *
 * What is not of this kind is left to begin.c.
 *
 * Threads: any. What is revived is the calling thread's until it is published, with its data, before the
 * call returns: nobody waits for it. Errors: a copy that fails is tried again by the general way, which
 * reports it.
 */
#ifndef SOLO_MAP_PLAIN_H
#define SOLO_MAP_PLAIN_H

#include "runtime/map/map.h"

/* Anything else in a map type is not plain. */
#define SOLO_MAP_PLAIN                                                                             \
  (SOLO_MAP_TO | SOLO_MAP_FROM | SOLO_MAP_TARGET_PARAM | SOLO_MAP_IMPLICIT | SOLO_MAP_PRESENT |    \
   SOLO_MAP_LITERAL)

/* Entry i, whose range was just looked up in vain: revives its mapping, sends its data and takes a
 * reference. NULL: it is not dormant, or that is not all that is to be done; nothing was done. */
solo_mapping *solo_map_plain_revive(solo_device *device, const solo_map_list *list, int32_t i,
                                    uint64_t *out_version);

/* solo_map_end for entry i alone. where: the construct's source location. */
solo_status solo_map_plain_end(solo_device *device, const solo_map_list *list, int32_t i,
                               solo_map_slot *slot, const char *where) SOLO_MUST_CHECK;

#endif
