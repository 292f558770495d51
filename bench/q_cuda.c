/* Overhead of solo over the CUDA driver: the same launches and copies by driver calls (limit) and
 * through the interface of compiled code (dropin). The driver compiles the kernels from PTX. Exit
 * status 77: no device. Copies are in ns per KiB. Variables:
 *
 *   BENCH_CUDA_IMAGE     file with other code for the same kernels
 *   BENCH_CUDA_KERNEL    kernel of the case "launch"; the following are only for `limit`
 *   BENCH_CUDA_THREADS   threads of this kernel
 *   BENCH_CUDA_BYTES     bytes of its arguments
 *   BENCH_CUDA_NAME      name of the case
 *   BENCH_CUDA_FLAGS     flags of the context: 1 spin, 2 yield, 4 block
 */
#define _POSIX_C_SOURCE 200809L
#include "bench/gpu_question.h"

enum { MOST = 256 << 20 };

static const char own_code[] =
    ".version 6.3\n.target sm_50\n.address_size 64\n"
    ".visible .entry sim_nothing(.param .u64 launch)\n{\n  ret;\n}\n"
    ".visible .entry sim_add(.param .u64 launch, .param .u64 x, .param .u64 n, .param .u64 k)\n"
    "{\n  .reg .pred %p;\n  .reg .b32 %r<6>;\n  .reg .b64 %d<5>;\n"
    "  ld.param.u64 %d1, [x];\n  ld.param.u64 %d2, [n];\n  ld.param.u32 %r5, [k];\n"
    "  mov.u32 %r1, %ctaid.x;\n  mov.u32 %r2, %ntid.x;\n  mov.u32 %r3, %tid.x;\n"
    "  mad.lo.s32 %r1, %r1, %r2, %r3;\n  cvt.u64.u32 %d3, %r1;\n  setp.ge.u64 %p, %d3, %d2;\n"
    "  @%p bra done;\n  cvta.to.global.u64 %d1, %d1;\n  shl.b64 %d3, %d3, 2;\n"
    "  add.s64 %d1, %d1, %d3;\n  ld.global.u32 %r4, [%d1];\n  add.s32 %r4, %r4, %r5;\n"
    "  st.global.u32 [%d1], %r4;\ndone:\n  ret;\n}\n";

static const char *code = own_code;
static size_t code_bytes = sizeof own_code;

static void read_code(void) {
  size_t size;
  char *bytes = gpu_read_file(getenv("BENCH_CUDA_IMAGE"), &size);
  if (!bytes) return;
  code = bytes;
  code_bytes = size + 1; /* including the final NUL */
}

#ifdef _OPENMP
#include "bench/gpu_regions.h"

static int set_up(void) {
  gpu_add_image((void *)code, code_bytes);
  return gpu_open(MOST);
}

#else /* contestant `limit` */
#include "backends/cuda/cuda_api.h"

static CUfunction nothing, add;
static CUstream stream;
static CUdeviceptr words;
static unsigned threads = 1;
/* bytes of the arguments; kernels of target regions have one more pointer */
static size_t launch_bytes = 8;

static void start(CUfunction kernel, unsigned count, uint64_t *slots, size_t bytes) {
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, slots, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  gpu_check(cuLaunchKernel(kernel, 1, 1, 1, count, 1, 1, 0, stream, NULL, extra), "launch");
}

static void gpu_launch(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
    uint64_t slots[] = {0, words};
    start(nothing, threads, slots, launch_bytes);
    gpu_check(cuStreamSynchronize(stream), "wait");
  }
}

/* Polls instead of waiting. */
static void launch_polled(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
    uint64_t slots[] = {0, words};
    start(nothing, threads, slots, launch_bytes);
    while (cuStreamQuery(stream) == CUDA_ERROR_NOT_READY) {
    }
  }
}

static void gpu_present(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
    uint64_t slots[] = {0, words, GPU_ELEMENTS, 1};
    start(add, GPU_ELEMENTS, slots, sizeof slots);
    gpu_check(cuStreamSynchronize(stream), "wait");
  }
}

static void gpu_enter(long unused) {
  (void)unused;
}

static void gpu_copy(long n, char *to, char *from, long bytes, int to_device) {
  for (long i = 0; i < n; i++) {
    gpu_check(to_device
                  ? cuMemcpyHtoDAsync_v2((CUdeviceptr)(uintptr_t)to, from, (size_t)bytes, stream)
                  : cuMemcpyDtoHAsync_v2(to, (CUdeviceptr)(uintptr_t)from, (size_t)bytes, stream),
              "copy");
    gpu_check(cuStreamSynchronize(stream), "wait");
  }
}

static int set_up(void) {
  CUdevice gpu;
  CUcontext context;
  CUmodule module;
  CUdeviceptr block;
  int count = 0;
  const char *text = "", *other = getenv("BENCH_CUDA_KERNEL"), *flags = getenv("BENCH_CUDA_FLAGS");
  if (!cuInit) return gpu_report_missing("raw driver calls", "no libcuda.so.1");
  CUresult result = cuInit(0);
  if (result == CUDA_SUCCESS) result = cuDeviceGetCount(&count);
  if (result != CUDA_SUCCESS) (void)cuGetErrorName(result, &text);
  if (result != CUDA_SUCCESS || !count)
    return gpu_report_missing("raw driver calls", text && text[0] ? text : "none");
  gpu_check(cuDeviceGet(&gpu, 0), "cuDeviceGet");
  if (flags) gpu_check(cuDevicePrimaryCtxSetFlags_v2(gpu, (unsigned)atoi(flags)), "flags");
  gpu_check(cuDevicePrimaryCtxRetain(&context, gpu), "cuDevicePrimaryCtxRetain");
  gpu_check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  gpu_check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  gpu_check(cuModuleLoadDataEx(&module, code, 0, NULL, NULL), "cuModuleLoadDataEx");
  gpu_check(cuModuleGetFunction(&nothing, module, other ? other : "sim_nothing"), "kernel");
  if (other)
    launch_bytes = getenv("BENCH_CUDA_BYTES") ? (size_t)atoi(getenv("BENCH_CUDA_BYTES")) : 8;
  if (!other) gpu_check(cuModuleGetFunction(&add, module, "sim_add"), "kernel");
  if (getenv("BENCH_CUDA_THREADS")) threads = (unsigned)atoi(getenv("BENCH_CUDA_THREADS"));
  gpu_check(cuMemAlloc_v2(&words, GPU_ELEMENTS * sizeof(int)), "memory");
  gpu_check(cuMemAlloc_v2(&block, MOST), "memory");
  gpu_check(cuMemHostAlloc((void **)&gpu_pinned, MOST, 0), "memory");
  gpu_device = (char *)(uintptr_t)block;
  return 0;
}
#endif

#define COPIES(kind)                                                                               \
  GPU_COPY("cuda", kind, "64Ki", 64 << 10, BENCH_FULL_ONLY),                                       \
      GPU_COPY("cuda", kind, "1Mi", 1 << 20, BENCH_IN_QUICK),                                      \
      GPU_COPY("cuda", kind, "8Mi", 8 << 20, BENCH_FULL_ONLY),                                     \
      GPU_COPY("cuda", kind, "64Mi", 64 << 20, BENCH_IN_QUICK),                                    \
      GPU_COPY("cuda", kind, "256Mi", MOST, BENCH_FULL_ONLY)

static const bench_case cases[] = {
    {.name = "cuda/launch", .loop = gpu_launch},
    {.name = "cuda/launch_present", .loop = gpu_present, .before = gpu_enter},
#ifndef _OPENMP
    {.name = "cuda/launch_polled", .loop = launch_polled},
#endif
    COPIES(pinned_in),
    COPIES(pinned_out),
    COPIES(pageable_in),
    COPIES(pageable_out),
};

int main(int argc, char **argv) {
  read_code();
  int status = set_up();
  if (status) return status;
  gpu_touch(MOST);
  if (getenv("BENCH_CUDA_KERNEL")) { /* the image has no other kernel */
    bench_case only = cases[0];
    if (getenv("BENCH_CUDA_NAME")) only.name = getenv("BENCH_CUDA_NAME");
    bench_calibrate();
    bench_measure(&only, 20, 1e5);
    return 0;
  }
  return bench_cases(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
