/* Description: a faulting kernel ends its device with one message. Later calls return DEVICE_LOST
 * immediately, and another device stays usable. */
#define _GNU_SOURCE
#include "tests/cuda/cuda_test.h"

static const solo_backend *const b = &solo_cuda_backend;

static uint64_t host(const void *p) {
  return (uint64_t)(uintptr_t)p;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  setenv("SIM_DEVICES", "2", 0);
  test_device t = test_open(argv[1]);
  solo_bqueue *second;
  solo_bevent *event;
  solo_devptr at, more;
  solo_bkernel *unused;
  solo_kernel_attributes attributes;
  int value = 1, done = 0;
  /* The address 16 is invalid. An address on this stack is unsafe: the simulated device's stack may
   * grow there, and the kernel would not fault. */
  const uint64_t slots[] = {16};
  OK(b->queue_open(t.device, &second));
  OK(b->event_open(t.device, &event));
  OK(b->mem_alloc(t.device, 64, SOLO_MEMORY_DEVICE, &at));
  /* before the launch, because later calls may already report the fault */
  OK(b->event_record(t.queue, event));
  OK(b->queue_wait_event(second, event));
  OK(test_launch(t.queue, test_kernel(&t, argv[2]), 1, 1, slots, 1));

  CHECK_INT(b->queue_sync(t.queue), SOLO_KERNEL_FAULT);
  CHECK_HAS(solo_error_last()->text, argv[2]);
  CHECK_HAS(solo_error_last()->text, argv[3]);
  CHECK_INT(solo_error_last()->device, 0);
  printf("%s\n", solo_error_last()->text);
  if (cuda_sim_reset_calls) cuda_sim_reset_calls();
  CHECK_INT(b->queue_sync(t.queue), SOLO_DEVICE_LOST);
  CHECK_HAS(solo_error_last()->text, argv[3]);
  CHECK_INT(b->queue_sync(second), SOLO_DEVICE_LOST);
  CHECK_INT(b->event_wait(event), SOLO_DEVICE_LOST);
  CHECK_INT(b->event_query(event, &done), SOLO_DEVICE_LOST);
  CHECK_INT(test_launch(t.queue, test_kernel(&t, argv[2]), 1, 1, slots, 1), SOLO_DEVICE_LOST);
  CHECK_INT(b->queue_copy(t.queue, at, host(&value), 4, SOLO_COPY_IN), SOLO_DEVICE_LOST);
  CHECK_INT(b->mem_alloc(t.device, 64, SOLO_MEMORY_DEVICE, &more), SOLO_DEVICE_LOST);
  CHECK_INT(b->module_kernel(t.module, "sim_add", &unused, &attributes), SOLO_DEVICE_LOST);
  if (cuda_sim_calls) CHECK_INT(cuda_sim_calls(NULL), cuda_sim_calls("cuGetErrorName"));

  int count;
  OK(b->device_count(&count));
  if (count > 1) {
    solo_bdevice *other;
    solo_device_info info;
    OK(b->device_open(1, 1, &other, &info));
    OK(b->mem_alloc(other, 64, SOLO_MEMORY_DEVICE, &more));
    OK(b->mem_free(other, more, SOLO_MEMORY_DEVICE));
    b->device_close(other);
  }
  /* mem_free returns the error of the lost device, and frees the memory */
  (void)b->mem_free(t.device, at, SOLO_MEMORY_DEVICE);
  b->event_close(t.device, event);
  b->queue_close(t.device, second);
  test_close(&t);
  if (cuda_sim_live) CHECK_INT(cuda_sim_live(NULL), 0);
  return TEST_RESULT();
}
