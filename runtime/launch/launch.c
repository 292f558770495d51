#include "runtime/launch/launch.h"

#include "runtime/base/assert.h"
#include "runtime/base/settings.h"
#include "runtime/device/resolve.h"
#include "runtime/launch/arguments.h"
#include "runtime/launch/grid.h"
#include "runtime/launch/present.h"

enum { FEW_SLOTS = 8, SLOTS_ON_STACK = 64 };

static SOLO_COLD void note_kernel(const solo_device *device, const char *where,
                                  const solo_kernel *kernel) {
  solo_error_set_device(device->number); /* run_plain calls functions that do not set the device */
  solo_error_note(" (kernel %s%s%s)", kernel->name, where ? ", " : "", where ? where : "");
}

/* Sets all members except the arguments. CPU kernels create their own teams, so they receive the
 * request unchanged. */
SOLO_INLINE void fill_shape(const solo_device *device, const solo_kernel *kernel,
                            const solo_launch_request *request, solo_launch_record *out) {
  out->inline_data_bytes = 0;
  out->trip_count = request->trip_count;
  if (SOLO_UNLIKELY(solo_device_has_rtl(device))) {
    solo_launch_dimensions(device, kernel, request, out);
    return;
  }
  out->teams[0] = request->teams[0];
  out->threads[0] = request->threads[0];
  out->teams[1] = out->teams[2] = out->threads[1] = out->threads[2] = 1;
  out->shared_bytes = request->shared_bytes;
}

SOLO_INLINE void fill_arguments(const solo_launch_request *request, const uint64_t *arguments,
                                int count, solo_launch_record *out) {
  out->arguments = arguments;
  out->argument_bytes = (uint32_t)(count + 1) * 8;
  if (SOLO_UNLIKELY(request->flags & SOLO_LAUNCH_NO_HIDDEN)) {
    out->arguments = arguments + 1;
    out->argument_bytes -= 8;
    if (out->inline_data_bytes) out->inline_data_slots >>= 1;
  }
}

static solo_status run(solo_construct *c, const solo_kernel *kernel,
                       const solo_launch_request *request, const solo_launch_memory *memory,
                       solo_launch_record *record) {
  if (SOLO_UNLIKELY(kernel->reduction_length))
    SOLO_TRY(solo_launch_environment(c, kernel, record, &memory->arguments[0]));
  fill_arguments(request, memory->arguments, memory->count, record);
  SOLO_ASSERT(!c->transfers, "a kernel is launched before all copies are enqueued");
  c->enqueued = 1;
  return solo_queue_launch(c->device, c->queue, kernel, record, c->where);
}

/* If one of these reports is enabled, a launch uses a construct. */
#define REPORTED (SOLO_LAUNCHES_REPORTED | SOLO_INFO_MAPPING_EXISTS | SOLO_INFO_EMPTY_MAPPING)

SOLO_INLINE int is_plain(const solo_device *device, const solo_kernel *kernel) {
  return solo_device_is_synchronous(device) && !kernel->reduction_length &&
         !(solo_load_relaxed(&solo_info_bits) & REPORTED); /* relaxed: settings */
}

SOLO_INLINE solo_status run_plain(const solo_device *device, const solo_kernel *kernel,
                                  const solo_launch_request *request, uint64_t *arguments,
                                  int count) {
  solo_launch_record record;
  arguments[0] = UINT64_MAX;
  fill_shape(device, kernel, request, &record);
  fill_arguments(request, arguments, count, &record);
  solo_status status =
      solo_queue_launch_unreported(device, device->shared_queue, kernel->handle, &record);
  if (SOLO_UNLIKELY(status != SOLO_OK)) note_kernel(device, request->where, kernel);
  return status;
}

enum { NOT_BEGUN = -1 };

/* Maps entries from `first` on (NOT_BEGUN: all), launches the kernel and unmaps all entries. */
static solo_status run_mapped(solo_construct *c, const solo_kernel *kernel,
                              const solo_launch_request *request, solo_launch_memory *memory,
                              int32_t first) {
  solo_launch_record record;
  const solo_map_list *list = &request->list;
  SOLO_TRY(first == NOT_BEGUN ? solo_map_begin(c, list, memory->slots)
                              : solo_map_begin_from(c, list, memory->slots, first));
  if (SOLO_UNLIKELY(request->flags & SOLO_LAUNCH_PRINTED)) request->begun(c, list);
  memory->arguments[0] = UINT64_MAX;
  fill_shape(c->device, kernel, request, &record);
  solo_status status = solo_launch_arguments(c, kernel, list, memory, &record);
  if (status == SOLO_OK) status = solo_map_submit(c);
  if (status == SOLO_OK) {
    status = run(c, kernel, request, memory, &record);
    if (SOLO_UNLIKELY(status != SOLO_OK)) note_kernel(c->device, c->where, kernel);
  }
  if (SOLO_UNLIKELY(status != SOLO_OK)) {
    solo_map_undo(c, list, memory->slots);
    return status;
  }
  return solo_map_end(c, list, memory->slots);
}

static SOLO_NOINLINE solo_status run_construct(solo_device *device, const solo_kernel *kernel,
                                               const solo_launch_request *request,
                                               solo_launch_memory *memory, int32_t first) {
  SOLO_TRY(solo_map_check(&request->list, "target region"));
  solo_construct c;
  solo_status status = solo_construct_open(&c, device, request->where);
  if (SOLO_LIKELY(status == SOLO_OK)) status = run_mapped(&c, kernel, request, memory, first);
  return solo_construct_close(&c, status);
}

static SOLO_COLD solo_status run_with_many(solo_device *device, const solo_kernel *kernel,
                                           const solo_launch_request *request) {
  SOLO_TRY(solo_map_check(&request->list, "target region"));
  size_t count = (size_t)request->list.count;
  solo_scratch_mark mark = solo_scratch_begin();
  solo_launch_memory memory = {.slots = solo_scratch_allocate(count * sizeof(solo_map_slot)),
                               .arguments = solo_scratch_allocate((count + 1) * 8)};
  solo_status status = memory.slots && memory.arguments
                           ? run_construct(device, kernel, request, &memory, NOT_BEGUN)
                           : SOLO_NOMEM;
  solo_scratch_end(mark);
  return status;
}

SOLO_INLINE solo_status run_with(solo_device *device, const solo_kernel *kernel,
                                 const solo_launch_request *request, solo_launch_memory *memory) {
  const solo_map_list *list = &request->list;
  int32_t done = NOT_BEGUN, count;
  if (is_plain(device, kernel)) {
    done = solo_present_begin(device, list, memory->slots, memory->arguments + 1, &count);
    if (SOLO_LIKELY(done == list->count)) {
      solo_status status = run_plain(device, kernel, request, memory->arguments, count);
      if (SOLO_LIKELY(status == SOLO_OK))
        return solo_present_end(device, list, memory->slots, request->where);
      solo_present_undo(device, list, memory->slots, request->where);
      return status;
    }
  }
  return run_construct(device, kernel, request, memory, done);
}

/* Small arrays, so that a short program touches one stack page less. */
static SOLO_NOINLINE solo_status run_with_few(solo_device *device, const solo_kernel *kernel,
                                              const solo_launch_request *request) {
  solo_map_slot slots[FEW_SLOTS];
  uint64_t arguments[FEW_SLOTS + 1];
  return run_with(device, kernel, request, &(solo_launch_memory){slots, arguments, 0});
}

static SOLO_COLD solo_status run_with_more(solo_device *device, const solo_kernel *kernel,
                                           const solo_launch_request *request) {
  solo_map_slot slots[SLOTS_ON_STACK];
  uint64_t arguments[SLOTS_ON_STACK + 1];
  return run_with(device, kernel, request, &(solo_launch_memory){slots, arguments, 0});
}

/* A separate function for each case, so that the shortest path saves no registers. */
solo_status solo_launch(solo_device *device, const solo_launch_request *request) {
  solo_kernel *kernel;
  SOLO_TRY(solo_kernel_get(device, request->key, &kernel));
  if (SOLO_UNLIKELY((uint32_t)request->list.count > SLOTS_ON_STACK))
    return run_with_many(device, kernel, request);
  if (request->list.count > FEW_SLOTS) return run_with_more(device, kernel, request);
  if (request->list.count > 0) return run_with_few(device, kernel, request);
  uint64_t none[1] = {0};
  if (is_plain(device, kernel)) return run_plain(device, kernel, request, none, 0);
  return run_construct(device, kernel, request, &(solo_launch_memory){NULL, none, 0}, NOT_BEGUN);
}

typedef struct nowait_launch {
  const solo_kernel *kernel;
  const solo_launch_request *request;
} nowait_launch;

static solo_status run_nowait(solo_construct *c, void *context) {
  const nowait_launch *l = context;
  size_t count = (size_t)l->request->list.count;
  solo_launch_memory memory = {.slots = solo_scratch_allocate(count * sizeof(solo_map_slot)),
                               .arguments = solo_scratch_allocate((count + 1) * 8)};
  if (!memory.slots || !memory.arguments) return SOLO_NOMEM;
  return run_mapped(c, l->kernel, l->request, &memory, NOT_BEGUN);
}

solo_status solo_launch_nowait(solo_device *device, const solo_launch_request *request,
                               solo_nowait_op **out_op) {
  SOLO_TRY(solo_map_check(&request->list, "target region"));
  solo_kernel *kernel;
  SOLO_TRY(solo_kernel_get(device, request->key, &kernel));
  nowait_launch l = {kernel, request};
  const solo_nowait_request nowait = {
      .device = device,
      .where = request->where,
      .work = run_nowait,
      .context = &l,
      .flags = solo_map_reads_host(&request->list, SOLO_MAP_BEGINS) ? SOLO_NOWAIT_READS_HOST : 0};
  return solo_nowait_start(&nowait, out_op);
}
