/* A stub of libcuda.so.1 for linking without a driver. All functions fail with
 * CUDA_ERROR_STUB_LIBRARY. */
#define SOLO_CUDA_DEFINE
#include "backends/cuda/cuda_api.h"

#define XX(name, parameters)                                                                       \
  CUresult name parameters {                                                                       \
    return CUDA_ERROR_STUB_LIBRARY;                                                                \
  }
SOLO_CUDA_FUNCTIONS(XX)       /* NOLINT(misc-unused-parameters) */
SOLO_CUDA_GRAPH_FUNCTIONS(XX) /* NOLINT(misc-unused-parameters) */
#undef XX
