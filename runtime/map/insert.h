/* Creates the mapping of an absent range. */
#ifndef SOLO_MAP_INSERT_H
#define SOLO_MAP_INSERT_H

#include "runtime/map/map.h"

/* Creates a mapping with one reference in slot. SOLO_OK with slot->mapping NULL: another thread has
 * mapped, has claimed or is closing an overlapping range; the caller retries. */
solo_status solo_map_insert(solo_construct *c, const solo_map_range *r,
                            solo_map_slot *slot) SOLO_MUST_CHECK;

#endif
