/* Plain entries: one range with to, from, tofrom or alloc; no modifier except present, no member,
 * no mapper. On a synchronous device these entries need no construct if the range is present
 * (launch/present.h) or cached. If a copy fails, a construct repeats the copy and reports the error. */
#ifndef SOLO_MAP_PLAIN_H
#define SOLO_MAP_PLAIN_H

#include "runtime/map/map.h"

#define SOLO_MAP_PLAIN                                                                             \
  (SOLO_MAP_TO | SOLO_MAP_FROM | SOLO_MAP_TARGET_PARAM | SOLO_MAP_IMPLICIT | SOLO_MAP_PRESENT |    \
   SOLO_MAP_LITERAL)

/* Reuses the cached mapping of entry i, copies its data and acquires a reference. Returns NULL if
 * this is not possible; then nothing has changed. */
solo_mapping *solo_map_plain_reuse(solo_device *device, const solo_map_list *list, int32_t i,
                                   uint64_t *out_version);

solo_status solo_map_plain_end(solo_device *device, const solo_map_list *list, int32_t i,
                               solo_map_slot *slot, const char *where) SOLO_MUST_CHECK;

#endif
