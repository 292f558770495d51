/* Description: damaged fat binaries of HIP and CUDA host code: truncated, or with changed header
 * bytes and fields. The program must start, and a launch runs or reports the error. Argument: a
 * bundle with the kernel _Z6addOnePi for the CPU. */
#include "tests/unit/test.h"
#include <stdint.h>

typedef struct dim3 {
  unsigned x, y, z;
} dim3;
typedef struct wrapper {
  uint32_t magic, version;
  const void *binary;
  void *unused;
} wrapper;

#define LANGUAGE(name)                                                                             \
  extern void **__##name##RegisterFatBinary(const void *wrapper);                                  \
  extern void __##name##UnregisterFatBinary(void **handle);                                        \
  extern void __##name##RegisterFunction(void **handle, const void *host, char *device,            \
                                         const char *called, unsigned limit, void *tid, void *bid, \
                                         void *block, void *grid, int *warp);                      \
  extern int name##LaunchKernel(const void *host, dim3 grid, dim3 block, void **arguments,         \
                                size_t shared_bytes, void *stream);                                \
  extern int name##DeviceSynchronize(void);                                                        \
  extern const char *name##GetErrorString(int error);
LANGUAGE(hip)
LANGUAGE(cuda)

enum { HIP_MAGIC = 0x48495046, CUDA_MAGIC = 0x466243b1, ROOM = 1 << 18, HEADER = 200 };
/* in the data segment, like the fat binary of a program */
static char bytes[ROOM] = {1}, whole[ROOM];
static size_t size;
static char stub;
static long refused, ran;

/* Registers `bytes`, launches and unregisters. Returns the launch's error. */
static int try(const wrapper *w, int cuda) {
  int value = 1, *address = &value, error;
  void *arguments[] = {&address};
  const dim3 one = {1, 1, 1};
  const char *text;
  if (cuda) {
    void **h = __cudaRegisterFatBinary(w);
    __cudaRegisterFunction(h, &stub, "addOne", "_Z6addOnePi", 0, NULL, NULL, NULL, NULL, NULL);
    error = cudaLaunchKernel(&stub, one, one, arguments, 0, NULL);
    text = cudaGetErrorString(error);
    if (!error) error = cudaDeviceSynchronize();
    __cudaUnregisterFatBinary(h);
  } else {
    void **h = __hipRegisterFatBinary(w);
    __hipRegisterFunction(h, &stub, "addOne", "_Z6addOnePi", 0, NULL, NULL, NULL, NULL, NULL);
    error = hipLaunchKernel(&stub, one, one, arguments, 0, NULL);
    text = hipGetErrorString(error);
    if (!error) error = hipDeviceSynchronize();
    __hipUnregisterFatBinary(h);
  }
  CHECK(error || value == 2);
  if (error) CHECK(strlen(text) > 25); /* the text must be longer than the name of the error */
  error ? refused++ : ran++;
  return error;
}

static void changed(size_t at, uint64_t value, size_t width) {
  wrapper w = {HIP_MAGIC, 1, bytes, NULL};
  memcpy(bytes, whole, size);
  memcpy(bytes + at, &value, width);
  (void)try(&w, 0);
}

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!file) return 2;
  size = fread(whole, 1, sizeof whole - 4096, file);
  fclose(file);
  memcpy(bytes, whole, size);
  wrapper hip = {HIP_MAGIC, 1, bytes, NULL}, cuda = {CUDA_MAGIC, 1, bytes, NULL}, bad = hip;
  CHECK_INT(try(&hip, 0), 0);
  CHECK_INT(try(&cuda, 1), 0);
  CHECK(try(&hip, 1) && try(&cuda, 0) && try(NULL, 0) && try(NULL, 1));
  bad.binary = NULL;
  CHECK(try(&bad, 0));
  for (size_t cut = 0; cut < size; cut += cut < HEADER ? 1 : 1009) {
    memset(bytes, 0, size);
    memcpy(bytes, whole, cut);
    (void)try(&hip, 0);
    (void)try(&cuda, 1);
  }
  for (size_t at = 0; at < HEADER; at++) {
    uint8_t was = (uint8_t)whole[at];
    changed(at, 0, 1);
    changed(at, 255, 1);
    changed(at, (uint8_t)(was + 1), 1);
    changed(at, (uint8_t)(was - 1), 1);
  }
  for (size_t at = 24; at < HEADER; at++) {
    changed(at, UINT64_MAX, 8);
    changed(at, INT64_MAX, 8);
    changed(at, size - 1, 8);
  }
  memcpy(bytes, whole, size);
  CHECK_INT(try(&hip, 0), 0); /* the errors above do not affect a valid fat binary */
  static const uint32_t magics[] = {0xba55ed50, 0x424f4343, 0x464c457f, 0x10ff10ad};
  for (size_t m = 0; m < 4; m++)
    for (int fill = 0; fill < 256; fill += 51) {
      memset(bytes, fill, ROOM);
      memcpy(bytes, &magics[m], 4);
      CHECK(try(&hip, 0) && try(&cuda, 1));
    }
  printf("%ld rejected, %ld ran\n", refused, ran);
  CHECK(refused > 500);
  return TEST_RESULT();
}
