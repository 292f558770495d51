/* Description: threads launch at once on queues that share hardware queues: every packet is carried
 * out, and no doorbell is rung with a lower index than before (which a packet processor that has come
 * to a packet not yet published need not look at). */
#include "runtime/backend.h"

#include "tests/images/files.h"
#include "tests/sim/libhsa/hsa_sim.h"
#include <pthread.h>

extern const solo_backend solo_hsa_backend;

enum { THREADS = 8, ROUNDS = 1500 };

static solo_bdevice *device;
static solo_bkernel *kernel;

/* How many calls failed; the checks are the main thread's. */
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
  for (int i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, launch, &failed[i]);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(thread[i], NULL);
    CHECK_INT(failed[i], 0);
  }
  CHECK_INT(hsa_sim_packets(2), THREADS * ROUNDS);
  b->module_unload(device, module);
  b->device_close(device);
  CHECK_INT(hsa_sim_live(NULL), 0);
  CHECK_INT(hsa_sim_violations(), 0);
  file_free(bytes);
  return TEST_RESULT();
}
