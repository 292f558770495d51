/* Helpers for tests of the CUDA backend, which use the backend only through runtime/backend.h.
 * Argument 1 is a cubin of tests/sim/device/kernels.c. */
#ifndef CUDA_TEST_H
#define CUDA_TEST_H

#include "runtime/backend.h"
#include "tests/sim/libcuda/cuda_sim.h"
#include "tests/unit/test.h"

extern const solo_backend solo_cuda_backend;

#define OK(expression)                                                                             \
  do {                                                                                             \
    solo_status test_s_ = (expression);                                                            \
    test_checks++;                                                                                 \
    if (test_s_ != SOLO_OK) {                                                                      \
      test_failures++;                                                                             \
      printf("%s:%d: failed: %s: %s: %s\n", __FILE__, __LINE__, #expression,                       \
             solo_status_name(test_s_), solo_error_last()->text);                                  \
    }                                                                                              \
  } while (0)

SOLO_INLINE void *test_read(const char *path, size_t *out_size) {
  FILE *f = fopen(path, "rb");
  if (!f) {
    printf("cannot open %s\n", path);
    exit(1);
  }
  fseek(f, 0, SEEK_END);
  size_t size = (size_t)ftell(f);
  rewind(f);
  char *bytes = malloc(size + 1);
  *out_size = fread(bytes, 1, size, f);
  bytes[*out_size] = 0;
  fclose(f);
  return bytes;
}

SOLO_INLINE solo_image test_image(const char *path) {
  solo_image image;
  size_t size;
  void *bytes = test_read(path, &size);
  if (solo_image_recognise(solo_span_of(bytes, size), &image) != SOLO_OK) {
    printf("%s: %s\n", path, solo_error_last()->text);
    exit(1);
  }
  return image;
}

typedef struct test_device {
  solo_bdevice *device;
  solo_device_info info;
  solo_bmodule *module;
  solo_bqueue *queue;
} test_device;

SOLO_INLINE test_device test_open(const char *cubin) {
  const solo_backend *b = &solo_cuda_backend;
  test_device t = {0};
  int count = 0;
  if (b->device_count(&count) == SOLO_UNAVAILABLE) TEST_SKIP(solo_error_last()->text);
  solo_image image = test_image(cubin);
  if (b->device_open(0, 0, &t.device, &t.info) || b->module_load(t.device, &image, &t.module) ||
      b->queue_open(t.device, &t.queue)) {
    printf("%s\n", solo_error_last()->text);
    exit(1);
  }
  free((void *)(uintptr_t)image.bytes.data);
  return t;
}

SOLO_INLINE void test_close(test_device *t) {
  const solo_backend *b = &solo_cuda_backend;
  b->queue_close(t->device, t->queue);
  b->module_unload(t->device, t->module);
  b->device_close(t->device);
}

SOLO_INLINE solo_bkernel *test_kernel(const test_device *t, const char *name) {
  solo_bkernel *kernel = NULL;
  solo_kernel_attributes attributes;
  OK(solo_cuda_backend.module_kernel(t->module, name, &kernel, &attributes));
  return kernel;
}

/* Launches `kernel`; the 8-byte arguments follow the pointer to the launch environment. */
SOLO_INLINE solo_status test_launch(solo_bqueue *queue, solo_bkernel *kernel, uint32_t teams,
                                    uint32_t threads, const uint64_t *slots, uint32_t count) {
  uint64_t arguments[32] = {0};
  if (count) memcpy(arguments + 1, slots, count * sizeof *slots);
  solo_launch_record record = {.teams = {teams, 1, 1},
                               .threads = {threads, 1, 1},
                               .argument_bytes = (1 + count) * 8,
                               .arguments = arguments};
  return solo_cuda_backend.queue_launch(queue, kernel, &record);
}

#endif
