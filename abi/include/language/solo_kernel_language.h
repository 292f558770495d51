/* Common part of hip/hip_runtime.h and cuda_runtime.h: language keywords and the runtime functions
 * of libsolo_hip.a and libsolo_cuda.a. KL(name) is hip##name or cuda##name. For Clang 19 and 22
 * without the vendors' headers:
 *
 *   clang++ -x hip  --offload-arch=gfx90a -nogpuinc  -nogpulib  -isystem <include>/language ...
 *   clang++ -x cuda --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -isystem <include>/language \
 *           -Xclang -target-sdk-version=12.0 ...    (if Clang finds no toolkit)
 *   ... -lsolo_hip (-lsolo_cuda) -lsolo -lpthread -lm
 *
 * Programs compiled with the vendors' headers (ROCm 6, CUDA 12) receive device properties up to the
 * member sharedMemPerBlockOptin.
 *
 * Results: 0 or an error number; GetErrorString also describes the thread's last failure. Threads:
 * any. Not supported: graphs, textures, IPC, peer access, virtual memory, modules, contexts.
 */
#ifndef SOLO_KERNEL_LANGUAGE_H
#define SOLO_KERNEL_LANGUAGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define __host__               __attribute__((host))
#define __device__             __attribute__((device))
#define __global__             __attribute__((global))
#define __shared__             __attribute__((shared))
#define __constant__           __attribute__((constant))
#define __managed__            __attribute__((managed))
#define __forceinline__        inline __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

struct uint3 {
  unsigned x, y, z;
};

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1)
      : x(x_), y(y_), z(z_) {}
};

#define SOLO_INDEX_(type, of_x, of_y, of_z)                                                        \
  struct type {                                                                                    \
    __declspec(property(get = get_x)) unsigned x;                                                  \
    __declspec(property(get = get_y)) unsigned y;                                                  \
    __declspec(property(get = get_z)) unsigned z;                                                  \
    static __device__ __forceinline__ unsigned get_x() {                                           \
      return of_x;                                                                                 \
    }                                                                                              \
    static __device__ __forceinline__ unsigned get_y() {                                           \
      return of_y;                                                                                 \
    }                                                                                              \
    static __device__ __forceinline__ unsigned get_z() {                                           \
      return of_z;                                                                                 \
    }                                                                                              \
  };

#ifdef __HIP__
SOLO_INDEX_(solo_thread_index, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
            __builtin_amdgcn_workitem_id_z())
SOLO_INDEX_(solo_block_index, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
            __builtin_amdgcn_workgroup_id_z())
SOLO_INDEX_(solo_block_size, __builtin_amdgcn_workgroup_size_x(),
            __builtin_amdgcn_workgroup_size_y(), __builtin_amdgcn_workgroup_size_z())
SOLO_INDEX_(solo_grid_size, __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x(),
            __builtin_amdgcn_grid_size_y() / __builtin_amdgcn_workgroup_size_y(),
            __builtin_amdgcn_grid_size_z() / __builtin_amdgcn_workgroup_size_z())

static __device__ __forceinline__ void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#else
SOLO_INDEX_(solo_thread_index, __nvvm_read_ptx_sreg_tid_x(), __nvvm_read_ptx_sreg_tid_y(),
            __nvvm_read_ptx_sreg_tid_z())
SOLO_INDEX_(solo_block_index, __nvvm_read_ptx_sreg_ctaid_x(), __nvvm_read_ptx_sreg_ctaid_y(),
            __nvvm_read_ptx_sreg_ctaid_z())
SOLO_INDEX_(solo_block_size, __nvvm_read_ptx_sreg_ntid_x(), __nvvm_read_ptx_sreg_ntid_y(),
            __nvvm_read_ptx_sreg_ntid_z())
SOLO_INDEX_(solo_grid_size, __nvvm_read_ptx_sreg_nctaid_x(), __nvvm_read_ptx_sreg_nctaid_y(),
            __nvvm_read_ptx_sreg_nctaid_z())
#endif
#undef SOLO_INDEX_

extern const __device__ __attribute__((weak)) solo_thread_index threadIdx;
extern const __device__ __attribute__((weak)) solo_block_index blockIdx;
extern const __device__ __attribute__((weak)) solo_block_size blockDim;
extern const __device__ __attribute__((weak)) solo_grid_size gridDim;

#include <solo_kernel_device.h>

typedef int KL(Error_t);
enum {
  KL(Success) = 0,
  KL(ErrorInvalidValue) = 1,
  KL(ErrorMemoryAllocation) = 2,
  KL(ErrorInvalidConfiguration) = 9,
  KL(ErrorInvalidSymbol) = 13,
  KL(ErrorInvalidDevicePointer) = 17,
  KL(ErrorInvalidMemcpyDirection) = 21,
  KL(ErrorInvalidDeviceFunction) = 98,
  KL(ErrorNoDevice) = 100,
  KL(ErrorInvalidDevice) = 101,
  KL(ErrorInvalidResourceHandle) = 400,
  KL(ErrorNotReady) = 600,
  KL(ErrorLaunchFailure) = 719,
  KL(ErrorNotSupported) = 801,
  KL(ErrorUnknown) = 999
};
typedef enum {
  KL(MemcpyHostToHost),
  KL(MemcpyHostToDevice),
  KL(MemcpyDeviceToHost),
  KL(MemcpyDeviceToDevice),
  KL(MemcpyDefault)
} KL(MemcpyKind);
enum { KL(StreamDefault) = 0, KL(StreamNonBlocking) = 1 };
enum { KL(EventDefault) = 0, KL(EventBlockingSync) = 1, KL(EventDisableTiming) = 2 };

/* NULL: the null stream, which is ordered with all blocking streams */
typedef struct KL(Stream) * KL(Stream_t);
typedef struct KL(Event) * KL(Event_t);

/* A member with value 0 is unknown. Values per multiprocessor are lower bounds. */
typedef struct KL(DeviceProp) {
  char name[256];
  char uuid[16], luid[8];
  unsigned luidDeviceNodeMask;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  int clockRate; /* kHz */
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount;
  int kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
  int textures_and_surfaces[40];
  size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
  int asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize;
  int persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
  int globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;
  int hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess;
  int concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem;
  int cooperativeLaunch, cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  char reserved[1032 - 704];
#ifdef __HIP__
  char gcnArchName[256];
#endif
} KL(DeviceProp_t);
static_assert(offsetof(KL(DeviceProp_t), multiProcessorCount) == 388, "as the library fills it");
static_assert(offsetof(KL(DeviceProp_t), sharedMemPerBlockOptin) == 696, "as the library fills it");

extern "C" {
KL(Error_t) KL(Malloc)(void **address, size_t bytes);
KL(Error_t) KL(Free)(void *address); /* waits until all work of the device has completed */
KL(Error_t) KL(MallocHost)(void **address, size_t bytes);
KL(Error_t) KL(MallocManaged)(void **address, size_t bytes, unsigned flags);
/* free_bytes: the device's memory minus this program's allocations */
KL(Error_t) KL(MemGetInfo)(size_t *free_bytes, size_t *bytes);
/* only checks that the range is managed memory; moves no data */
KL(Error_t)
KL(MemPrefetchAsync)(const void *address, size_t bytes, int device, KL(Stream_t) stream);
KL(Error_t) KL(Memcpy)(void *to, const void *from, size_t bytes, KL(MemcpyKind) direction);
KL(Error_t)
KL(MemcpyAsync)
(void *to, const void *from, size_t bytes, KL(MemcpyKind) direction, KL(Stream_t) stream);
KL(Error_t) KL(Memset)(void *address, int value, size_t bytes);
KL(Error_t) KL(MemsetAsync)(void *address, int value, size_t bytes, KL(Stream_t) stream);
KL(Error_t)
KL(MemcpyToSymbol)
(const void *symbol, const void *from, size_t bytes, size_t offset, KL(MemcpyKind) direction);
KL(Error_t)
KL(MemcpyFromSymbol)
(void *to, const void *symbol, size_t bytes, size_t offset, KL(MemcpyKind) direction);
KL(Error_t) KL(GetSymbolAddress)(void **address, const void *symbol);
KL(Error_t) KL(GetSymbolSize)(size_t *bytes, const void *symbol);

KL(Error_t) KL(StreamCreate)(KL(Stream_t) * stream);
KL(Error_t) KL(StreamCreateWithFlags)(KL(Stream_t) * stream, unsigned flags);
KL(Error_t) KL(StreamDestroy)(KL(Stream_t) stream); /* waits for the work of the stream */
KL(Error_t) KL(StreamSynchronize)(KL(Stream_t) stream);
KL(Error_t) KL(StreamQuery)(KL(Stream_t) stream); /* ErrorNotReady: some work has not completed */
KL(Error_t) KL(StreamWaitEvent)(KL(Stream_t) stream, KL(Event_t) event, unsigned flags);
KL(Error_t) KL(DeviceSynchronize)(void);

KL(Error_t) KL(EventCreate)(KL(Event_t) * event);
KL(Error_t) KL(EventCreateWithFlags)(KL(Event_t) * event, unsigned flags);
KL(Error_t) KL(EventDestroy)(KL(Event_t) event);
KL(Error_t) KL(EventRecord)(KL(Event_t) event, KL(Stream_t) stream);
KL(Error_t) KL(EventSynchronize)(KL(Event_t) event);
KL(Error_t) KL(EventQuery)(KL(Event_t) event);
KL(Error_t) KL(EventElapsedTime)(float *milliseconds, KL(Event_t) start, KL(Event_t) stop);

KL(Error_t) KL(GetDeviceCount)(int *count); /* CPUs are counted as devices */
KL(Error_t) KL(SetDevice)(int device);
KL(Error_t) KL(GetDevice)(int *device);
KL(Error_t) KL(DeviceReset)(void); /* waits for the device, but frees nothing */
KL(Error_t) KL(RuntimeGetVersion)(int *version);

KL(Error_t) KL(GetLastError)(void); /* returns and resets the thread's last error */
KL(Error_t) KL(PeekAtLastError)(void);
const char *KL(GetErrorName)(KL(Error_t) error);
const char *KL(GetErrorString)(KL(Error_t) error);

/* arguments: the address of each parameter's value */
KL(Error_t)
KL(LaunchKernel)
(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
 KL(Stream_t) stream);
}

template <typename T> static inline KL(Error_t) KL(Malloc)(T **address, size_t bytes) {
  return KL(Malloc)((void **)address, bytes);
}
template <typename T> static inline KL(Error_t) KL(MallocHost)(T **address, size_t bytes) {
  return KL(MallocHost)((void **)address, bytes);
}
template <typename T>
static inline KL(Error_t) KL(MallocManaged)(T **address, size_t bytes, unsigned flags = 1) {
  return KL(MallocManaged)((void **)address, bytes, flags);
}
template <typename T>
static inline KL(Error_t)
    KL(MemcpyToSymbol)(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                       KL(MemcpyKind) direction = KL(MemcpyHostToDevice)) {
  return KL(MemcpyToSymbol)((const void *)&symbol, from, bytes, offset, direction);
}
template <typename T>
static inline KL(Error_t)
    KL(MemcpyFromSymbol)(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                         KL(MemcpyKind) direction = KL(MemcpyDeviceToHost)) {
  return KL(MemcpyFromSymbol)(to, (const void *)&symbol, bytes, offset, direction);
}

#endif
