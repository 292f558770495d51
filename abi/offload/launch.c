#include "abi/offload/stream.h"

static ol_result_t launch_now(ol_device *on, const ol_work *work) {
  ol_stream *stream;
  if (on->device->synchronous) {
    OL_TRY_STATUS(
        ol_core->launch(on->device, on->device->shared_queue, work->kernel, &work->launch, NULL));
    return OL_SUCCESS;
  }
  OL_TRY(ol_stream_open(on, NULL, &stream));
  ol_result_t result = ol_stream_add(stream, work), end = ol_stream_sync(stream);
  ol_stream_close(stream);
  return result ? result : end;
}

static ol_result_t launch(ol_device *on, const ol_queue *queue, const ol_work *work) {
  if (!queue) return launch_now(on, work);
  if (queue->stream) return ol_stream_add(queue->stream, work);
  OL_TRY_STATUS(ol_core->launch(on->device, queue->queue, work->kernel, &work->launch, NULL));
  return OL_SUCCESS;
}

static int is_cpu(const ol_device *on) {
  return on->device->info.warp_size <= 1;
}

static int has_zero(const ol_dimensions_t *d) {
  return !d->x || !d->y || !d->z;
}

static ol_result_t find_kernel(const ol_device *on, ol_symbol_handle_t kernel, ol_symbol **out) {
  ol_symbol *symbol;
  OL_FIND(symbol, ol_symbols, kernel, OL_ERRC_INVALID_ARGUMENT);
  if (symbol->kind != OL_SYMBOL_KIND_KERNEL)
    return ol_fail(OL_ERRC_SYMBOL_KIND, "%s is a variable, not a kernel", symbol->name);
  if (symbol->program->on != on)
    return ol_fail(OL_ERRC_INVALID_DEVICE, "kernel %s belongs to device %d, not to device %d",
                   symbol->name, symbol->program->on->number, on->number);
  *out = symbol;
  return OL_SUCCESS;
}

ol_result_t olLaunchKernel(ol_queue_handle_t queue, ol_device_handle_t device,
                           ol_symbol_handle_t kernel, const void *arguments_data,
                           size_t arguments_size,
                           const ol_kernel_launch_size_args_t *launch_size_args) {
  ol_device *on;
  ol_symbol *symbol;
  ol_queue *it = NULL;
  OL_ENTER();
  if (!arguments_data && arguments_size)
    return ol_fail(OL_ERRC_INVALID_ARGUMENT, "arguments_data is NULL, arguments_size is %zu",
                   arguments_size);
  if (!device) return ol_null_handle("device");
  if (!kernel) return ol_null_handle("kernel");
  OL_POINTER(launch_size_args);
  OL_FIND_DEVICE(on, device);
  if (queue) OL_FIND_QUEUE(it, queue);
  if (it && it->on != on)
    return ol_fail(OL_ERRC_INVALID_DEVICE, "the queue belongs to device %d, not to device %d",
                   it->on->number, on->number);
  OL_TRY(find_kernel(on, kernel, &symbol));
  if (arguments_size > UINT32_MAX || launch_size_args->DynSharedMemory > UINT32_MAX)
    return ol_fail(OL_ERRC_INVALID_ARGUMENT, "kernel %s: arguments or shared memory exceed 4 GiB",
                   symbol->name);
  const ol_dimensions_t *groups = &launch_size_args->NumGroups;
  const ol_dimensions_t *size = &launch_size_args->GroupSize;
  /* on a CPU device, sizes are upper limits, and 0 means no limit */
  if (!is_cpu(on) && (has_zero(groups) || has_zero(size)))
    return ol_fail(OL_ERRC_INVALID_SIZE, "kernel %s: %u x %u x %u groups of %u x %u x %u items",
                   symbol->name, groups->x, groups->y, groups->z, size->x, size->y, size->z);
  ol_work work = {.kind = OL_WORK_LAUNCH,
                  .kernel = symbol->kernel,
                  .launch = {.teams = {groups->x, groups->y, groups->z},
                             .threads = {size->x, size->y, size->z},
                             .shared_bytes = (uint32_t)launch_size_args->DynSharedMemory,
                             .argument_bytes = (uint32_t)arguments_size,
                             .arguments = arguments_data}};
  return launch(on, it, &work);
}

ol_result_t olCalculateOptimalOccupancy(ol_device_handle_t device, ol_symbol_handle_t kernel,
                                        size_t shared_memory, size_t *group_size) {
  ol_device *on;
  ol_symbol *symbol;
  OL_ENTER();
  if (!device) return ol_null_handle("device");
  if (!kernel) return ol_null_handle("kernel");
  OL_POINTER(group_size);
  OL_FIND_DEVICE(on, device);
  OL_TRY(find_kernel(on, kernel, &symbol));
  if (is_cpu(on))
    return ol_fail(OL_ERRC_UNSUPPORTED, "a CPU has no work groups: the kernel is called once");
  const solo_device_info *info = &on->device->info;
  if (shared_memory > info->max_shared_bytes)
    return ol_fail(OL_ERRC_INVALID_SIZE,
                   "%zu bytes of shared memory per work item; the limit of a group is %u bytes",
                   shared_memory, info->max_shared_bytes);
  uint64_t most = info->max_threads, limit = symbol->kernel->attributes.max_threads;
  if (limit && limit < most) most = limit;
  if (shared_memory && info->max_shared_bytes / shared_memory < most)
    most = info->max_shared_bytes / shared_memory;
  uint64_t warp = info->warp_size;
  *group_size = most > warp ? most / warp * warp : most;
  return OL_SUCCESS;
}
