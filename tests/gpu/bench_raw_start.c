/* The raw driver program of the start-up comparison: from nothing to the first kernel's end.
 *   bench_raw_start CUBIN */
#include "backends/cuda/cuda_api.h"

#include <stdio.h>

static char image[1 << 20];

int main(int argc, char **argv) {
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  CUstream stream;
  CUdevice device;
  uint64_t slot = 0;
  size_t bytes = sizeof slot;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &slot, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!f || !fread(image, 1, sizeof image - 1, f)) return 2;
  return cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) ||
         cuCtxSetCurrent(context) || cuModuleLoadDataEx(&module, image, 0, NULL, NULL) ||
         cuModuleGetFunction(&kernel, module, "sim_nothing") ||
         cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) ||
         cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, NULL, extra) ||
         cuStreamSynchronize(stream);
}
