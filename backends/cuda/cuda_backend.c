/* The CUDA backend's table. */
#include "backends/cuda/cuda.h"

#define XX(operation) SOLO_BACKEND_ENTRY(cuda, operation)
/* clang-format off */
const solo_backend solo_cuda_backend = {
    .api_version = SOLO_BACKEND_API,
    .name = "cuda",
    SOLO_BACKEND_OPERATIONS(XX, XX)
};
/* clang-format on */
