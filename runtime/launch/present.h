/* Target regions that run faster because they need no construct: on a synchronous device, with a
 * list of literals and plain maps of present or cached ranges (map/plain.h). Threads: any. */
#ifndef SOLO_LAUNCH_PRESENT_H
#define SOLO_LAUNCH_PRESENT_H

#include "runtime/map/map.h"

/* Fills slots and out_arguments. Returns the number of processed entries; solo_map_begin_from
 * continues with the next one. */
int32_t solo_present_begin(solo_device *device, const solo_map_list *list, solo_map_slot *slots,
                           uint64_t *out_arguments, int32_t *out_argument_count);

solo_status solo_present_end(solo_device *device, const solo_map_list *list, solo_map_slot *slots,
                             const char *where) SOLO_MUST_CHECK;

/* Releases the references of a kernel that did not run. Preserves the error record. */
void solo_present_undo(solo_device *device, const solo_map_list *list, solo_map_slot *slots,
                       const char *where) SOLO_COLD;

#endif
