/* What does solo add to the CUDA driver? The same launches and copies by raw Driver API calls
 * (limit) and through the runtime, as compiled code would ask for them (dropin). Needs no toolkit:
 * the kernels are PTX that the driver compiles. Without a device: a line that says why, and
 * status 77.
 *
 * Environment: BENCH_CUDA_IMAGE a file with other code for the same kernels; for the limit only:
 * BENCH_CUDA_KERNEL, BENCH_CUDA_THREADS and BENCH_CUDA_BYTES (of arguments) what "launch" starts
 * instead (a region's kernel) and BENCH_CUDA_NAME how that is called;
 * BENCH_CUDA_FLAGS flags of the context (1 spin, 2 yield, 4 block).
 * Copies are ns per KiB. */
#define _POSIX_C_SOURCE 200809L
#include "bench/bench.h"

#define KIB(bytes) (1024. / (bytes))
enum { MOST = 256 << 20, ELEMENTS = 128 };
static char *device, *pinned, *pageable;

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

static int left_out(const char *what, const char *why) {
  printf("# no device: %s: %s\n", what, why);
  return 77;
}

static void read_code(void) {
  const char *path = getenv("BENCH_CUDA_IMAGE");
  FILE *f = path ? fopen(path, "rb") : NULL;
  if (!f) return;
  fseek(f, 0, SEEK_END);
  long size = ftell(f);
  rewind(f);
  char *bytes = calloc(1, (size_t)size + 1);
  code_bytes = bytes ? fread(bytes, 1, (size_t)size, f) + 1 : 0; /* with NUL behind it */
  code = bytes;
  fclose(f);
}

static void must(int failed, const char *what) {
  if (!failed) return;
  fprintf(stderr, "q_cuda: %s failed (%d)\n", what, failed);
  exit(1);
}

#ifdef _OPENMP
#include "abi/tgt.h"
void *llvm_omp_target_alloc_host(size_t, int);

static char key_launch, key_add;
static int words[ELEMENTS];
static tgt_entry_19 entries[] = {{&key_launch, (char *)"sim_nothing", 0, 0, 0},
                                 {&key_add, (char *)"sim_add", 0, 0, 0}};
static tgt_device_image image = {.entries_begin = entries, .entries_end = entries + 2};
static tgt_bin_desc descriptor = {1, &image, entries, entries + 2};

static void launch(long n, long unused) {
  (void)unused;
  tgt_kernel_args args = {.version = 3, .num_teams = {1}, .thread_limit = {1}};
  for (long i = 0; i < n; i++)
    must(__tgt_target_kernel(NULL, -1, 1, 1, &key_launch, &args), "launch");
}

static void present(long n, long unused) {
  (void)unused;
  enum { TO = 1, FROM = 2, PARAM = 0x20, LITERAL = 0x100 };
  void *values[] = {words, (void *)ELEMENTS, (void *)1};
  int64_t sizes[] = {sizeof words, 8, 8};
  int64_t types[] = {TO | FROM | PARAM, LITERAL | PARAM, LITERAL | PARAM};
  tgt_kernel_args args = {.version = 3,
                          .count = 3,
                          .bases = values,
                          .begins = values,
                          .sizes = sizes,
                          .types = types,
                          .num_teams = {1},
                          .thread_limit = {ELEMENTS}};
  for (long i = 0; i < n; i++)
    must(__tgt_target_kernel(NULL, -1, 1, ELEMENTS, &key_add, &args), "launch");
}

static void enter(long unused) {
  (void)unused;
  void *values[] = {words};
  int64_t sizes[] = {sizeof words}, types[] = {1};
  __tgt_target_data_begin_mapper(NULL, -1, 1, values, values, sizes, types, NULL, NULL);
}

static void copy(long n, char *to, char *from, long bytes, int to_device) {
  int host = omp_get_initial_device();
  for (long i = 0; i < n; i++)
    must(omp_target_memcpy(to, from, (size_t)bytes, 0, 0, to_device ? 0 : host,
                           to_device ? host : 0),
         "copy");
}

static int set_up(void) {
  image.image_start = (void *)code;
  image.image_end = (char *)code + code_bytes;
  setenv("OMP_TARGET_OFFLOAD", "mandatory", 0);
  __tgt_register_lib(&descriptor);
  if (omp_get_num_devices() == 0) return left_out("solo", "see solo-info");
  device = omp_target_alloc(MOST, 0);
  pinned = llvm_omp_target_alloc_host(MOST, 0);
  must(!device || !pinned, "memory");
  return 0;
}

#else /* the limit */
#include "backends/cuda/cuda_api.h"

static CUfunction nothing, add;
static CUstream stream;
static CUdeviceptr words;
static unsigned threads = 1;
static size_t launch_bytes = 8; /* a region's kernel takes a pointer more */

static void start(CUfunction kernel, unsigned count, uint64_t *slots, size_t bytes) {
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, slots, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  must(cuLaunchKernel(kernel, 1, 1, 1, count, 1, 1, 0, stream, NULL, extra), "launch");
}

static void launch(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
    uint64_t slots[] = {0, words};
    start(nothing, threads, slots, launch_bytes);
    must(cuStreamSynchronize(stream), "wait");
  }
}

/* Waiting by asking again and again. */
static void launch_polled(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
    uint64_t slots[] = {0, words};
    start(nothing, threads, slots, launch_bytes);
    while (cuStreamQuery(stream) == CUDA_ERROR_NOT_READY) {
    }
  }
}

static void present(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
    uint64_t slots[] = {0, words, ELEMENTS, 1};
    start(add, ELEMENTS, slots, sizeof slots);
    must(cuStreamSynchronize(stream), "wait");
  }
}

static void enter(long unused) {
  (void)unused;
}

static void copy(long n, char *to, char *from, long bytes, int to_device) {
  for (long i = 0; i < n; i++) {
    must(to_device ? cuMemcpyHtoDAsync_v2((CUdeviceptr)(uintptr_t)to, from, (size_t)bytes, stream)
                   : cuMemcpyDtoHAsync_v2(to, (CUdeviceptr)(uintptr_t)from, (size_t)bytes, stream),
         "copy");
    must(cuStreamSynchronize(stream), "wait");
  }
}

static int set_up(void) {
  CUdevice gpu;
  CUcontext context;
  CUmodule module;
  CUdeviceptr block;
  int count = 0;
  const char *text = "", *other = getenv("BENCH_CUDA_KERNEL"), *flags = getenv("BENCH_CUDA_FLAGS");
  if (!cuInit) return left_out("raw driver calls", "no libcuda.so.1");
  CUresult result = cuInit(0);
  if (result == CUDA_SUCCESS) result = cuDeviceGetCount(&count);
  if (result != CUDA_SUCCESS) (void)cuGetErrorName(result, &text);
  if (result != CUDA_SUCCESS || !count)
    return left_out("raw driver calls", text && text[0] ? text : "none");
  must(cuDeviceGet(&gpu, 0), "cuDeviceGet");
  if (flags) must(cuDevicePrimaryCtxSetFlags_v2(gpu, (unsigned)atoi(flags)), "flags");
  must(cuDevicePrimaryCtxRetain(&context, gpu), "cuDevicePrimaryCtxRetain");
  must(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  must(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  must(cuModuleLoadDataEx(&module, code, 0, NULL, NULL), "cuModuleLoadDataEx");
  must(cuModuleGetFunction(&nothing, module, other ? other : "sim_nothing"), "kernel");
  if (other)
    launch_bytes = getenv("BENCH_CUDA_BYTES") ? (size_t)atoi(getenv("BENCH_CUDA_BYTES")) : 8;
  if (!other) must(cuModuleGetFunction(&add, module, "sim_add"), "kernel");
  if (getenv("BENCH_CUDA_THREADS")) threads = (unsigned)atoi(getenv("BENCH_CUDA_THREADS"));
  must(cuMemAlloc_v2(&words, ELEMENTS * sizeof(int)), "memory");
  must(cuMemAlloc_v2(&block, MOST), "memory");
  must(cuMemHostAlloc((void **)&pinned, MOST, 0), "memory");
  device = (char *)(uintptr_t)block;
  return 0;
}
#endif

static void pinned_in(long n, long bytes) {
  copy(n, device, pinned, bytes, 1);
}
static void pinned_out(long n, long bytes) {
  copy(n, pinned, device, bytes, 0);
}
static void pageable_in(long n, long bytes) {
  copy(n, device, pageable, bytes, 1);
}
static void pageable_out(long n, long bytes) {
  copy(n, pageable, device, bytes, 0);
}

#define COPY(kind, size, bytes, in)                                                                \
  {                                                                                                \
    .name = "cuda/" #kind "_" size, .loop = kind, .argument = bytes, .scale = KIB(bytes),          \
    .when = in                                                                                     \
  }
#define COPIES(kind)                                                                               \
  COPY(kind, "64Ki", 64 << 10, BENCH_FULL_ONLY), COPY(kind, "1Mi", 1 << 20, BENCH_IN_QUICK),       \
      COPY(kind, "8Mi", 8 << 20, BENCH_FULL_ONLY), COPY(kind, "64Mi", 64 << 20, BENCH_IN_QUICK),   \
      COPY(kind, "256Mi", MOST, BENCH_FULL_ONLY)

static const bench_case cases[] = {
    {.name = "cuda/launch", .loop = launch},
    {.name = "cuda/launch_present", .loop = present, .before = enter},
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
  pageable = malloc(MOST);
  must(!pageable, "malloc");
  memset(pageable, 1, MOST);
  memset(pinned, 1, MOST);
  if (getenv("BENCH_CUDA_KERNEL")) { /* only that one is there */
    bench_case only = cases[0];
    if (getenv("BENCH_CUDA_NAME")) only.name = getenv("BENCH_CUDA_NAME");
    bench_calibrate();
    bench_measure(&only, 20, 1e5);
    return 0;
  }
  return bench_cases(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
