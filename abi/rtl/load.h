/* Devices, images and launches of the target RTL interface. Tables of images are never freed.
 * Threads: any. */
#ifndef SOLO_ABI_TGT_RTL_LOAD_H
#define SOLO_ABI_TGT_RTL_LOAD_H

#include "abi/include/tgt_rtl.h"
#include "runtime/device/kernel.h"
#include "runtime/launch/launch.h"

/* SOLO_DISABLED: OMP_TARGET_OFFLOAD is disabled. */
solo_status tgt_rtl_device(int32_t number, solo_device **out_device) SOLO_MUST_CHECK;

solo_status tgt_rtl_load(solo_device *device, const __tgt_device_image *image,
                         tgt_target_table **out_table) SOLO_MUST_CHECK;

solo_status tgt_rtl_check_range(const void *target, const void *host, int64_t size) SOLO_MUST_CHECK;
solo_status tgt_rtl_check_launch(const void *entry, void *const *vars,
                                 int32_t count) SOLO_MUST_CHECK;

/* Returns whether the kernel has a launch environment as hidden first parameter, as Clang's kernels
 * do. */
int tgt_rtl_has_hidden(const solo_kernel *kernel);

solo_launch_request tgt_rtl_shape(int32_t teams, int32_t threads);

solo_status tgt_rtl_run(solo_device *device, const solo_kernel *kernel, void **vars, int32_t count,
                        const solo_launch_request *shape) SOLO_MUST_CHECK;

#endif
