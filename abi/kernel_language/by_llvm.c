/* Launches kernel<<<grid, block>>>(...) of -foffload-via-llvm (Clang 22; abi-facts 4.2), as
 * launch.c does. */
#include "abi/policy.h"
#include "runtime/device/kernel.h"
#include "runtime/device/queue.h"
#include "runtime/device/resolve.h"
#include "runtime/device/thread_cache.h"

typedef struct dim3 {
  uint32_t x, y, z;
} dim3;

typedef struct configuration {
  dim3 grid, block;
  size_t shared_bytes;
  void *stream;
} configuration;

typedef struct launch_arguments {
  uint64_t bytes;
  void *buffer;
  void *unused;
} launch_arguments;

enum { DEEPEST = 16, SUCCESS = 0, FAILURE = 1 };

static _Thread_local configuration pushed[DEEPEST];
static _Thread_local unsigned depth;

SOLO_EXPORT unsigned __llvmPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                                 void *stream);
SOLO_EXPORT unsigned __llvmPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes,
                                                void **stream);
SOLO_EXPORT unsigned llvmLaunchKernel(const void *stub, dim3 grid, dim3 block,
                                      launch_arguments *arguments, size_t shared_bytes,
                                      void *stream);

unsigned __llvmPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void *stream) {
  if (depth == DEEPEST) return FAILURE;
  pushed[depth++] = (configuration){grid, block, shared_bytes, stream};
  return SUCCESS;
}

unsigned __llvmPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void **stream) {
  if (depth == 0) return FAILURE;
  const configuration *c = &pushed[--depth];
  *grid = c->grid;
  *block = c->block;
  *shared_bytes = c->shared_bytes;
  *stream = c->stream;
  return SUCCESS;
}

static void dimensions(uint32_t *out, dim3 d) {
  out[0] = d.x ? d.x : 1;
  out[1] = d.y ? d.y : 1;
  out[2] = d.z ? d.z : 1;
}

static solo_status launch(const void *stub, const solo_launch_record *record) {
  solo_device *device;
  solo_kernel *kernel;
  solo_bqueue *queue;
  SOLO_TRY(tgt_get_device(-1, &device));
  SOLO_TRY(solo_kernel_get(device, stub, &kernel));
  SOLO_TRY(solo_device_queue(device, &queue));
  SOLO_TRY(solo_queue_launch(device, queue, kernel, record, NULL));
  /* waits here, because no later call of the program waits for this launch */
  return solo_queue_sync(device, queue, NULL);
}

unsigned llvmLaunchKernel(const void *stub, dim3 grid, dim3 block, launch_arguments *arguments,
                          size_t shared_bytes, void *stream) {
  (void)stream; /* ignored: each thread has its own queue */
  solo_launch_record record = {.shared_bytes = (uint32_t)shared_bytes,
                               .argument_bytes = arguments ? (uint32_t)arguments->bytes : 0,
                               .arguments = arguments ? arguments->buffer : NULL};
  dimensions(record.teams, grid);
  dimensions(record.threads, block);
  solo_status status = launch(stub, &record);
  if (status != SOLO_OK) tgt_failed(status, TGT_SETUP, NULL);
  return status == SOLO_OK ? SUCCESS : FAILURE;
}
