/* Function pointers across host and device: one immutable table per device and image set, sorted by
 * host address (DESIGN 9; seed declare_target_indirect.md).
 *
 * Threads: called with the device's lock held.
 */
#ifndef SOLO_FPTR_H
#define SOLO_FPTR_H

#include "runtime/module.h"

solo_status solo_fptr_library_loaded(solo_device *device, solo_module *module) SOLO_MUST_CHECK;
void solo_fptr_library_leaving(solo_device *device, solo_module *module);

#endif
