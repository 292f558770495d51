/* Running a target region on a device: map, launch, unmap, wait; and nothing else on the way.
 *
 * Threads: any. Errors: whatever failed first, with variable, kernel and source line in the record;
 * the table is as it was before. After the first launch of a kernel with present mappings: no lock,
 * no heap, no system call but the driver's (tests/unit/test_hot_path).
 */
#ifndef SOLO_LAUNCH_H
#define SOLO_LAUNCH_H

#include "runtime/construct/nowait.h"
#include "runtime/launch/request.h"

solo_status solo_launch(solo_device *device, const solo_launch_request *request) SOLO_MUST_CHECK;

/* The same on an asynchronous device, ended later (construct/nowait.h). */
solo_status solo_launch_nowait(solo_device *device, const solo_launch_request *request,
                               solo_nowait_op **out_op) SOLO_MUST_CHECK;

#endif
