/* Description: memory routines, copies and interop objects make the expected driver calls. Regions
 * survive a context reset, a fork and an exit. Argument 1: the cubin of program_kernels.c; argument
 * 2: "all", "reset", "fork", "exit", "limits", "region". */
#define _GNU_SOURCE
#include "abi/include/omp.h"
#include "abi/interop.h"
#include "abi/tgt.h"
#include "backends/cuda/cuda_api.h"
#include "runtime/base/status.h"
#include "tests/sim/libcuda/cuda_sim.h"
#include "tests/unit/test.h"

#include <sys/wait.h>
#include <unistd.h>

enum { TO = 1, FROM = 2, PARAM = 0x20, BYTES = 1 << 16, LARGE = 3 << 20 };

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device);

static char key_touch;
static tgt_entry_19 entries[] = {{&key_touch, (char *)"touch", 0, 0, 0}};
static tgt_device_image image = {.entries_begin = entries, .entries_end = entries + 1};
static tgt_bin_desc descriptor = {1, &image, entries, entries + 1};
static unsigned char data[BYTES], back[BYTES];

static void register_image(const char *path) {
  FILE *f = fopen(path, "rb");
  static char bytes[1 << 18];
  size_t size = f ? fread(bytes, 1, sizeof bytes, f) : 0;
  if (!size) exit(2);
  fclose(f);
  image.image_start = bytes;
  image.image_end = bytes + size;
  __tgt_register_lib(&descriptor);
}

/* A region in Clang's form. Returns nonzero if the host version ran. */
static int touch(int *cell, uint32_t shared_bytes) {
  void *bases[] = {cell};
  int64_t sizes[] = {sizeof *cell}, types[] = {TO | FROM | PARAM};
  tgt_kernel_args args = {.version = 3,
                          .count = 1,
                          .bases = bases,
                          .begins = bases,
                          .sizes = sizes,
                          .types = types,
                          .num_teams = {1},
                          .thread_limit = {1},
                          .shared_bytes = shared_bytes};
  int host = __tgt_target_kernel(NULL, 0, 1, 1, &key_touch, &args) != 0;
  if (host) ++*cell;
  return host;
}

/* Checks that the driver was called once with `name`, and otherwise only waited or queried
 * contexts. */
static void check_one(const char *name) {
  unsigned waits = cuda_sim_calls("cuStreamQuery") + cuda_sim_calls("cuStreamSynchronize");
  unsigned looks = cuda_sim_calls("cuCtxGetCurrent") + cuda_sim_calls("cuCtxSetCurrent");
  if (cuda_sim_calls(name) != 1 || cuda_sim_calls(NULL) != 1 + waits + looks) {
    printf("(expected one call of %s, and otherwise only waits)\n", name);
    cuda_sim_print_calls();
  }
  CHECK_INT(cuda_sim_calls(name), 1);
  CHECK_INT(cuda_sim_calls(NULL), 1 + waits + looks);
  cuda_sim_reset_calls();
}

static void fill(void) {
  for (int i = 0; i < BYTES; i++) data[i] = (unsigned char)(i * 5 + i / 256);
  memset(back, 0, sizeof back);
}

typedef void *take(size_t, int);
typedef void give(void *, int);

static void kind(take *allocate, give *release, const char *takes, const char *gives, int on_host) {
  int host = omp_get_initial_device();
  cuda_sim_reset_calls();
  char *at = allocate(BYTES, 0);
  CHECK(at);
  check_one(takes);
  fill();
  if (on_host)
    memcpy(at, data, BYTES);
  else
    CHECK_INT(omp_target_memcpy(at, data, BYTES, 0, 0, 0, host), 0);
  CHECK_INT(omp_target_memcpy(back, at, BYTES, 0, 0, host, 0), 0);
  CHECK(memcmp(back, data, BYTES) == 0);
  cuda_sim_reset_calls();
  release(at, 0);
  CHECK(allocate(BYTES - 10, 0) == at);
  release(at, 0);
  CHECK_INT(cuda_sim_calls(NULL), 0);
  at = allocate(LARGE, 0);
  check_one(takes);
  release(at, 0);
  check_one(gives);
}

static void kinds(void) {
  kind(omp_target_alloc, omp_target_free, "cuMemAlloc_v2", "cuMemFree_v2", 0);
  /* uses the pooled block, so that the next allocation calls the driver */
  void *kept = omp_target_alloc(BYTES, 0);
  kind(llvm_omp_target_alloc_device, llvm_omp_target_free_device, "cuMemAlloc_v2", "cuMemFree_v2",
       0);
  omp_target_free(kept, 0);
  kind(llvm_omp_target_alloc_host, llvm_omp_target_free_host, "cuMemHostAlloc", "cuMemFreeHost", 1);
  kind(llvm_omp_target_alloc_shared, llvm_omp_target_free_shared, "cuMemAllocManaged",
       "cuMemFree_v2", 1);
  static int locked[3000];
  int *seen = llvm_omp_target_lock_mem(locked + 5, 4000, 0);
  CHECK(seen && cuda_sim_calls("cuMemHostRegister_v2") == 1);
  llvm_omp_target_unlock_mem(locked + 5, 0);
  CHECK_INT(cuda_sim_calls("cuMemHostUnregister"), 1);
  CHECK(omp_target_alloc(SIZE_MAX / 2, 0) == NULL);
}

static void copies(void) {
  int host = omp_get_initial_device();
  char *a = omp_target_alloc(BYTES, 0), *b = omp_target_alloc(BYTES, 0);
  char *far = omp_target_alloc(BYTES, 1);
  fill();
  cuda_sim_reset_calls();
  CHECK_INT(omp_target_memcpy(a, data, BYTES, 0, 0, 0, host), 0);
  check_one("cuMemcpyHtoDAsync_v2");
  CHECK_INT(omp_target_memcpy(b, a, BYTES, 0, 0, 0, 0), 0);
  check_one("cuMemcpyDtoDAsync_v2");
  CHECK_INT(omp_target_memcpy(far, b, BYTES, 0, 0, 1, 0), 0); /* enables peer access */
  CHECK_INT(cuda_sim_calls("cuCtxEnablePeerAccess"), 1);
  cuda_sim_reset_calls();
  CHECK_INT(omp_target_memcpy(far, b, BYTES, 0, 0, 1, 0), 0);
  check_one("cuMemcpyPeerAsync");
  CHECK_INT(omp_target_memcpy(back, far, BYTES, 0, 0, host, 1), 0);
  CHECK(memcmp(back, data, BYTES) == 0);
  CHECK(omp_target_memset(a, 0x5a, BYTES, 0) == a);
  cuda_sim_reset_calls();
  CHECK(omp_target_memset(a, 0x5a, BYTES, 0) == a);
  check_one("cuMemsetD8Async");

  const size_t volume[3] = {3, 4, 5}, to[3] = {1, 0, 2}, from[3] = {0, 2, 1};
  const size_t dims[3] = {8, 8, 16}, flat[2] = {8, 16}, flat_volume[2] = {4, 5}, none[2] = {0};
  CHECK_INT(omp_target_memcpy_rect(a, data, 1, 3, volume, to, from, dims, dims, 0, host), 0);
  check_one("cuMemcpy3DAsync_v2");
  CHECK_INT(omp_target_memcpy(back, a, BYTES, 0, 0, host, 0), 0);
  int wrong = 0;
  for (size_t x = 0; x < 8; x++)
    for (size_t y = 0; y < 8; y++)
      for (size_t z = 0; z < 16; z++) {
        int in = x >= 1 && x < 4 && y < 4 && z >= 2 && z < 7;
        size_t source = ((x - 1) * 8 + y + 2) * 16 + z - 1;
        wrong += back[(x * 8 + y) * 16 + z] != (in ? data[source] : 0x5a);
      }
  CHECK_INT(wrong, 0);
  cuda_sim_reset_calls();
  CHECK_INT(omp_target_memcpy_rect(back, a, 1, 2, flat_volume, none, none, flat, flat, host, 0), 0);
  check_one("cuMemcpy2DAsync_v2");
  omp_target_free(a, 0);
  omp_target_free(b, 0);
  omp_target_free(far, 1);
}

static void interop(void) {
  for (int number = 0; number < 2; number++) {
    tgt_interop *o = NULL;
    int rc = 9, value = 7, result = 0;
    __tgt_interop_init(NULL, 0, &o, TGT_INTEROP_TARGETSYNC, number, 0, NULL, 0);
    CHECK(o);
    CHECK(omp_get_interop_int(o, omp_ipr_fr_id, &rc) == 2 && rc == 0);
    CHECK(omp_get_interop_int(o, omp_ipr_device_num, &rc) == number && rc == 0);
    CHECK_TEXT(omp_get_interop_str(o, omp_ipr_fr_name, &rc), "cuda_driver");
    CHECK(omp_get_interop_int(o, omp_ipr_device, &rc) == number && rc == 0);
    CHECK((intptr_t)omp_get_interop_ptr(o, omp_ipr_device, &rc) == number && rc == 0);
    CHECK_TEXT(omp_get_interop_type_desc(o, omp_ipr_device), "CUdevice");
    CUcontext context = omp_get_interop_ptr(o, omp_ipr_device_context, &rc), primary;
    CHECK(context && rc == 0);
    CUstream stream = omp_get_interop_ptr(o, omp_ipr_targetsync, &rc);
    CHECK(stream && rc == 0);
    CHECK_INT(cuDevicePrimaryCtxRetain(&primary, number), CUDA_SUCCESS);
    CHECK(primary == context);
    CHECK_INT(cuDevicePrimaryCtxRelease_v2(number), CUDA_SUCCESS);
    void *at = omp_target_alloc(sizeof value, number);
    CHECK_INT(cuCtxPushCurrent_v2(context), CUDA_SUCCESS);
    CHECK_INT(cuMemcpyHtoDAsync_v2((CUdeviceptr)(uintptr_t)at, &value, sizeof value, stream),
              CUDA_SUCCESS);
    CHECK_INT(cuMemcpyDtoHAsync_v2(&result, (CUdeviceptr)(uintptr_t)at, sizeof value, stream),
              CUDA_SUCCESS);
    CHECK_INT(cuCtxPopCurrent_v2(&context), CUDA_SUCCESS);
    __tgt_interop_use(NULL, 0, &o, number, 0, NULL, 0);
    CHECK_INT(result, 7);
    int streams = cuda_sim_live("stream");
    __tgt_interop_destroy(NULL, 0, &o, number, 0, NULL, 0);
    CHECK(!o && cuda_sim_live("stream") == streams); /* the stream stays open for reuse */
    __tgt_interop_init(NULL, 0, &o, TGT_INTEROP_TARGETSYNC, number, 0, NULL, 0);
    CHECK(omp_get_interop_ptr(o, omp_ipr_targetsync, &rc) == stream && rc == 0);
    CHECK(cuda_sim_live("stream") == streams);
    __tgt_interop_destroy(NULL, 0, &o, number, 0, NULL, 0);
    omp_target_free(at, number);
  }
}

/* The first launch with more shared memory than the default raises the kernel's limit for all later
 * launches. */
static void shared_memory(void) {
  int cell = 0;
  CHECK_INT(touch(&cell, 0), 0);
  cuda_sim_reset_calls();
  CHECK_INT(touch(&cell, 60 << 10), 0);
  CHECK_INT(touch(&cell, 200 << 10), 0);
  CHECK_INT(touch(&cell, 50 << 10), 0);
  CHECK_INT(touch(&cell, 200 << 10), 0);
  CHECK_INT(cuda_sim_calls("cuFuncSetAttribute"), 1);
  CHECK_INT(cell, 5);
}

/* User code calls cudaDeviceReset. Later regions run on the host, and an error is reported. */
static void reset(void) {
  int cell = 0;
  CHECK_INT(touch(&cell, 0), 0);
  CHECK_INT(cuDevicePrimaryCtxReset_v2(0), CUDA_SUCCESS);
  CHECK_INT(touch(&cell, 0), 1);
  CHECK_INT(solo_error_last()->vendor_code, CUDA_ERROR_CONTEXT_IS_DESTROYED);
  cuda_sim_reset_calls();
  CHECK_INT(touch(&cell, 0), 1);
  CHECK_INT(cuda_sim_calls("cuLaunchKernel"), 0);
  CHECK_INT(cell, 3);
  void *other = omp_target_alloc(64, 1);
  CHECK(other);
  omp_target_free(other, 1);
}

/* The driver is unusable in a forked child. Regions run on the host, and the interop object has no
 * queue. */
static void forked(void) {
  int cell = 0, status = 1;
  tgt_interop *o = NULL;
  CHECK_INT(touch(&cell, 0), 0);
  __tgt_interop_init(NULL, 0, &o, TGT_INTEROP_TARGETSYNC, 0, 0, NULL, 0);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    int host = touch(&cell, 0);
    int said = strstr(solo_error_last()->text, "when the process forked") != NULL;
    cuda_sim_reset_calls();
    __tgt_interop_destroy(NULL, 0, &o, 0, 0, NULL, 0);
    _exit(host && said && cell == 2 && !o && cuda_sim_calls(NULL) == 0 ? 0 : 3);
  }
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK_INT(status, 0);
  __tgt_interop_destroy(NULL, 0, &o, 0, 0, NULL, 0);
  CHECK_INT(touch(&cell, 0), 0);
  CHECK_INT(cell, 2);
}

static void unregister(void) {
  __tgt_unregister_lib(&descriptor);
}

static void limits(void) {
  int cell = 0;
  CHECK_INT(touch(&cell, 0), 0);
  CHECK_INT(cuda_sim_calls("cuCtxSetLimit"), 2);
}

int main(int argc, char **argv) {
  int cell = 0;
  if (argc < 3) return 2;
  if (!cuda_sim_calls) TEST_SKIP("only the simulated driver counts calls");
  register_image(argv[1]);
  /* the code that Clang emits unregisters the library after the driver's shutdown */
  if (strcmp(argv[2], "exit") == 0) {
    atexit(unregister);
    CHECK_INT(touch(&cell, 0), 0);
    return TEST_RESULT();
  }
  if (strcmp(argv[2], "region") == 0) {
    (void)touch(&cell, 0);
    CHECK_INT(cell, 1);
  }
  if (strcmp(argv[2], "reset") == 0) reset();
  if (strcmp(argv[2], "fork") == 0) forked();
  if (strcmp(argv[2], "limits") == 0) limits();
  if (strcmp(argv[2], "all") == 0) {
    /* opens the device, so that later checks do not count the calls of the opening */
    CHECK_INT(touch(&cell, 0), 0);
    kinds();
    copies();
    interop();
    shared_memory();
    CHECK_INT(cuda_sim_violations(), 0);
    unregister();
  }
  return TEST_RESULT();
}
