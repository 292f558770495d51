/* Prints the values and layouts of cuda_api.h, or of the vendor's cuda.h with -DVENDOR
 * (test_header.sh). */
#include <stddef.h>
#include <stdio.h>

#ifdef VENDOR
#include "names.h"
#include <cuda.h>
#else
#include "backends/cuda/cuda_api.h"
#endif

#define XX(name, value) printf(#name " %lld\n", (long long)name);
static void constants(void) {
  SOLO_CUDA_RESULTS(XX)
  SOLO_CUDA_CONSTANTS(XX)
}
#undef XX

#define FIELD(type, field)                                                                         \
  printf(#type "." #field " %zu %zu\n", offsetof(type, field), sizeof(((type *)0)->field));

static void layouts(void) {
  printf("sizes %zu %zu %zu %zu %zu\n", sizeof(CUDA_MEMCPY2D), sizeof(CUDA_MEMCPY3D),
         sizeof(CUuuid), sizeof(CUdeviceptr), sizeof(CUdevice));
  FIELD(CUDA_MEMCPY2D, srcMemoryType)
  FIELD(CUDA_MEMCPY2D, srcHost)
  FIELD(CUDA_MEMCPY2D, srcDevice)
  FIELD(CUDA_MEMCPY2D, srcPitch)
  FIELD(CUDA_MEMCPY2D, dstMemoryType)
  FIELD(CUDA_MEMCPY2D, dstHost)
  FIELD(CUDA_MEMCPY2D, dstDevice)
  FIELD(CUDA_MEMCPY2D, dstPitch)
  FIELD(CUDA_MEMCPY2D, WidthInBytes)
  FIELD(CUDA_MEMCPY2D, Height)
  FIELD(CUDA_MEMCPY3D, srcMemoryType)
  FIELD(CUDA_MEMCPY3D, srcHost)
  FIELD(CUDA_MEMCPY3D, srcDevice)
  FIELD(CUDA_MEMCPY3D, srcPitch)
  FIELD(CUDA_MEMCPY3D, srcHeight)
  FIELD(CUDA_MEMCPY3D, dstMemoryType)
  FIELD(CUDA_MEMCPY3D, dstHost)
  FIELD(CUDA_MEMCPY3D, dstDevice)
  FIELD(CUDA_MEMCPY3D, dstPitch)
  FIELD(CUDA_MEMCPY3D, dstHeight)
  FIELD(CUDA_MEMCPY3D, WidthInBytes)
  FIELD(CUDA_MEMCPY3D, Height)
  FIELD(CUDA_MEMCPY3D, Depth)
}

#ifdef VENDOR
#include "prototypes.h" /* cuda_api.h's declarations again: a conflict is an error */
#endif

int main(void) {
  constants();
  layouts();
  return 0;
}
