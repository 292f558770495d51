/* Description: two queues wait for each other's events, and one of them has a failure to report.
 * The program must report the failure before that queue waits. Otherwise the other queue waits
 * forever for an event of another server.
 *   mpirun -n 1 test_mpi_gate [IMAGE] : -n 2 solo-server      IMAGE: for simulated CUDA, two devices per server
 *   ... test_mpi_gate none: a program that uses no device
 */
#include "backends/remote/remote.h"
#include "tests/remote/read_image.h"
#include "tests/unit/test.h"

#include <string.h>
#include <unistd.h>

enum { BYTES = 32 << 20, LONG = 3, LONG_STEPS = 100000000, PATIENCE_SECONDS = 60 };

typedef struct device {
  solo_bdevice *handle;
  solo_bqueue *queue;
  solo_devptr block;
  solo_bevent *event;
  solo_bmodule *module;
} device;

static const solo_backend *b = &solo_remote_host_backend;

static int open_device(device *d, int ordinal) {
  solo_device_info info;
  return b->device_open(ordinal, ordinal, &d->handle, &info) == SOLO_OK &&
         b->queue_open(d->handle, &d->queue) == SOLO_OK &&
         b->mem_alloc(d->handle, BYTES, SOLO_MEMORY_DEVICE, &d->block) == SOLO_OK &&
         b->event_open(d->handle, &d->event) == SOLO_OK &&
         b->queue_fill(d->queue, d->block, 0, 8) == SOLO_OK && b->queue_sync(d->queue) == SOLO_OK;
}

static void close_device(device *d) {
  b->event_close(d->handle, d->event);
  if (d->module) b->module_unload(d->handle, d->module);
  (void)b->mem_free(d->handle, d->block, SOLO_MEMORY_DEVICE);
  b->queue_close(d->handle, d->queue);
  b->device_close(d->handle);
}

/* Makes the queue of `to` wait for the queue of `from`, and then fill a block. */
static void hand_on(device *from, device *to) {
  CHECK_INT(b->event_record(from->queue, from->event), SOLO_OK);
  CHECK_INT(b->queue_wait_event(to->queue, from->event), SOLO_OK);
  CHECK_INT(b->queue_fill(to->queue, to->block, 3, 32), SOLO_OK);
}

/* Long work and an operation that may fail on one device, then work on the other device, and again
 * on the first. */
static void check_round(device *first, device *other, int fails) {
  for (int n = 0; n < LONG; n++)
    CHECK_INT(b->queue_fill(first->queue, first->block, 1, BYTES), SOLO_OK);
  if (fails) solo_remote_fail_at(1, 0);
  CHECK_INT(b->queue_fill(first->queue, first->block, 2, 32), SOLO_OK);
  hand_on(first, other);
  hand_on(other, first);
  CHECK((b->queue_sync(first->queue) != SOLO_OK) == fails);
  CHECK_INT(b->queue_sync(other->queue), SOLO_OK);
}

static void check_two(void) {
  int count = 0;
  device first = {0}, other = {0};
  CHECK_INT(b->device_count(&count), SOLO_OK);
  CHECK_INT(count, 2);
  CHECK(open_device(&first, 0) && open_device(&other, 1));
  if (test_failures) return;
  for (int n = 0; n < 4; n++) check_round(&first, &other, n % 2);
  close_device(&other);
  close_device(&first);
}

static void run(device *d, const char *name) {
  solo_bkernel *kernel;
  solo_kernel_attributes attributes;
  const uint64_t slots[4] = {0, d->block + 8, LONG_STEPS, 1};
  int is_fault = strcmp(name, "conf_fault") == 0;
  const solo_launch_record record = {.teams = {1, 1, 1},
                                     .threads = {1, 1, 1},
                                     .argument_bytes = is_fault ? 8 : 32,
                                     .arguments = slots};
  CHECK_INT(b->module_kernel(d->module, name, &kernel, &attributes), SOLO_OK);
  CHECK_INT(b->queue_launch(d->queue, kernel, &record), SOLO_OK);
}

/* A kernel fails. Its queue waits for a queue of the same server, which waits for another server,
 * which waits for the kernel. */
static void check_kernel(const char *path) {
  solo_image image;
  device first = {0}, second = {0}, other = {0};
  b = &solo_remote_cuda_backend;
  CHECK_INT(read_image(path, &image), SOLO_OK);
  CHECK(open_device(&first, 0) && open_device(&second, 1) && open_device(&other, 2));
  CHECK(first.handle->server == second.handle->server);
  CHECK_INT(b->module_load(first.handle, &image, &first.module), SOLO_OK);
  if (test_failures) return;
  run(&first, "conf_slow");
  run(&first, "conf_fault");
  hand_on(&first, &other);
  hand_on(&other, &second);
  hand_on(&second, &first);
  CHECK(b->queue_sync(first.queue) != SOLO_OK);
  CHECK_INT(b->queue_sync(other.queue), SOLO_OK);
  CHECK_INT(b->queue_sync(second.queue), SOLO_OK);
  close_device(&other);
  close_device(&second);
  close_device(&first);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "none") == 0) return 0;
  alarm(PATIENCE_SECONDS);
  if (argc > 1)
    check_kernel(argv[1]);
  else
    check_two();
  return TEST_RESULT();
}
