/* Executes a target region on a device. Threads: any. Errors name variable, kernel and source line.
 * After the first launch, a region with present mappings uses no lock, heap or system call, except
 * in the driver (tests/unit/test_hot_path.c). */
#ifndef SOLO_LAUNCH_H
#define SOLO_LAUNCH_H

#include "runtime/construct/nowait.h"
#include "runtime/launch/request.h"

solo_status solo_launch(solo_device *device, const solo_launch_request *request) SOLO_MUST_CHECK;

/* For asynchronous devices (construct/nowait.h). */
solo_status solo_launch_nowait(solo_device *device, const solo_launch_request *request,
                               solo_nowait_op **out_op) SOLO_MUST_CHECK;

#endif
