/* Description: user code has a current context and streams, and one thread uses two devices.
 * Results are correct, and each call leaves the user's context current. */
#define _GNU_SOURCE
#include "backends/cuda/cuda_api.h"
#include "tests/cuda/cuda_test.h"

#include <pthread.h>

CUresult cuCtxCreate_v2(CUcontext *out, unsigned flags, CUdevice device);
CUresult cuCtxDestroy_v2(CUcontext context);
CUresult cuMemcpyHtoD_v2(CUdeviceptr dst, const void *src, size_t bytes);
CUresult cuMemcpyDtoH_v2(void *dst, CUdeviceptr src, size_t bytes);
#pragma weak cuCtxCreate_v2
#pragma weak cuCtxDestroy_v2
#pragma weak cuMemcpyHtoD_v2
#pragma weak cuMemcpyDtoH_v2

static const solo_backend *const b = &solo_cuda_backend;
static test_device t;

static uint64_t host(const void *p) {
  return (uint64_t)(uintptr_t)p;
}

static CUcontext current(void) {
  CUcontext now = NULL;
  CHECK_INT(cuCtxGetCurrent(&now), CUDA_SUCCESS);
  return now;
}

/* Calls all kinds of operations. After each operation, the context `expected` must be current. */
static void use(test_device *d, CUcontext expected) {
  int x[16] = {0};
  solo_devptr at;
  solo_bqueue *queue;
  solo_bevent *event;
  solo_bkernel *kernel;
  solo_kernel_attributes attributes;
#define STEP(expression)                                                                           \
  OK(expression);                                                                                  \
  CHECK(current() == expected)
  STEP(b->mem_alloc(d->device, sizeof x, SOLO_MEMORY_DEVICE, &at));
  STEP(b->queue_open(d->device, &queue));
  STEP(b->event_open(d->device, &event));
  STEP(b->module_kernel(d->module, "sim_add", &kernel, &attributes));
  const uint64_t slots[] = {at, 16, 3};
  for (int i = 1; i <= 3; i++) {
    STEP(b->queue_copy(queue, at, host(x), sizeof x, SOLO_COPY_IN));
    STEP(test_launch(queue, kernel, 1, 16, slots, 3));
    STEP(b->queue_copy(queue, host(x), at, sizeof x, SOLO_COPY_OUT));
    STEP(b->event_record(queue, event));
    STEP(b->event_wait(event));
    STEP(b->queue_sync(queue));
    CHECK(x[0] == 3 * i && x[15] == 3 * i);
  }
  STEP(b->mem_free(d->device, at, SOLO_MEMORY_DEVICE));
  b->event_close(d->device, event);
  CHECK(current() == expected);
  b->queue_close(d->device, queue);
  CHECK(current() == expected);
#undef STEP
}

/* A new thread has no current context. After operations on two devices, the context of the second
 * device is current. */
static void *fresh_thread(void *two) {
  test_device *d = two;
  void *ours[2];
  CHECK(current() == NULL);
  for (int i = 0; i < 2; i++)
    OK(b->native_handle(d[i].device, NULL, SOLO_NATIVE_CONTEXT, &ours[i]));
  use(&d[0], ours[0]);
  use(&d[1], ours[1]);
  use(&d[0], ours[0]);
  return NULL;
}

static void *foreign_thread(void *two) {
  CUcontext foreign, popped;
  CUdeviceptr mine;
  int value = 5, back = 0;
  test_device *d = two;
  CHECK_INT(cuCtxCreate_v2(&foreign, 0, 0), CUDA_SUCCESS);
  CHECK_INT(cuMemAlloc_v2(&mine, 4), CUDA_SUCCESS);
  use(&d[0], foreign);
  CHECK_INT(cuMemcpyHtoD_v2(mine, &value, 4), CUDA_SUCCESS);
  use(&d[1], foreign);
  CHECK_INT(cuMemcpyDtoH_v2(&back, mine, 4), CUDA_SUCCESS);
  CHECK_INT(back, 5);
  /* User code pops its context and makes it current again. */
  CHECK_INT(cuCtxPopCurrent_v2(&popped), CUDA_SUCCESS);
  void *ours;
  OK(b->native_handle(d[0].device, NULL, SOLO_NATIVE_CONTEXT, &ours));
  use(&d[0], ours);
  CHECK_INT(cuCtxSetCurrent(foreign), CUDA_SUCCESS);
  use(&d[0], foreign);
  /* user code may make the backend's context current */
  CHECK_INT(cuCtxSetCurrent(ours), CUDA_SUCCESS);
  use(&d[1], ours);
  CHECK_INT(cuCtxSetCurrent(foreign), CUDA_SUCCESS);
  CHECK_INT(cuMemFree_v2(mine), CUDA_SUCCESS);
  CHECK_INT(cuCtxDestroy_v2(foreign), CUDA_SUCCESS);
  return NULL;
}

/* User code destroys its current context. The device must stay usable. */
static void *destroyed_thread(void *two) {
  CUcontext foreign, now;
  test_device *d = two;
  void *ours;
  OK(b->native_handle(d[0].device, NULL, SOLO_NATIVE_CONTEXT, &ours));
  use(&d[0], ours);
  CHECK_INT(cuCtxCreate_v2(&foreign, 0, 0), CUDA_SUCCESS);
  CHECK_INT(cuCtxPushCurrent_v2(foreign), CUDA_SUCCESS);
  CHECK_INT(cuCtxDestroy_v2(foreign), CUDA_SUCCESS);
  CHECK_INT(cuCtxGetCurrent(&now), CUDA_SUCCESS);
  CHECK(now == foreign);
  /* the backend does not query the driver here, because it caches the backend's own context as
   * current */
  OK(b->queue_sync(d[0].queue));
  use(&d[0], foreign);
  CHECK_INT(cuCtxPopCurrent_v2(&now), CUDA_SUCCESS);
  use(&d[0], ours);
  return NULL;
}

static void user_stream(void) {
  CUstream stream;
  void *context;
  CUdeviceptr at;
  int value = 9, back = 0;
  OK(b->native_handle(t.device, NULL, SOLO_NATIVE_CONTEXT, &context));
  CHECK_INT(cuCtxSetCurrent(context), CUDA_SUCCESS);
  CHECK_INT(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  OK(b->mem_alloc(t.device, 4, SOLO_MEMORY_DEVICE, &at));
  CHECK_INT(cuMemcpyHtoDAsync_v2(at, &value, 4, stream), CUDA_SUCCESS);
  CHECK_INT(cuStreamSynchronize(stream), CUDA_SUCCESS);
  OK(b->queue_copy(t.queue, host(&back), at, 4, SOLO_COPY_OUT));
  OK(b->queue_sync(t.queue));
  CHECK_INT(back, 9);
  CHECK_INT(cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  OK(b->mem_free(t.device, at, SOLO_MEMORY_DEVICE));
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  setenv("SIM_DEVICES", "2", 0);
  t = test_open(argv[1]);
  int count;
  OK(b->device_count(&count));
  if (count < 2) TEST_SKIP("needs two devices");
  test_device two[2] = {t, {0}};
  solo_image image = test_image(argv[1]);
  OK(b->device_open(1, 1, &two[1].device, &two[1].info));
  OK(b->module_load(two[1].device, &image, &two[1].module));
  pthread_t thread;
  pthread_create(&thread, NULL, fresh_thread, two);
  pthread_join(thread, NULL);
  if (cuCtxCreate_v2) {
    pthread_create(&thread, NULL, foreign_thread, two);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, destroyed_thread, two);
    pthread_join(thread, NULL);
  }
  user_stream();
  b->module_unload(two[1].device, two[1].module);
  b->device_close(two[1].device);
  test_close(&t);
  free((void *)(uintptr_t)image.bytes.data);
  if (cuda_sim_live) {
    CHECK_INT(cuda_sim_live(NULL), 0);
    CHECK_INT(cuda_sim_violations(), 0);
  }
  return TEST_RESULT();
}
