/* A new mapping for a range that is absent.
 *
 * Threads: the construct's. Errors: the record says which variable, on which device.
 */
#ifndef SOLO_MAP_INSERT_H
#define SOLO_MAP_INSERT_H

#include "runtime/map/map.h"

/* Makes a mapping for the range, with memory and one reference, for which *out_version is given; its
 * data is there already or noted for submission. *out_mapping NULL: there is none; with SOLO_OK
 * another thread has mapped the range, or a part of it, or is just ending it: look again. */
solo_status solo_map_insert(solo_construct *c, const solo_map_range *r, solo_mapping **out_mapping,
                            uint64_t *out_version) SOLO_MUST_CHECK;

#endif
