/* A new mapping for a range that is absent.
 *
 * Threads: the construct's. Errors: the record says which variable, on which device.
 */
#ifndef SOLO_MAP_INSERT_H
#define SOLO_MAP_INSERT_H

#include "runtime/map/map.h"

/* Makes a mapping for the range, with memory and one reference, which the slot holds: MADE, and FILLED
 * if its data is there already. Its mapping NULL: there is none; with SOLO_OK another thread has
 * mapped the range, or a part of it, or is just ending it: look again. */
solo_status solo_map_insert(solo_construct *c, const solo_map_range *r,
                            solo_map_slot *slot) SOLO_MUST_CHECK;

#endif
