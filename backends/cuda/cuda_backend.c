#include "backends/cuda/cuda.h"

#define REQUIRED(operation) SOLO_BACKEND_ENTRY(cuda, operation)
#define OPTIONAL(operation)
/* clang-format off */
const solo_backend solo_cuda_backend = {
    .api_version = SOLO_BACKEND_API,
    .name = "cuda",
    SOLO_BACKEND_OPERATIONS(REQUIRED, OPTIONAL)
    .mem_pin = solo_cuda_mem_pin,
    .mem_unpin = solo_cuda_mem_unpin,
    .queue_copy_box = solo_cuda_queue_copy_box,
    .queue_fill = solo_cuda_queue_fill,
    .queue_copy_peer = solo_cuda_queue_copy_peer,
    .native_handle = solo_cuda_native_handle,
};
/* clang-format on */
