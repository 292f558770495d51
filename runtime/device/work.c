#include "runtime/device/work.h"

#include "runtime/backend_call.h"
#include "runtime/backend_work.h"
#include "runtime/trace/observer.h"

#ifndef SOLO_SINGLE_BACKEND

void solo_device_report_work(const solo_device *device) {
  static const uint8_t kinds[] = {[SOLO_WORK_KERNEL] = SOLO_TRACE_KERNEL,
                                  [SOLO_WORK_COPY_IN] = SOLO_TRACE_COPY_IN,
                                  [SOLO_WORK_COPY_OUT] = SOLO_TRACE_COPY_OUT,
                                  [SOLO_WORK_COPY_WITHIN] = SOLO_TRACE_COPY_WITHIN,
                                  [SOLO_WORK_FILL] = SOLO_TRACE_FILL};
  solo_device_work work[16];
  uint32_t count;
  while ((count = solo_backend_device_work(device->backend, device->handle, work, 16)) != 0)
    for (uint32_t n = 0; n < count; n++) {
      const solo_trace_event event = {.kind = (solo_trace_kind)kinds[work[n].kind],
                                      .device = work[n].device,
                                      .peer = work[n].device,
                                      .name = work[n].name,
                                      .bytes = work[n].bytes,
                                      .begin_ns = work[n].begin_ns,
                                      .end_ns = work[n].end_ns,
                                      .clock_error_ns = work[n].clock_error_ns};
      solo_observe_work(&event, work[n].where, work[n].queue);
    }
}

static void report_all(void) {
  int count = solo_load_acquire(&solo_devices_numbered); /* pairs with number_devices */
  for (int n = 0; n < count; n++)
    if (solo_devices[n]->handle) solo_device_report_work(solo_devices[n]);
}

void solo_device_watch_work(const solo_device *device) {
  if (device->backend->device_work) solo_observe_set_collector(report_all);
}

#endif
