#ifndef SOLO_LAUNCH_GRID_H
#define SOLO_LAUNCH_GRID_H

#include "runtime/device/kernel.h"
#include "runtime/launch/request.h"

void solo_launch_dimensions(const solo_device *device, const solo_kernel *kernel,
                            const solo_launch_request *request, solo_launch_record *out_record);

#endif
