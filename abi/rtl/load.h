/* What the files of the target RTL interface share: devices, images, launches (tgt_rtl.h).
 *
 * Ownership: tables live as long as the process. Threads: any. Errors: statuses with a record.
 */
#ifndef SOLO_ABI_TGT_RTL_LOAD_H
#define SOLO_ABI_TGT_RTL_LOAD_H

#include "abi/include/tgt_rtl.h"
#include "runtime/device/kernel.h"
#include "runtime/launch/launch.h"

/* DISABLED, with a record, when nothing may be offloaded. */
solo_status tgt_rtl_device(int32_t number, solo_device **out_device) SOLO_MUST_CHECK;

/* The image's table on the device: its library registered (unless it is) and loaded. */
solo_status tgt_rtl_load(solo_device *device, const __tgt_device_image *image,
                         tgt_target_table **out_table) SOLO_MUST_CHECK;

/* INVALID: what cannot be an argument. */
solo_status tgt_rtl_check_range(const void *target, const void *host, int64_t size) SOLO_MUST_CHECK;
solo_status tgt_rtl_check_launch(const void *entry, void *const *vars,
                                 int32_t count) SOLO_MUST_CHECK;

/* Does the kernel take a launch environment before the region's parameters? Kernels of Clang do, those
 * of the design's document do not. */
int tgt_rtl_has_hidden(const solo_kernel *kernel);

/* Teams and threads of a launch; <= 0: not said. */
solo_launch_request tgt_rtl_shape(int32_t teams, int32_t threads);

/* Runs a kernel to its end. */
solo_status tgt_rtl_run(solo_device *device, const solo_kernel *kernel, void **vars, int32_t count,
                        const solo_launch_request *shape) SOLO_MUST_CHECK;

#endif
