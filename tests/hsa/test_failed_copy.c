/* Description: a copy fails after the runtime has accepted the copy. The copy's signal becomes
 * negative, and dependent packets never run. Each way of waiting returns an error, no kernel uses
 * the data, and no byte reaches host memory. */
#define _DEFAULT_SOURCE
#include "runtime/backend.h"

#include "tests/images/files.h"
#include "tests/sim/libhsa/hsa_sim.h"
#include <unistd.h>

extern const solo_backend solo_hsa_backend;
static const solo_backend *const b = &solo_hsa_backend;

typedef enum way { SYNC, WAIT, QUERY, OTHER_QUEUE, COPY_OUT, FILL, WAYS } way;

static solo_status launch(solo_bqueue *queue, solo_bkernel *kernel) {
  const uint64_t slots[1] = {0};
  const solo_launch_record record = {
      .teams = {1, 1, 1}, .threads = {1, 1, 1}, .argument_bytes = 8, .arguments = slots};
  return b->queue_launch(queue, kernel, &record);
}

static solo_status end(way how, solo_bqueue *queue, solo_bqueue *second, solo_bevent *event,
                       solo_bkernel *kernel, solo_devptr at) {
  int done = 0;
  uint64_t host = 77;
  solo_status status = SOLO_OK;
  switch (how) {
  case SYNC:
    return b->queue_sync(queue);
  case WAIT:
    return b->event_wait(event);
  case QUERY:
    while ((status = b->event_query(event, &done)) == SOLO_OK && !done) usleep(100);
    return status;
  case OTHER_QUEUE:
    status = b->queue_wait_event(second, event);
    if (status == SOLO_OK) status = launch(second, kernel);
    return status == SOLO_OK ? b->queue_sync(second) : status;
  case COPY_OUT:
    status = b->queue_copy(queue, (uint64_t)(uintptr_t)&host, at, sizeof host, SOLO_COPY_OUT);
    CHECK_INT(host, 77);
    return status;
  default: /* launches until the queue is full and reports the error */
    while (status == SOLO_OK) status = launch(queue, kernel);
    return status;
  }
}

static void try(way how, const solo_image *image) {
  solo_bdevice *device;
  solo_device_info info;
  solo_bmodule *module;
  solo_bkernel *kernel;
  solo_kernel_attributes attributes;
  solo_bqueue *queue, *second;
  solo_bevent *event;
  solo_devptr at;
  uint64_t host = 5;
  CHECK_INT(b->device_open(0, 0, &device, &info), SOLO_OK);
  CHECK_INT(b->module_load(device, image, &module), SOLO_OK);
  CHECK_INT(b->module_kernel(module, "conf_empty", &kernel, &attributes), SOLO_OK);
  CHECK_INT(b->queue_open(device, &queue), SOLO_OK);
  CHECK_INT(b->queue_open(device, &second), SOLO_OK);
  CHECK_INT(b->event_open(device, &event), SOLO_OK);
  CHECK_INT(b->mem_alloc(device, 64, SOLO_MEMORY_DEVICE, &at), SOLO_OK);
  unsigned dispatches = hsa_sim_packets(2);
  hsa_sim_fail_copy(1);
  hsa_sim_delay(5000); /* the copy fails after all operations are enqueued */
  CHECK_INT(b->queue_copy(queue, at, (uint64_t)(uintptr_t)&host, sizeof host, SOLO_COPY_IN),
            SOLO_OK);
  CHECK_INT(launch(queue, kernel), SOLO_OK);
  CHECK_INT(b->event_record(queue, event), SOLO_OK);
  CHECK_INT(end(how, queue, second, event, kernel, at), SOLO_DEVICE_LOST);
  CHECK_HAS(solo_error_last()->text, "an accepted copy failed (signal -1)");
  CHECK_INT(hsa_sim_packets(2) - dispatches, 0);
  hsa_sim_delay(0);
  CHECK_INT(b->queue_sync(queue), SOLO_DEVICE_LOST);
  CHECK_INT(launch(second, kernel), SOLO_DEVICE_LOST);
  b->event_close(device, event);
  b->queue_close(device, second);
  b->queue_close(device, queue);
  CHECK_INT(b->mem_free(device, at, SOLO_MEMORY_DEVICE), SOLO_OK);
  b->module_unload(device, module);
  b->device_close(device);
  CHECK_INT(hsa_sim_live(NULL), 0);
}

int main(void) {
  int count;
  solo_image image;
  files_folder = "build/sim/hsa";
  solo_span bytes = file_load("conf-gfx90a.co");
  CHECK_INT(solo_image_recognise(bytes, &image), SOLO_OK);
  CHECK_INT(b->device_count(&count), SOLO_OK);
  for (way how = SYNC; how < WAYS; how++) try(how, &image);
  CHECK_INT(hsa_sim_violations(), 0);
  file_free(bytes);
  return TEST_RESULT();
}
