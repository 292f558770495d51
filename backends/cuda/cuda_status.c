#include "backends/cuda/cuda.h"

#include <stdio.h>

enum { WHAT_BYTES = 256 };

typedef struct meaning {
  solo_status status;
  int sticky; /* ends the context (Driver API reference, CUresult) */
} meaning;

static meaning meaning_of(CUresult result) {
  switch (result) {
  case CUDA_SUCCESS:
    return (meaning){SOLO_OK, 0};
  case CUDA_ERROR_OUT_OF_MEMORY:
    return (meaning){SOLO_DEVICE_NOMEM, 0};
  case CUDA_ERROR_INVALID_VALUE:
  case CUDA_ERROR_INVALID_DEVICE:
  case CUDA_ERROR_INVALID_CONTEXT:
  case CUDA_ERROR_INVALID_HANDLE:
  case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
  case CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED:
  case CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED:
    return (meaning){SOLO_INVALID, 0};
  case CUDA_ERROR_NOT_FOUND:
    return (meaning){SOLO_NOT_FOUND, 0};
  case CUDA_ERROR_INVALID_IMAGE:
  case CUDA_ERROR_INVALID_PTX:
  case CUDA_ERROR_INVALID_SOURCE:
    return (meaning){SOLO_BAD_IMAGE, 0};
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
  case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
  case CUDA_ERROR_JIT_COMPILATION_DISABLED:
    return (meaning){SOLO_INCOMPATIBLE, 0};
  case CUDA_ERROR_NOT_PERMITTED:
  case CUDA_ERROR_NOT_SUPPORTED:
  case CUDA_ERROR_PEER_ACCESS_UNSUPPORTED:
  case CUDA_ERROR_UNSUPPORTED_LIMIT:
    return (meaning){SOLO_UNSUPPORTED, 0};
  case CUDA_ERROR_NOT_INITIALIZED:
  case CUDA_ERROR_DEINITIALIZED:
  case CUDA_ERROR_STUB_LIBRARY:
  case CUDA_ERROR_DEVICE_UNAVAILABLE:
  case CUDA_ERROR_NO_DEVICE:
  case CUDA_ERROR_SYSTEM_NOT_READY:
  case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
  case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
    return (meaning){SOLO_UNAVAILABLE, 0};
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_LAUNCH_TIMEOUT:
  case CUDA_ERROR_ASSERT:
  case CUDA_ERROR_HARDWARE_STACK_ERROR:
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
  case CUDA_ERROR_INVALID_PC:
  case CUDA_ERROR_LAUNCH_FAILED:
    return (meaning){SOLO_KERNEL_FAULT, 1};
  case CUDA_ERROR_ECC_UNCORRECTABLE:
  case CUDA_ERROR_NVLINK_UNCORRECTABLE:
  case CUDA_ERROR_CONTAINED:
  case CUDA_ERROR_CONTEXT_IS_DESTROYED:
  case CUDA_ERROR_EXTERNAL_DEVICE:
    return (meaning){SOLO_DEVICE_LOST, 1};
  default:
    return (meaning){SOLO_INTERNAL, 0};
  }
}

int solo_cuda_ends_device(CUresult result) {
  return meaning_of(result).sticky;
}

int solo_cuda_is_version_mismatch(CUresult result) {
  return result == CUDA_ERROR_INVALID_IMAGE || result == CUDA_ERROR_NO_BINARY_FOR_GPU ||
         result == CUDA_ERROR_INVALID_PTX || result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
}

static const char *hint_of(CUresult result) {
  switch (result) {
  case CUDA_ERROR_STUB_LIBRARY:
    return "; the libcuda.so.1 that was found is a stub for linking: install the NVIDIA driver, or "
           "remove the stub's folder from LD_LIBRARY_PATH";
  case CUDA_ERROR_NO_DEVICE:
    return "; see nvidia-smi, CUDA_VISIBLE_DEVICES if it is set, and solo-info --explain "
           "no-permission";
  case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
  case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
    return "; kernel module and libcuda.so.1 differ: see nvidia-smi, reload the module or reboot";
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    return "; the driver is too old for this PTX: update it (nvidia-smi shows its version), or "
           "compile with --cuda-feature=+ptxNN";
  case CUDA_ERROR_INVALID_IMAGE:
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
    return "; the driver is too old for this image, or the image is for another GPU: see "
           "nvidia-smi and solo-info";
  case CUDA_ERROR_NOT_INITIALIZED:
    return "; after fork() the driver works only in the parent: offload before forking, or in the "
           "child alone";
  case CUDA_ERROR_DEINITIALIZED:
    return "; the driver ends when the process exits: before destructors, and before functions "
           "that were registered with atexit before the first use of a device (for example "
           "omp_get_num_devices())";
  case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    return "; the kernel's registers or shared memory do not allow so many threads: lower "
           "thread_limit";
  default:
    return "";
  }
}

/* cuGetErrorName() fails for codes that the driver does not define, and always in the stub library. */
static const char *name_of(CUresult result) {
  const char *text = NULL;
  if (cuGetErrorName(result, &text) == CUDA_SUCCESS && text) return text;
#define XX(name, value)                                                                            \
  if (result == (value)) return #name;
  SOLO_CUDA_RESULTS(XX)
#undef XX
  return "unknown CUresult";
}

static const char *words_of(CUresult result) {
  const char *text = NULL;
  return cuGetErrorString(result, &text) == CUDA_SUCCESS && text ? text : "no description";
}

solo_status solo_cuda_fail(solo_bdevice *device, CUresult result, const char *what, ...) {
  char text[WHAT_BYTES];
  va_list args;
  va_start(args, what);
  vsnprintf(text, sizeof text, what, args);
  va_end(args);
  meaning m = meaning_of(result);
  int first = 0; /* relaxed: see solo_cuda_is_lost() */
  if (device && m.sticky) (void)solo_cas_relaxed(&device->lost, &first, (int)result);
  solo_fail_vendor(m.status, (int)result, "cuda: %s: %s (%d): %s%s%s", text, name_of(result),
                   (int)result, words_of(result), hint_of(result),
                   m.sticky ? "; the device is lost for this process" : "");
  if (device) solo_error_set_device(device->number);
  return m.status;
}

solo_status solo_cuda_fail_start(CUresult result, const char *what) {
  solo_fail_vendor(SOLO_UNAVAILABLE, (int)result, "cuda: %s: %s (%d): %s%s", what, name_of(result),
                   (int)result, words_of(result), hint_of(result));
  return SOLO_UNAVAILABLE;
}

solo_status solo_cuda_fail_lost(const solo_bdevice *device) {
  /* relaxed: see solo_cuda_is_lost() */
  CUresult result = (CUresult)solo_load_relaxed(&((solo_bdevice *)device)->lost);
  solo_fail_vendor(SOLO_DEVICE_LOST, (int)result,
                   "cuda: device %d was lost by an earlier error, %s", device->number,
                   name_of(result));
  solo_error_set_device(device->number);
  return SOLO_DEVICE_LOST;
}
