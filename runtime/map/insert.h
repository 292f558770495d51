/* Creates the mapping of an absent range. Threads: the construct's. Errors: the text names the
 * variable and the device. */
#ifndef SOLO_MAP_INSERT_H
#define SOLO_MAP_INSERT_H

#include "runtime/map/map.h"

/* Creates a mapping with one reference, in slot. slot->mapping NULL with SOLO_OK: another thread
 * has mapped, claimed or is closing an overlapping range: retry. */
solo_status solo_map_insert(solo_construct *c, const solo_map_range *r,
                            solo_map_slot *slot) SOLO_MUST_CHECK;

#endif
