/* Holds all kinds of resources of a device server until a signal kills it (freed.sh).
 *   holder cuda|hsa IMAGE
 */
#define _GNU_SOURCE
#include "backends/remote/remote.h"
#include "tests/remote/must.h"
#include "tests/remote/read_image.h"

#include <string.h>
#include <unistd.h>

enum { QUEUES = 3, BLOCKS = 5, COPY_BYTES = 3 << 20, SECONDS = 100 };

static const solo_backend *b;
static solo_bdevice *device;
static solo_bmodule *module;

static void load(const char *path) {
  solo_image image;
  MUST(read_image(path, &image));
  MUST(b->module_load(device, &image, &module));
}

static void use_queue(solo_devptr cell) {
  static char bytes[COPY_BYTES];
  solo_bqueue *queue;
  solo_bevent *event;
  solo_bkernel *kernel;
  solo_kernel_attributes attributes;
  const uint64_t slots[4] = {0, cell, 2, 1};
  const solo_launch_record record = {
      .teams = {1, 1, 1}, .threads = {1, 1, 1}, .argument_bytes = 32, .arguments = slots};
  MUST(b->queue_open(device, &queue));
  MUST(b->event_open(device, &event));
  MUST(b->module_kernel(module, "conf_affine", &kernel, &attributes));
  uint64_t host = (uint64_t)(uintptr_t)bytes;
  MUST(b->queue_copy(queue, cell, host, sizeof bytes,
                     SOLO_COPY_IN)); /* the copy uses a page-locked staging area */
  MUST(b->queue_launch(queue, kernel, &record));
  MUST(b->event_record(queue, event));
  MUST(b->queue_sync(queue));
  for (int n = 0; n < 10; n++) MUST(b->queue_launch(queue, kernel, &record));
}

int main(int argc, char **argv) {
  solo_device_info info;
  solo_devptr blocks[BLOCKS];
  alarm(SECONDS);
  if (argc < 3) return 2;
  b = strcmp(argv[1], "cuda") == 0 ? &solo_remote_cuda_backend : &solo_remote_hsa_backend;
  setenv("SOLO_SERVER_BACKENDS", argv[1], 1);
  MUST(b->device_open(0, 0, &device, &info));
  load(argv[2]);
  for (int n = 0; n < BLOCKS; n++)
    MUST(b->mem_alloc(device, (uint64_t)COPY_BYTES << n, SOLO_MEMORY_DEVICE, &blocks[n]));
  for (int n = 0; n < QUEUES; n++) use_queue(blocks[n]);
  puts("held");
  fflush(stdout);
  pause();
  return 1;
}
