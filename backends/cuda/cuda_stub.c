/* The stub libcuda.so.1: every function that solo calls, each failing with STUB_LIBRARY. For
 * linking where there is no driver; a program that finds it at run time says so (cuda_status.c). */
#define SOLO_CUDA_DEFINE
#include "backends/cuda/cuda_api.h"

#define XX(name, parameters)                                                                       \
  CUresult name parameters {                                                                       \
    return CUDA_ERROR_STUB_LIBRARY;                                                                \
  }
SOLO_CUDA_FUNCTIONS(XX) /* NOLINT(misc-unused-parameters): a stub uses none */
SOLO_CUDA_GRAPH_FUNCTIONS(XX) /* NOLINT(misc-unused-parameters) */
#undef XX
