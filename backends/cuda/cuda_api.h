/* The part of the CUDA Driver API that solo uses, so that a build needs no toolkit. The names are
 * those of the exported symbols (cuda.h maps cuMemAlloc to cuMemAlloc_v2), available since CUDA 11.
 * tests/cuda/test_header.sh compares this file with NVIDIA's cuda.h.
 *
 * With SOLO_DRIVER_WEAK the references are weak, and NULL without a driver; find_driver() in
 * cuda_device.c checks this. The stub library and the simulated driver define SOLO_CUDA_DEFINE to
 * get plain declarations. */
#ifndef SOLO_CUDA_API_H
#define SOLO_CUDA_API_H

#include <stddef.h>
#include <stdint.h>

typedef int CUdevice;
typedef uint64_t CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUuuid {
  char bytes[16];
} CUuuid;

#define SOLO_CUDA_RESULTS(XX)                                                                      \
  XX(CUDA_SUCCESS, 0)                                                                              \
  XX(CUDA_ERROR_INVALID_VALUE, 1)                                                                  \
  XX(CUDA_ERROR_OUT_OF_MEMORY, 2)                                                                  \
  XX(CUDA_ERROR_NOT_INITIALIZED, 3)                                                                \
  XX(CUDA_ERROR_DEINITIALIZED, 4)                                                                  \
  XX(CUDA_ERROR_STUB_LIBRARY, 34)                                                                  \
  XX(CUDA_ERROR_DEVICE_UNAVAILABLE, 46)                                                            \
  XX(CUDA_ERROR_NO_DEVICE, 100)                                                                    \
  XX(CUDA_ERROR_INVALID_DEVICE, 101)                                                               \
  XX(CUDA_ERROR_INVALID_IMAGE, 200)                                                                \
  XX(CUDA_ERROR_INVALID_CONTEXT, 201)                                                              \
  XX(CUDA_ERROR_NO_BINARY_FOR_GPU, 209)                                                            \
  XX(CUDA_ERROR_ECC_UNCORRECTABLE, 214)                                                            \
  XX(CUDA_ERROR_UNSUPPORTED_LIMIT, 215)                                                            \
  XX(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217)                                                      \
  XX(CUDA_ERROR_INVALID_PTX, 218)                                                                  \
  XX(CUDA_ERROR_NVLINK_UNCORRECTABLE, 220)                                                         \
  XX(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221)                                                       \
  XX(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222)                                                      \
  XX(CUDA_ERROR_JIT_COMPILATION_DISABLED, 223)                                                     \
  XX(CUDA_ERROR_CONTAINED, 226)                                                                    \
  XX(CUDA_ERROR_INVALID_SOURCE, 300)                                                               \
  XX(CUDA_ERROR_OPERATING_SYSTEM, 304)                                                             \
  XX(CUDA_ERROR_INVALID_HANDLE, 400)                                                               \
  XX(CUDA_ERROR_NOT_FOUND, 500)                                                                    \
  XX(CUDA_ERROR_NOT_READY, 600)                                                                    \
  XX(CUDA_ERROR_ILLEGAL_ADDRESS, 700)                                                              \
  XX(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701)                                                      \
  XX(CUDA_ERROR_LAUNCH_TIMEOUT, 702)                                                               \
  XX(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704)                                                  \
  XX(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708)                                                       \
  XX(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709)                                                         \
  XX(CUDA_ERROR_ASSERT, 710)                                                                       \
  XX(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712)                                               \
  XX(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713)                                                   \
  XX(CUDA_ERROR_HARDWARE_STACK_ERROR, 714)                                                         \
  XX(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715)                                                          \
  XX(CUDA_ERROR_MISALIGNED_ADDRESS, 716)                                                           \
  XX(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717)                                                        \
  XX(CUDA_ERROR_INVALID_PC, 718)                                                                   \
  XX(CUDA_ERROR_LAUNCH_FAILED, 719)                                                                \
  XX(CUDA_ERROR_NOT_PERMITTED, 800)                                                                \
  XX(CUDA_ERROR_NOT_SUPPORTED, 801)                                                                \
  XX(CUDA_ERROR_SYSTEM_NOT_READY, 802)                                                             \
  XX(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803)                                                       \
  XX(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, 804)                                               \
  XX(CUDA_ERROR_EXTERNAL_DEVICE, 911)                                                              \
  XX(CUDA_ERROR_UNKNOWN, 999)

#define SOLO_CUDA_CONSTANTS(XX)                                                                    \
  XX(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1)                                                 \
  XX(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 5)                                                        \
  XX(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 8)                                           \
  XX(CU_DEVICE_ATTRIBUTE_WARP_SIZE, 10)                                                            \
  XX(CU_DEVICE_ATTRIBUTE_MAX_PITCH, 11)                                                            \
  XX(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16)                                                 \
  XX(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 39)                                       \
  XX(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 41)                                                   \
  XX(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75)                                             \
  XX(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76)                                             \
  XX(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 83)                                                       \
  XX(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 88)                                               \
  XX(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97)                                    \
  XX(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, 100)                        \
  XX(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 2)                                                          \
  XX(CU_CTX_SCHED_BLOCKING_SYNC, 4)                                                                \
  XX(CU_LIMIT_STACK_SIZE, 0)                                                                       \
  XX(CU_LIMIT_MALLOC_HEAP_SIZE, 2)                                                                 \
  XX(CU_STREAM_NON_BLOCKING, 1)                                                                    \
  XX(CU_EVENT_BLOCKING_SYNC, 1)                                                                    \
  XX(CU_EVENT_DISABLE_TIMING, 2)                                                                   \
  XX(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0)                                                   \
  XX(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 1)                                                       \
  XX(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8)                                           \
  XX(CU_JIT_ERROR_LOG_BUFFER, 5)                                                                   \
  XX(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, 6)                                                        \
  XX(CU_MEMHOSTALLOC_PORTABLE, 1)                                                                  \
  XX(CU_MEMHOSTALLOC_DEVICEMAP, 2)                                                                 \
  XX(CU_MEMHOSTREGISTER_PORTABLE, 1)                                                               \
  XX(CU_MEMHOSTREGISTER_DEVICEMAP, 2)                                                              \
  XX(CU_MEM_ATTACH_GLOBAL, 1)                                                                      \
  XX(CU_MEMORYTYPE_HOST, 1)                                                                        \
  XX(CU_MEMORYTYPE_DEVICE, 2)

#define XX(name, value) name = value,
typedef enum CUresult { SOLO_CUDA_RESULTS(XX) } CUresult;
enum { SOLO_CUDA_CONSTANTS(XX) };
#undef XX

#define CU_LAUNCH_PARAM_END            ((void *)0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE    ((void *)2)

typedef struct CUDA_MEMCPY2D {
  size_t srcXInBytes, srcY;
  unsigned srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  void *srcArray;
  size_t srcPitch;
  size_t dstXInBytes, dstY;
  unsigned dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  void *dstArray;
  size_t dstPitch;
  size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;

typedef struct CUDA_MEMCPY3D {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  unsigned srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  void *srcArray, *reserved0;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  unsigned dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  void *dstArray, *reserved1;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;

typedef struct CUDA_KERNEL_NODE_PARAMS {
  CUfunction func;
  unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  void **kernelParams, **extra;
  void *kern;
  CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS;

/* XX(function, parameters) */
#define SOLO_CUDA_FUNCTIONS(XX)                                                                    \
  XX(cuInit, (unsigned flags))                                                                     \
  XX(cuDriverGetVersion, (int *version))                                                           \
  XX(cuGetErrorName, (CUresult error, const char **text))                                          \
  XX(cuGetErrorString, (CUresult error, const char **text))                                        \
  XX(cuDeviceGetCount, (int *count))                                                               \
  XX(cuDeviceGet, (CUdevice * device, int ordinal))                                                \
  XX(cuDeviceGetName, (char *name, int size, CUdevice device))                                     \
  XX(cuDeviceGetUuid, (CUuuid * uuid, CUdevice device))                                            \
  XX(cuDeviceTotalMem_v2, (size_t * bytes, CUdevice device))                                       \
  XX(cuDeviceGetAttribute, (int *value, int attribute, CUdevice device))                           \
  XX(cuDeviceCanAccessPeer, (int *can, CUdevice device, CUdevice peer))                            \
  XX(cuDevicePrimaryCtxGetState, (CUdevice device, unsigned *flags, int *active))                  \
  XX(cuDevicePrimaryCtxSetFlags_v2, (CUdevice device, unsigned flags))                             \
  XX(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))                             \
  XX(cuDevicePrimaryCtxRelease_v2, (CUdevice device))                                              \
  XX(cuCtxGetCurrent, (CUcontext * context))                                                       \
  XX(cuCtxSetCurrent, (CUcontext context))                                                         \
  XX(cuCtxPushCurrent_v2, (CUcontext context))                                                     \
  XX(cuCtxPopCurrent_v2, (CUcontext * context))                                                    \
  XX(cuCtxSetLimit, (int limit, size_t value))                                                     \
  XX(cuCtxEnablePeerAccess, (CUcontext peer, unsigned flags))                                      \
  XX(cuModuleLoadDataEx,                                                                           \
     (CUmodule * module, const void *image, unsigned count, int *options, void **values))          \
  XX(cuModuleUnload, (CUmodule module))                                                            \
  XX(cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name))              \
  XX(cuModuleGetGlobal_v2,                                                                         \
     (CUdeviceptr * address, size_t * bytes, CUmodule module, const char *name))                   \
  XX(cuFuncGetAttribute, (int *value, int attribute, CUfunction function))                         \
  XX(cuFuncSetAttribute, (CUfunction function, int attribute, int value))                          \
  XX(cuMemAlloc_v2, (CUdeviceptr * address, size_t bytes))                                         \
  XX(cuMemFree_v2, (CUdeviceptr address))                                                          \
  XX(cuMemAllocManaged, (CUdeviceptr * address, size_t bytes, unsigned flags))                     \
  XX(cuMemHostAlloc, (void **address, size_t bytes, unsigned flags))                               \
  XX(cuMemFreeHost, (void *address))                                                               \
  XX(cuMemHostRegister_v2, (void *address, size_t bytes, unsigned flags))                          \
  XX(cuMemHostUnregister, (void *address))                                                         \
  XX(cuMemHostGetDevicePointer_v2, (CUdeviceptr * device, void *host, unsigned flags))             \
  XX(cuPointerGetAttribute, (void *data, int attribute, CUdeviceptr address))                      \
  XX(cuMemcpyHtoDAsync_v2, (CUdeviceptr dst, const void *src, size_t bytes, CUstream stream))      \
  XX(cuMemcpyDtoHAsync_v2, (void *dst, CUdeviceptr src, size_t bytes, CUstream stream))            \
  XX(cuMemcpyDtoDAsync_v2, (CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream))      \
  XX(cuMemcpyPeerAsync, (CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,                  \
                         CUcontext src_context, size_t bytes, CUstream stream))                    \
  XX(cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D *copy, CUstream stream))                             \
  XX(cuMemcpy3DAsync_v2, (const CUDA_MEMCPY3D *copy, CUstream stream))                             \
  XX(cuMemsetD8Async, (CUdeviceptr dst, unsigned char value, size_t bytes, CUstream stream))       \
  XX(cuStreamCreate, (CUstream * stream, unsigned flags))                                          \
  XX(cuStreamDestroy_v2, (CUstream stream))                                                        \
  XX(cuStreamQuery, (CUstream stream))                                                             \
  XX(cuStreamSynchronize, (CUstream stream))                                                       \
  XX(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags))                          \
  XX(cuEventCreate, (CUevent * event, unsigned flags))                                             \
  XX(cuEventDestroy_v2, (CUevent event))                                                           \
  XX(cuEventRecord, (CUevent event, CUstream stream))                                              \
  XX(cuEventQuery, (CUevent event))                                                                \
  XX(cuEventSynchronize, (CUevent event))                                                          \
  XX(cuLaunchKernel, (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,      \
                      unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes, \
                      CUstream stream, void **parameters, void **extra))

/* Functions of newer drivers (_v2: CUDA 12) for cuda_graph.c. Always weak, because older drivers
 * lack them. */
#define SOLO_CUDA_GRAPH_FUNCTIONS(XX)                                                              \
  XX(cuGraphCreate, (CUgraph * graph, unsigned flags))                                             \
  XX(cuGraphAddKernelNode_v2, (CUgraphNode * node, CUgraph graph, const CUgraphNode *dependencies, \
                               size_t count, const CUDA_KERNEL_NODE_PARAMS *parameters))           \
  XX(cuGraphInstantiateWithFlags, (CUgraphExec * exec, CUgraph graph, unsigned long long flags))   \
  XX(cuGraphExecKernelNodeSetParams_v2,                                                            \
     (CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *parameters))              \
  XX(cuGraphLaunch, (CUgraphExec exec, CUstream stream))                                           \
  XX(cuGraphExecDestroy, (CUgraphExec exec))                                                       \
  XX(cuGraphDestroy, (CUgraph graph))                                                              \
  XX(cuStreamWriteValue32_v2,                                                                      \
     (CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags))

#if defined(SOLO_CUDA_DEFINE)
#define SOLO_CUDA_LINKAGE __attribute__((visibility("default")))
#elif SOLO_DRIVER_WEAK
#define SOLO_CUDA_LINKAGE __attribute__((visibility("default"), weak))
#else
#define SOLO_CUDA_LINKAGE __attribute__((visibility("default")))
#endif
#define XX(name, parameters) SOLO_CUDA_LINKAGE CUresult name parameters;
SOLO_CUDA_FUNCTIONS(XX)
#undef XX
#if defined(SOLO_CUDA_DEFINE)
#define XX(name, parameters) SOLO_CUDA_LINKAGE CUresult name parameters;
#else
#define XX(name, parameters) __attribute__((visibility("default"), weak)) CUresult name parameters;
#endif
SOLO_CUDA_GRAPH_FUNCTIONS(XX)
#undef XX

#endif
