/* kernel<<<grid, block, shared, stream>>>(...) pushes a configuration and calls a stub, which pops
 * the configuration and launches the kernel. */
#include "abi/kernel_language/kl.h"

typedef struct configuration {
  kl_dim3 grid, block;
  size_t shared_bytes;
  void *stream;
} configuration;

enum { DEEPEST = 16 };
static _Thread_local configuration pushed[DEEPEST];
static _Thread_local unsigned depth;

int solo_kl_push(kl_dim3 grid, kl_dim3 block, size_t shared_bytes, void *stream) {
  if (depth == DEEPEST)
    return solo_kl_fail(KL_INVALID_CONFIGURATION, "more than %d nested launches", DEEPEST);
  pushed[depth++] = (configuration){grid, block, shared_bytes, stream};
  return KL_OK;
}

int solo_kl_pop(kl_dim3 *grid, kl_dim3 *block, size_t *shared_bytes, void **stream) {
  if (!depth)
    return solo_kl_fail(KL_INVALID_CONFIGURATION,
                        "the kernel stub was called without <<<grid, block>>>");
  const configuration *c = &pushed[--depth];
  *grid = c->grid;
  *block = c->block;
  *shared_bytes = c->shared_bytes;
  *stream = c->stream;
  return KL_OK;
}

/* A CPU executes a kernel on one thread, so a launch with more threads is rejected. */
static int check_shape(int device, kl_dim3 grid, kl_dim3 block) {
  solo_device_description d = {.size = sizeof d};
  unsigned long long threads = (unsigned long long)block.x * block.y;
  if (!grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z)
    return solo_kl_fail(KL_INVALID_CONFIGURATION, "grid %ux%ux%u, block %ux%ux%u", grid.x, grid.y,
                        grid.z, block.x, block.y, block.z);
  int one = grid.x == 1 && grid.y == 1 && grid.z == 1 && threads == 1 && block.z == 1;
  if (one || solo_describe_device(device, &d) != 0) return KL_OK;
  if (d.warp_size <= 1)
    return solo_kl_fail(
        KL_INVALID_CONFIGURATION,
        "device %d is a CPU, which runs a kernel as one thread; grid %ux%ux%u, block "
        "%ux%ux%u",
        device, grid.x, grid.y, grid.z, block.x, block.y, block.z);
  if (threads > d.max_threads || threads * block.z > d.max_threads)
    return solo_kl_fail(KL_INVALID_CONFIGURATION,
                        "a block of %ux%ux%u threads, device %d has at most %u", block.x, block.y,
                        block.z, device, d.max_threads);
  return KL_OK;
}

int solo_kl_launch(const void *host, kl_dim3 grid, kl_dim3 block, void **arguments,
                   size_t shared_bytes, kl_stream *stream) {
  solo_kernel_handle *kernel;
  kl_order order;
  tgt_event_t event = NULL;
  int error = check_shape(solo_kl_current(), grid, block);
  if (!error) error = solo_kl_kernel(host, &kernel);
  if (error) return error;
  if (!arguments && solo_kernel_parameter(kernel, 0, NULL, NULL) == 0)
    return solo_kl_fail(KL_INVALID_VALUE, "the kernel has parameters, but the launch passes none");
  solo_kl_order_begin(stream, &order);
  const solo_launch_options options = {.size = sizeof options,
                                       .teams = {grid.x, grid.y, grid.z},
                                       .threads = {block.x, block.y, block.z},
                                       .shared_bytes = (unsigned)shared_bytes,
                                       .parameters = arguments,
                                       .after_count = order.count,
                                       .after = order.after};
  error = solo_kl_status(solo_launch_kernel(kernel, &options, &event));
  solo_kl_order_end(stream, &order, event);
  return error;
}
