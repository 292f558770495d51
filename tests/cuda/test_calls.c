/* Description: launches, copies and waits make exactly the expected driver calls. */
#define _GNU_SOURCE
#include "backends/cuda/cuda_api.h"
#include "runtime/base/lock.h"
#include "tests/cuda/cuda_test.h"

#include <unistd.h>

static const solo_backend *const b = &solo_cuda_backend;

static uint64_t host(const void *p) {
  return (uint64_t)(uintptr_t)p;
}

/* A wait that polls several times with cuStreamQuery counts as one wait. */
static unsigned waits(void) {
  return (cuda_sim_calls("cuStreamQuery") > 0) + cuda_sim_calls("cuStreamSynchronize") +
         cuda_sim_calls("cuEventSynchronize");
}

static unsigned others(void) {
  return cuda_sim_calls(NULL) - cuda_sim_wait_calls();
}

/* A long wait polls, then sleeps on an event, or in cuStreamSynchronize if the context is in
 * blocking mode. Each poll takes the context's lock, so after a wait of t the next poll follows
 * after t/32. A query takes 0.1 us. The wait thus polls 32 times in the first 3.2 us, and 32
 * ln(2000 / 3.2) = 206 times up to the limit of 2000 us. */
enum { ASKS = 32 + 206 };
static void check_long_wait(const test_device *t, solo_bkernel *kernel, const uint64_t *slots,
                            unsigned by_event) {
  solo_bevent *event;
  OK(b->event_open(t->device, &event));
  cuda_sim_delay(200000); /* us; 100 times the polling time */
  cuda_sim_reset_calls();
  OK(test_launch(t->queue, kernel, 1, 64, slots, 3));
  OK(b->queue_sync(t->queue));
  CHECK(cuda_sim_calls("cuStreamQuery") <= ASKS);
  CHECK_INT(cuda_sim_calls("cuEventSynchronize"), by_event);
  CHECK_INT(cuda_sim_calls("cuStreamSynchronize"), !by_event);
  OK(test_launch(t->queue, kernel, 1, 64, slots, 3));
  OK(b->event_record(t->queue, event));
  OK(b->event_wait(event));
  CHECK(cuda_sim_calls("cuEventQuery") <= ASKS);
  cuda_sim_delay(0);
  b->event_close(t->device, event);
}

/* cuStreamQuery does not flush the driver's printf buffer. If the image refers to vprintf, the
 * backend must also call a function that synchronises and flushes. Otherwise the kernel's output is
 * missing. */
static void check_printing(const test_device *t, solo_bkernel *kernel, const uint64_t *slots,
                           const char *cubin) {
  for (unsigned prints = 0; prints < 2; prints++) {
    solo_bmodule *module = NULL;
    if (prints) {
      solo_image image = test_image(cubin);
      size_t size = image.bytes.size;
      char *bytes = malloc(size + sizeof "vprintf");
      memcpy(bytes, image.bytes.data, size);
      memcpy(bytes + size, "vprintf", sizeof "vprintf");
      free((void *)(uintptr_t)image.bytes.data);
      image.bytes = solo_span_of(bytes, size + sizeof "vprintf");
      OK(b->module_load(t->device, &image, &module));
      free(bytes);
    }
    OK(test_launch(t->queue, kernel, 1, 64, slots, 3));
    usleep(100000); /* the kernel has completed */
    cuda_sim_reset_calls();
    OK(b->queue_sync(t->queue));
    CHECK(cuda_sim_calls("cuStreamSynchronize") >= prints);
    if (!prints && cuda_sim_calls("cuStreamQuery") == 1)
      CHECK_INT(cuda_sim_calls("cuStreamSynchronize"), 0);
    int done = 0;
    solo_bevent *event;
    OK(b->event_open(t->device, &event));
    for (int ask = 0; ask < 2; ask++) {
      OK(b->event_record(t->queue, event));
      usleep(20000);
      cuda_sim_reset_calls();
      OK(ask ? b->event_query(event, &done) : b->event_wait(event));
      CHECK(cuda_sim_calls("cuEventSynchronize") >= (!ask || done ? prints : 0));
    }
    b->event_close(t->device, event);
    if (prints) b->module_unload(t->device, module);
  }
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  if (!cuda_sim_calls) TEST_SKIP("only the simulated driver counts calls");
  test_device t = test_open(argv[1]);
  solo_bkernel *kernel = test_kernel(&t, "sim_add");
  solo_devptr at;
  int x[64] = {0};
  OK(b->mem_alloc(t.device, sizeof x, SOLO_MEMORY_DEVICE, &at));
  const uint64_t slots[] = {at, 64, 1};
  OK(test_launch(t.queue, kernel, 1, 64, slots, 3));
  OK(b->queue_sync(t.queue));
#ifdef SOLO_COUNT_LOCKS
  uint64_t locks = solo_load_relaxed(&solo_lock_count);
#endif
  cuda_sim_reset_calls(); /* a region with present data */
  OK(test_launch(t.queue, kernel, 1, 64, slots, 3));
  OK(b->queue_sync(t.queue));
  CHECK_INT(cuda_sim_calls("cuLaunchKernel"), 1);
  CHECK_INT(others(), 1);
  CHECK(waits() >= 1 && waits() <= 2);
  if (getenv("SOLO_SPIN_US")) CHECK_INT(cuda_sim_calls(NULL), 2);

  cuda_sim_reset_calls(); /* one array, tofrom */
  OK(b->queue_copy(t.queue, at, host(x), sizeof x, SOLO_COPY_IN));
  OK(test_launch(t.queue, kernel, 1, 64, slots, 3));
  OK(b->queue_copy(t.queue, host(x), at, sizeof x, SOLO_COPY_OUT));
  OK(b->queue_sync(t.queue));
  CHECK_INT(cuda_sim_calls("cuMemcpyHtoDAsync_v2"), 1);
  CHECK_INT(cuda_sim_calls("cuMemcpyDtoHAsync_v2"), 1);
  CHECK_INT(cuda_sim_calls("cuLaunchKernel"), 1);
  CHECK_INT(others(), 3);
  CHECK_INT(x[63], 1);
#ifdef SOLO_COUNT_LOCKS
  CHECK_INT(solo_load_relaxed(&solo_lock_count), locks);
#endif
  /* 0: the context is in blocking mode, so the wait sleeps in cuStreamSynchronize */
  const char *spin = getenv("SOLO_SPIN_US");
  check_long_wait(&t, kernel, slots, !spin || atoi(spin));
  check_printing(&t, kernel, slots, argv[1]);
  if (test_failures) cuda_sim_print_calls();
  OK(b->mem_free(t.device, at, SOLO_MEMORY_DEVICE));
  test_close(&t);
  CUcontext users;
  CHECK_INT(cuDevicePrimaryCtxSetFlags_v2(0, 0), CUDA_SUCCESS);
  CHECK_INT(cuDevicePrimaryCtxRetain(&users, 0), CUDA_SUCCESS);
  t = test_open(argv[1]);
  kernel = test_kernel(&t, "sim_add");
  const uint64_t none[] = {0, 0, 1};
  check_long_wait(&t, kernel, none, 1);
  test_close(&t);
  CHECK_INT(cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  return TEST_RESULT();
}
