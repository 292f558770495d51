/* Regions whose data is present already, or was there before and comes again: the common cases in a
 * loop, in a few dozen instructions per array.
 *
 * On a device whose work is done when its call returns, a list of literals and of plain maps of
 * present ranges, and of dormant ones (map/plain.h), needs no construct: nothing is kept in flight or
 * waited for; a reference is taken for as long as the kernel runs. What is not of this kind is left to
 * map/map.h, which takes over from the entry at which this stopped: slots are filled alike.
 *
 * Threads: any.
 */
#ifndef SOLO_LAUNCH_PRESENT_H
#define SOLO_LAUNCH_PRESENT_H

#include "runtime/map/map.h"

/* Takes references for the entries from the first on, fills their slots and out_arguments. Returns
 * how many entries it did: the list's count, or the index of the first that is not of the kind. */
int32_t solo_present_begin(solo_device *device, const solo_map_list *list, solo_map_slot *slots,
                           uint64_t *out_arguments, int32_t *out_argument_count);

/* After a begin of all entries and the kernel's end: solo_map_end for all. */
solo_status solo_present_end(solo_device *device, const solo_map_list *list, solo_map_slot *slots,
                             const char *where) SOLO_MUST_CHECK;

/* Called instead when the kernel never ran: gives the references back, moves no data, keeps the error's record. */
void solo_present_undo(solo_device *device, const solo_map_list *list, solo_map_slot *slots,
                       const char *where) SOLO_COLD;

#endif
