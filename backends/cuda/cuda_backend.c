/* The CUDA backend's table. */
#include "backends/cuda/cuda.h"

const solo_backend solo_cuda_backend = {.api_version = SOLO_BACKEND_API,
                                        .name = "cuda",
#define XX(operation) .operation = solo_cuda_##operation,
                                        SOLO_CUDA_OPERATIONS(XX)
#undef XX
};
