/* Description: threads launch on queues that share hardware queues. Each packet runs, and doorbell
 * values never decrease. (A decrease may stop a packet processor at an unpublished packet.) Kernels
 * of one queue run in order, kernels of two queues concurrently. A kernarg segment is not reused
 * while its kernel runs. */
#include "runtime/backend.h"

#include "tests/images/files.h"
#include "tests/sim/libhsa/hsa_sim.h"
#include <pthread.h>

extern const solo_backend solo_hsa_backend;

/* QUEUES / 4 queues share a hardware queue of 512 packets. AHEAD: number of operations that one
 * queue can hold. */
enum { THREADS = 8, ROUNDS = 600, QUEUES = 180, AHEAD = 15 };

static solo_bdevice *device;
static solo_bkernel *kernel;

/* Counts failed calls and does not use CHECK(), which is not thread-safe. */
static void *launch(void *out_failed) {
  const solo_backend *b = &solo_hsa_backend;
  const uint64_t slots[1] = {0};
  const solo_launch_record record = {
      .teams = {1, 1, 1}, .threads = {1, 1, 1}, .argument_bytes = 8, .arguments = slots};
  solo_bqueue *queue;
  int *failed = out_failed;
  if (b->queue_open(device, &queue) != SOLO_OK) return ++*failed, NULL;
  for (int i = 0; i < ROUNDS; i++) {
    *failed += b->queue_launch(queue, kernel, &record) != SOLO_OK;
    if (i % 8 == 0) *failed += b->queue_sync(queue) != SOLO_OK;
  }
  *failed += b->queue_sync(queue) != SOLO_OK;
  b->queue_close(device, queue);
  return NULL;
}

static solo_status run(solo_bqueue *queue, solo_bkernel *of, const uint64_t *slots,
                       uint32_t bytes) {
  const solo_launch_record record = {
      .teams = {1, 1, 1}, .threads = {1, 1, 1}, .argument_bytes = bytes, .arguments = slots};
  return solo_hsa_backend.queue_launch(queue, of, &record);
}

static solo_bkernel *find(solo_bmodule *module, const char *name) {
  solo_bkernel *found = NULL;
  solo_kernel_attributes attributes;
  CHECK_INT(solo_hsa_backend.module_kernel(module, name, &found, &attributes), SOLO_OK);
  return found;
}

/* A slow kernel writes x. Quick kernels then multiply and add, so that another order yields another
 * value. */
static void check_one_queue(solo_bqueue *queue, solo_bmodule *module, uint64_t *x, solo_devptr at) {
  const uint64_t set[4] = {0, at, 20000000, 5}, twice[4] = {0, at, 2, 1}, more[4] = {0, at, 1, 3};
  uint64_t wanted = 5;
  CHECK_INT(run(queue, find(module, "conf_slow"), set, 32), SOLO_OK);
  solo_bkernel *affine = find(module, "conf_affine");
  for (int i = 0; i < 20; i++) {
    CHECK_INT(run(queue, affine, i % 3 ? more : twice, 32), SOLO_OK);
    wanted = i % 3 ? wanted + 3 : wanted * 2 + 1;
  }
  CHECK_INT(solo_hsa_backend.queue_sync(queue), SOLO_OK);
  CHECK_INT(*x, wanted);
}

/* Queues 0 and 4 share a hardware queue. A slow kernel of queue 0 must not delay queue 4 until
 * queue 4 waits for an event of queue 0. */
static void check_two_queues(solo_bqueue **queue, solo_bmodule *module, uint64_t *x,
                             solo_devptr at) {
  const solo_backend *b = &solo_hsa_backend;
  const uint64_t set[4] = {0, at, 300000000, 7}, twice[4] = {0, at, 2, 0}, none[1] = {0};
  solo_bevent *event;
  int done = 1;
  *x = 1;
  CHECK_INT(b->event_open(device, &event), SOLO_OK);
  CHECK_INT(run(queue[0], find(module, "conf_slow"), set, 32), SOLO_OK);
  CHECK_INT(b->event_record(queue[0], event), SOLO_OK);
  CHECK_INT(run(queue[4], kernel, none, 8), SOLO_OK);
  CHECK_INT(b->queue_sync(queue[4]), SOLO_OK);
  CHECK_INT(b->event_query(event, &done), SOLO_OK);
  CHECK_INT(done, 0);
  CHECK_INT(b->queue_wait_event(queue[4], event), SOLO_OK);
  CHECK_INT(run(queue[4], find(module, "conf_affine"), twice, 32), SOLO_OK);
  CHECK_INT(b->queue_sync(queue[4]), SOLO_OK);
  CHECK_INT(*x, 14);
  b->event_close(device, event);
}

/* A slow kernel runs while other queues launch often enough to reuse each free kernarg segment. */
static void check_segments(solo_bqueue **queue, solo_bmodule *module, uint64_t *x, solo_devptr at) {
  const uint64_t slow[4] = {0, at, 100000000, 9}, none[1] = {0};
  *x = 0;
  CHECK_INT(run(queue[0], find(module, "conf_slow"), slow, 32), SOLO_OK);
  for (int q = 4; q < QUEUES; q += 4)
    for (int i = 0; i < AHEAD; i++) CHECK_INT(run(queue[q], kernel, none, 8), SOLO_OK);
  for (int q = 0; q < QUEUES; q += 4) CHECK_INT(solo_hsa_backend.queue_sync(queue[q]), SOLO_OK);
  CHECK_INT(*x, 9);
}

static void check_order(solo_bmodule *module) {
  const solo_backend *b = &solo_hsa_backend;
  solo_bqueue *queue[QUEUES];
  solo_devptr at;
  for (int i = 0; i < QUEUES; i++) CHECK_INT(b->queue_open(device, &queue[i]), SOLO_OK);
  CHECK_INT(b->mem_alloc(device, 8, SOLO_MEMORY_HOST, &at), SOLO_OK);
  uint64_t *x = (uint64_t *)(uintptr_t)at;
  check_one_queue(queue[0], module, x, at);
  check_two_queues(queue, module, x, at);
  check_segments(queue, module, x, at);
  CHECK_INT(b->mem_free(device, at, SOLO_MEMORY_HOST), SOLO_OK);
  for (int i = 0; i < QUEUES; i++) b->queue_close(device, queue[i]);
}

int main(void) {
  const solo_backend *b = &solo_hsa_backend;
  files_folder = "build/sim/hsa";
  solo_span bytes = file_load("conf-gfx90a.co");
  if (!bytes.data) return 2;
  solo_image image;
  solo_device_info info;
  solo_bmodule *module;
  solo_kernel_attributes attributes;
  pthread_t thread[THREADS];
  int failed[THREADS] = {0};
  int count;
  CHECK_INT(solo_image_recognise(bytes, &image), SOLO_OK);
  CHECK_INT(b->device_count(&count), SOLO_OK);
  CHECK_INT(b->device_open(0, 0, &device, &info), SOLO_OK);
  CHECK_INT(b->module_load(device, &image, &module), SOLO_OK);
  CHECK_INT(b->module_kernel(module, "conf_empty", &kernel, &attributes), SOLO_OK);
  check_order(module);
  unsigned before = hsa_sim_packets(2);
  for (int i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, launch, &failed[i]);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(thread[i], NULL);
    CHECK_INT(failed[i], 0);
  }
  CHECK_INT(hsa_sim_packets(2) - before, THREADS * ROUNDS);
  b->module_unload(device, module);
  b->device_close(device);
  CHECK_INT(hsa_sim_live(NULL), 0);
  CHECK_INT(hsa_sim_violations(), 0);
  file_free(bytes);
  return TEST_RESULT();
}
