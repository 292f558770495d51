/* The CUDA Driver API for the latency measurement, found with dlsym. A variant that lacks a
 * function is skipped. */
#ifndef LATENCY_DRIVER_H
#define LATENCY_DRIVER_H

#include "backends/cuda/cuda_api.h"

typedef struct CUlinkState_st *CUlinkState;

enum { CU_CTX_SCHED_SPIN = 1, CU_JIT_INPUT_PTX = 1, CU_STREAM_WAIT_VALUE_GEQ = 0 };

#define LATENCY_FUNCTIONS(XX)                                                                      \
  XX(cuGraphCreate, (CUgraph * graph, unsigned flags))                                             \
  XX(cuGraphAddKernelNode_v2, (CUgraphNode * node, CUgraph graph, const CUgraphNode *dependencies, \
                               size_t count, const CUDA_KERNEL_NODE_PARAMS *parameters))           \
  XX(cuGraphInstantiateWithFlags, (CUgraphExec * exec, CUgraph graph, unsigned long long flags))   \
  XX(cuGraphLaunch, (CUgraphExec exec, CUstream stream))                                           \
  XX(cuGraphExecKernelNodeSetParams_v2,                                                            \
     (CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *parameters))              \
  XX(cuStreamWriteValue32_v2,                                                                      \
     (CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags))                       \
  XX(cuStreamWaitValue32_v2,                                                                       \
     (CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags))                       \
  XX(cuLinkCreate_v2, (unsigned count, int *options, void **values, CUlinkState *state))           \
  XX(cuLinkAddData_v2, (CUlinkState state, int type, void *data, size_t bytes, const char *name,   \
                        unsigned count, int *options, void **values))                              \
  XX(cuLinkComplete, (CUlinkState state, void **cubin, size_t *bytes))

/* NULL if the driver lacks the function. */
#define XX(name, parameters) CUresult(*name) parameters;
typedef struct driver {
  LATENCY_FUNCTIONS(XX)
} driver;
#undef XX

#endif
