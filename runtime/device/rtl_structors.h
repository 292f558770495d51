/* Constructors and destructors of a module's globals.
 *
 * Threads: called with the device's lock held.
 */
#ifndef SOLO_RTL_STRUCTORS_H
#define SOLO_RTL_STRUCTORS_H

#include "runtime/device/module.h"

/* Constructors or destructors of device globals. */
typedef enum solo_structors { SOLO_STRUCTORS_INIT, SOLO_STRUCTORS_FINI } solo_structors;
solo_status solo_rtl_structors(solo_device *device, solo_module *module,
                               solo_structors which) SOLO_MUST_CHECK;

#endif
