#ifndef SOLO_RTL_STRUCTORS_H
#define SOLO_RTL_STRUCTORS_H

#include "runtime/device/module.h"

/* The caller holds the device's lock. */
typedef enum solo_structors { SOLO_STRUCTORS_INIT, SOLO_STRUCTORS_FINI } solo_structors;
solo_status solo_rtl_structors(solo_device *device, solo_module *module,
                               solo_structors which) SOLO_MUST_CHECK;
void solo_rtl_structors_free(solo_module *module);

#endif
