/* Description: large copies of pageable memory use pinned staging buffers; small copies and pinned
 * memory bypass them. Without pinned memory or events, copies are direct. Argument 1: cubin;
 * argument 2: "never", if staging is disabled. */
#include "backends/cuda/cuda_api.h"
#include "tests/cuda/cuda_test.h"

#include <pthread.h>

enum { KIB = 1024, THRESHOLD = 64 * KIB, PIECE = 16 * KIB, MOST = 200 * KIB };

static const solo_backend *const b = &solo_cuda_backend;
static test_device t;

static uint64_t host(const void *p) {
  return (uint64_t)(uintptr_t)p;
}

static void write_pattern(unsigned char *p, size_t bytes, unsigned seed) {
  for (size_t i = 0; i < bytes; i++) p[i] = (unsigned char)(i * 31 + i / 251 + seed);
}

/* Copies data to the device and back, and overwrites the source as soon as the contract permits.
 * Returns 0 if the copied data is correct. */
static int round_trip(solo_bqueue *queue, size_t bytes, unsigned seed) {
  unsigned char *x = malloc(bytes), *y = malloc(bytes), *z = malloc(bytes);
  solo_devptr at;
  int bad = b->mem_alloc(t.device, bytes, SOLO_MEMORY_DEVICE, &at) != SOLO_OK;
  write_pattern(x, bytes, seed);
  memcpy(z, x, bytes);
  memset(y, 0, bytes);
  bad += b->queue_copy(queue, at, host(x), bytes, SOLO_COPY_IN) != SOLO_OK;
  bad += b->queue_sync(queue) != SOLO_OK;
  memset(x, 0xee, bytes);
  bad += b->queue_copy(queue, host(y), at, bytes, SOLO_COPY_OUT) != SOLO_OK;
  bad += b->queue_sync(queue) != SOLO_OK;
  bad += memcmp(y, z, bytes) != 0;
  /* no wait between the copies: the stream orders them */
  write_pattern(x, bytes, seed + 1);
  bad += b->queue_copy(queue, at, host(x), bytes, SOLO_COPY_IN) != SOLO_OK;
  bad += b->queue_copy(queue, host(y), at, bytes, SOLO_COPY_OUT) != SOLO_OK;
  bad += b->queue_sync(queue) != SOLO_OK;
  bad += memcmp(y, x, bytes) != 0;
  bad += b->mem_free(t.device, at, SOLO_MEMORY_DEVICE) != SOLO_OK;
  free(x);
  free(y);
  free(z);
  return bad;
}

static void sizes(void) {
  const size_t some[] = {1,         THRESHOLD - 1, THRESHOLD, THRESHOLD + 1, 5 * PIECE - 1,
                         5 * PIECE, 5 * PIECE + 1, MOST};
  for (unsigned slow = 0; slow < 2; slow++) {
    if (slow && !cuda_sim_delay) break;
    if (slow) cuda_sim_delay(300);
    for (unsigned i = 0; i < sizeof some / sizeof *some; i++)
      CHECK_INT(round_trip(t.queue, some[i], i), 0);
  }
  if (cuda_sim_delay) cuda_sim_delay(0);
}

static void expect_calls(solo_bqueue *queue, uint64_t at, size_t bytes, unsigned copies,
                         const char *what) {
  solo_devptr block;
  OK(b->mem_alloc(t.device, bytes, SOLO_MEMORY_DEVICE, &block));
  for (int out = 0; out < 2; out++) {
    cuda_sim_reset_calls();
    OK(out ? b->queue_copy(queue, at, block, bytes, SOLO_COPY_OUT)
           : b->queue_copy(queue, block, at, bytes, SOLO_COPY_IN));
    unsigned made = cuda_sim_calls(out ? "cuMemcpyDtoHAsync_v2" : "cuMemcpyHtoDAsync_v2");
    OK(b->queue_sync(queue));
    if (made != copies) printf("(%s, %s)\n", what, out ? "out" : "in");
    CHECK_INT(made, copies);
    CHECK_INT(cuda_sim_calls("cuEventRecord"), copies > 1 ? copies : 0);
    CHECK_INT(cuda_sim_calls("cuPointerGetAttribute"), bytes < THRESHOLD ? 0 : copies > 1 ? 2 : 1);
    CHECK_INT(cuda_sim_calls("cuMemHostAlloc") + cuda_sim_calls("cuEventCreate"), 0);
  }
  OK(b->mem_free(t.device, block, SOLO_MEMORY_DEVICE));
}

static void calls(void) {
  static unsigned char pageable[MOST], registered[MOST];
  const solo_memory_kind kinds[] = {SOLO_MEMORY_HOST, SOLO_MEMORY_SHARED};
  solo_devptr at;
  expect_calls(t.queue, host(pageable), MOST, (MOST + PIECE - 1) / PIECE, "pageable");
  expect_calls(t.queue, host(pageable), THRESHOLD - 1, 1, "small");
  for (int k = 0; k < 2; k++) {
    OK(b->mem_alloc(t.device, MOST, kinds[k], &at));
    expect_calls(t.queue, at, MOST, 1, k ? "managed" : "pinned");
    OK(b->mem_free(t.device, at, kinds[k]));
  }
  OK(b->mem_pin(t.device, registered, sizeof registered, &at));
  expect_calls(t.queue, host(registered), MOST, 1, "registered");
  OK(b->mem_unpin(t.device, registered));
  expect_calls(t.queue, host(registered), MOST, (MOST + PIECE - 1) / PIECE, "unregistered");
}

/* Checks that a queue without staging buffers does not try to allocate them again. */
static void without(const char *call, unsigned nth) {
  solo_bqueue *queue;
  int before = cuda_sim_live(NULL);
  OK(b->queue_open(t.device, &queue));
  cuda_sim_fail(call, nth, CUDA_ERROR_OUT_OF_MEMORY);
  cuda_sim_reset_calls();
  CHECK_INT(round_trip(queue, MOST, nth), 0);
  CHECK(cuda_sim_failed() != NULL);
  CHECK_INT(cuda_sim_calls(call), nth);
  CHECK_INT(cuda_sim_calls("cuMemcpyHtoDAsync_v2"), 2);
  b->queue_close(t.device, queue);
  CHECK_INT(cuda_sim_live(NULL), before);
}

static void without_event(unsigned nth) {
  cuda_sim_fail("cuEventRecord", nth, CUDA_ERROR_OUT_OF_MEMORY);
  /* us; with a shorter delay the copy could complete before the backend waits for the event */
  cuda_sim_delay(1000);
  CHECK_INT(round_trip(t.queue, MOST, nth), 0);
  cuda_sim_delay(0);
  CHECK(cuda_sim_failed() != NULL);
}

/* A copy fails after some of its pieces are in flight. The next copy must not reuse the staging
 * buffers of these pieces before the pieces complete. */
static void check_failed_copy(void) {
  solo_bqueue *queue;
  solo_devptr at;
  static unsigned char x[MOST];
  OK(b->queue_open(t.device, &queue));
  OK(b->mem_alloc(t.device, MOST, SOLO_MEMORY_DEVICE, &at));
  cuda_sim_fail("cuMemcpyDtoHAsync_v2", 3, CUDA_ERROR_UNKNOWN);
  CHECK_INT(b->queue_copy(queue, host(x), at, MOST, SOLO_COPY_OUT), SOLO_INTERNAL);
  CHECK_HAS(solo_error_last()->text, "CUDA_ERROR_UNKNOWN");
  cuda_sim_fail(NULL, 0, 0);
  CHECK_INT(round_trip(queue, MOST, 9), 0);
  OK(b->queue_sync(queue));
  OK(b->mem_free(t.device, at, SOLO_MEMORY_DEVICE));
  b->queue_close(t.device, queue);
}

static void never(void) {
  static unsigned char pageable[MOST];
  solo_devptr at;
  OK(b->mem_alloc(t.device, MOST, SOLO_MEMORY_DEVICE, &at));
  cuda_sim_reset_calls();
  OK(b->queue_copy(t.queue, at, host(pageable), MOST, SOLO_COPY_IN));
  CHECK_INT(cuda_sim_calls(NULL), 1);
  OK(b->queue_sync(t.queue));
  OK(b->mem_free(t.device, at, SOLO_MEMORY_DEVICE));
  CHECK_INT(round_trip(t.queue, MOST, 1), 0);
}

/* Does not use CHECK(), which is not thread-safe. */
static void *from_thread(void *unused) {
  solo_bqueue *queue;
  int bad = b->queue_open(t.device, &queue) != SOLO_OK;
  for (unsigned i = 0; i < 5 && !bad; i++) bad = round_trip(queue, MOST - i, i);
  b->queue_close(t.device, queue);
  return bad ? &t : unused;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  t = test_open(argv[1]);
  if (argc > 2 && cuda_sim_calls) never();
  if (argc == 2) {
    sizes();
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, from_thread, NULL);
    for (int i = 0; i < 3; i++) {
      void *failed;
      pthread_join(threads[i], &failed);
      CHECK(!failed);
    }
  }
  if (argc == 2 && cuda_sim_calls) {
    calls();
    for (unsigned nth = 1; nth <= 2; nth++) {
      without("cuMemHostAlloc", nth);
      without("cuEventCreate", nth);
    }
    for (unsigned nth = 1; nth < 20; nth += 5) without_event(nth);
    check_failed_copy();
  }
  test_close(&t);
  if (cuda_sim_live) {
    CHECK_INT(cuda_sim_live(NULL), 0);
    CHECK_INT(cuda_sim_violations(), 0);
  }
  return TEST_RESULT();
}
