/* Measures the start of a process that uses only the CUDA driver, up to the end of one kernel.
 *
 *   bench_raw_start CUBIN KERNEL THREADS     runs the kernel once
 *   bench_raw_start                          prints the GPU as JSON members
 *   bench_raw_start capability               prints the compute capability, 90 for 9.0
 */
#include "backends/cuda/cuda_api.h"

#include <stdio.h>
#include <stdlib.h>

static char image[1 << 21]; /* more than the bundle's largest image */

static int describe(int alone) {
  CUdevice device;
  char name[96];
  int major, minor, version, units;
  size_t bytes;
  if (cuInit(0) || cuDriverGetVersion(&version) || cuDeviceGet(&device, 0) ||
      cuDeviceGetName(name, sizeof name, device) || cuDeviceTotalMem_v2(&bytes, device) ||
      cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) ||
      cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) ||
      cuDeviceGetAttribute(&units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device))
    return 77;
  if (alone)
    printf("%d%d\n", major, minor);
  else
    printf("\"gpu\":\"%s\",\"capability\":\"%d%d\",\"cuda\":\"%d.%d\",\"memory_MiB\":%zu,"
           "\"multiprocessors\":%d\n",
           name, major, minor, version / 1000, version % 1000 / 10, bytes >> 20, units);
  return 0;
}

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
  if (argc < 4) return describe(argc > 1);
  FILE *f = fopen(argv[1], "rb");
  if (!f || !fread(image, 1, sizeof image - 1, f)) return 2;
  return cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) ||
         cuCtxSetCurrent(context) || cuModuleLoadDataEx(&module, image, 0, NULL, NULL) ||
         cuModuleGetFunction(&kernel, module, argv[2]) ||
         cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) ||
         cuLaunchKernel(kernel, 1, 1, 1, (unsigned)atoi(argv[3]), 1, 1, 0, stream, NULL, extra) ||
         cuStreamSynchronize(stream);
}
