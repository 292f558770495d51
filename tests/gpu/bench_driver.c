/* What the backend adds to the driver: the same work by raw Driver API calls and through the
 * contract, on one GPU, in one process. Lines as bench/bench.h has them: NAME UNIT VALUE...
 *   bench_driver CUBIN     (kernels of tests/sim/device/kernels.c) */
#include "backends/cuda/cuda_api.h"
#include "runtime/base/platform.h"
#include "tests/cuda/cuda_test.h"

enum { BATCHES = 31, LAUNCHES = 200, COPY_BYTES = 64 << 20, COPIES = 10 };

static const solo_backend *const b = &solo_cuda_backend;
static test_device t;
static CUfunction raw_kernel;
static CUstream raw_stream;
static solo_bkernel *kernel;

static void must(int result, const char *what) {
  if (result == 0) return;
  printf("# failed: %s: %d (%s)\n", what, result, solo_error_last()->text);
  exit(1);
}

static void raw_launch_wait(void) {
  uint64_t slot = 0;
  size_t bytes = sizeof slot;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &slot, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  must(cuLaunchKernel(raw_kernel, 1, 1, 1, 1, 1, 1, 0, raw_stream, NULL, extra), "launch");
  must(cuStreamSynchronize(raw_stream), "wait");
}

static void solo_launch_wait(void) {
  must(test_launch(t.queue, kernel, 1, 1, NULL, 0), "launch");
  must(b->queue_sync(t.queue), "wait");
}

static void measure_launch(const char *name, void (*work)(void)) {
  printf("%s ns", name);
  for (int i = 0; i < LAUNCHES; i++) work();
  for (int batch = 0; batch < BATCHES; batch++) {
    uint64_t start = solo_now_ns();
    for (int i = 0; i < LAUNCHES; i++) work();
    printf(" %.1f", (double)(solo_now_ns() - start) / LAUNCHES);
  }
  printf("\n");
}

static solo_devptr device_block, host_block;

static void raw_copy(void) {
  must(cuMemcpyHtoDAsync_v2(device_block, (void *)(uintptr_t)host_block, COPY_BYTES, raw_stream),
       "copy");
  must(cuStreamSynchronize(raw_stream), "wait");
}

static void solo_copy(void) {
  must(b->queue_copy(t.queue, device_block, host_block, COPY_BYTES, SOLO_COPY_IN), "copy");
  must(b->queue_sync(t.queue), "wait");
}

static void measure_copy(const char *name, void (*work)(void)) {
  printf("%s GB/s", name);
  work();
  for (int batch = 0; batch < COPIES; batch++) {
    uint64_t start = solo_now_ns();
    work();
    printf(" %.3f", (double)COPY_BYTES / (double)(solo_now_ns() - start));
  }
  printf("\n");
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  t = test_open(argv[1]);
  printf("# %s %s %s\n", t.info.name, t.info.arch, t.info.uid);
  kernel = test_kernel(&t, "sim_nothing");
  void *context;
  must(b->native_handle(t.device, NULL, SOLO_NATIVE_CONTEXT, &context), "context");
  must(cuCtxSetCurrent(context), "context");
  must(cuStreamCreate(&raw_stream, CU_STREAM_NON_BLOCKING), "stream");
  CUmodule module;
  size_t size;
  void *bytes = test_read(argv[1], &size);
  must(cuModuleLoadDataEx(&module, bytes, 0, NULL, NULL), "module");
  must(cuModuleGetFunction(&raw_kernel, module, "sim_nothing"), "kernel");
  for (int round = 0; round < 2; round++) { /* in turn, so that both see the same machine */
    measure_launch("raw_launch_wait", raw_launch_wait);
    measure_launch("backend_launch_wait", solo_launch_wait);
  }
  must(b->mem_alloc(t.device, COPY_BYTES, SOLO_MEMORY_DEVICE, &device_block), "memory");
  must(b->mem_alloc(t.device, COPY_BYTES, SOLO_MEMORY_HOST, &host_block), "memory");
  memset((void *)(uintptr_t)host_block, 1, COPY_BYTES);
  measure_copy("raw_pinned_copy", raw_copy);
  measure_copy("backend_pinned_copy", solo_copy);
  return 0;
}
