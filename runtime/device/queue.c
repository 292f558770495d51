#include "runtime/device/queue.h"

#include "runtime/base/settings.h"
#include "runtime/device/rtl.h"

/* defined by abi/kmpc or libomp; NULL: the program has neither */
extern int omp_get_max_threads(void) SOLO_WEAK;

static solo_status ended(const solo_device *device, solo_trace_event *event, solo_status status) {
  if (SOLO_UNLIKELY(status != SOLO_OK)) {
    if (solo_device_has_rtl(device) && (status == SOLO_KERNEL_FAULT || status == SOLO_DEVICE_LOST))
      solo_error_note("%s", solo_rtl_host_call_hint(device));
    solo_error_set_device(device->number);
  }
  return solo_observe_end_any(event, status);
}

static void begun(const solo_device *device, solo_trace_event *event) {
  event->device = device->number;
  solo_observe_begin_any(event);
}

static solo_trace_event event_of(const solo_device *device, const solo_copy *copy) {
  static const solo_trace_kind kinds[] = {[SOLO_COPY_IN] = SOLO_TRACE_COPY_IN,
                                          [SOLO_COPY_OUT] = SOLO_TRACE_COPY_OUT,
                                          [SOLO_COPY_WITHIN] = SOLO_TRACE_COPY_WITHIN};
  return (solo_trace_event){.kind = kinds[copy->direction],
                            .peer = device->number,
                            .where = copy->where,
                            .bytes = copy->bytes,
                            .to = copy->to,
                            .from = copy->from};
}

solo_status solo_queue_copy_reported(const solo_device *device, solo_bqueue *queue,
                                     const solo_copy *copy) {
  unsigned long long to = copy->to, from = copy->from, bytes = copy->bytes;
  solo_info_variable variable;
  const char *name = solo_info_variable_of(copy->name, &variable);
  int in = copy->direction == SOLO_COPY_IN;
  if (copy->direction != SOLO_COPY_WITHIN)
    SOLO_INFO(SOLO_INFO_TRANSFER, device->number,
              "Copying data from %s, %sPtr=0x%016llx, %sPtr=0x%016llx, Size=%llu, Name=%s",
              in ? "host to device" : "device to host", in ? "Hst" : "Tgt", from,
              in ? "Tgt" : "Hst", to, bytes, name);
  solo_trace_event event = event_of(device, copy);
  begun(device, &event);
  return ended(device, &event,
               solo_queue_copy_unreported(device, queue, copy->to, copy->from, copy->bytes,
                                          copy->direction));
}

/* A CPU kernel without num_teams or thread_limit clause uses the settings, so these are printed. */
static void print_launch(const solo_device *device, const solo_kernel *kernel,
                         const solo_launch_record *record) {
  static const char *const modes[] = {"Generic", "Generic", "SPMD", "Generic-SPMD"};
  uint32_t teams = record->teams[0], threads = record->threads[0];
  if (!solo_device_has_rtl(device)) {
    const solo_settings_table *settings = solo_settings();
    if (!teams) teams = settings->teams_limit > 0 ? (uint32_t)settings->teams_limit : 1;
    if (!threads && settings->thread_limit > 0) threads = (uint32_t)settings->thread_limit;
    if (!threads) threads = omp_get_max_threads ? (uint32_t)omp_get_max_threads() : 1;
  }
  solo_info_print_launch(
      device->number, "Launching kernel %s with %u blocks and %u threads in %s mode", kernel->name,
      teams, threads, kernel->mode < sizeof modes / sizeof *modes ? modes[kernel->mode] : "bare");
}

solo_status solo_queue_launch_reported(const solo_device *device, solo_bqueue *queue,
                                       const solo_kernel *kernel, const solo_launch_record *record,
                                       const char *where) {
  if (solo_load_relaxed(&solo_info_bits) & SOLO_INFO_LAUNCH) /* relaxed: a setting */
    print_launch(device, kernel, record);
  solo_trace_event event = {.kind = SOLO_TRACE_KERNEL,
                            .peer = device->number,
                            .where = where,
                            .name = kernel->name,
                            .bytes = record->argument_bytes,
                            .teams = record->teams[0],
                            .threads = record->threads[0]};
  begun(device, &event);
  return ended(device, &event, solo_queue_launch_unreported(device, queue, kernel->handle, record));
}

solo_status solo_queue_wait(const solo_device *device, solo_bqueue *queue, const char *where) {
  solo_trace_event event = {.kind = SOLO_TRACE_WAIT, .peer = device->number, .where = where};
  begun(device, &event);
  return ended(device, &event, solo_queue_sync_unreported(device, queue));
}

solo_status solo_queue_fill(const solo_device *device, solo_bqueue *queue, solo_devptr to,
                            int value, uint64_t bytes) {
  solo_trace_event event = {
      .kind = SOLO_TRACE_FILL, .peer = device->number, .bytes = bytes, .to = to};
  begun(device, &event);
  return ended(device, &event, solo_backend_queue_fill(device->backend, queue, to, value, bytes));
}

solo_status solo_queue_copy_box(const solo_device *device, solo_bqueue *queue,
                                const solo_copy *copy, const solo_copy_box *box) {
  solo_trace_event event = event_of(device, copy);
  event.bytes = box->row_bytes * box->rows * box->slices;
  begun(device, &event);
  return ended(device, &event,
               solo_backend_queue_copy_box(device->backend, queue, copy->to, copy->from, box,
                                           copy->direction));
}

solo_status solo_queue_copy_peer(const solo_device *device, solo_bqueue *queue,
                                 const solo_device *to_device, const solo_copy *copy) {
  solo_trace_event event = event_of(device, copy);
  begun(to_device, &event);
  return ended(device, &event,
               solo_backend_queue_copy_peer(device->backend, queue, to_device->handle, copy->to,
                                            copy->from, copy->bytes));
}
