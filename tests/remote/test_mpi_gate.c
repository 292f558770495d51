/* Description: two servers wait for each other's events while one has a failure to tell. What is complete must be told
 * before its queue waits at a gate, or nobody opens that. One queue: long work, work that fails, an event; the
 * other waits for it, and the first for the other.
 *   mpirun -n 1 test_mpi_gate : -n 2 solo-server */
#include "backends/remote/remote.h"
#include "tests/unit/test.h"

#include <unistd.h>

enum { BYTES = 32 << 20, LONG = 3, PATIENCE_SECONDS = 60 };

typedef struct device {
  solo_bdevice *handle;
  solo_bqueue *queue;
  solo_devptr block;
  solo_bevent *event;
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
  (void)b->mem_free(d->handle, d->block, SOLO_MEMORY_DEVICE);
  b->queue_close(d->handle, d->queue);
  b->device_close(d->handle);
}

static void check_round(device *first, device *other, int fails) {
  for (int n = 0; n < LONG; n++)
    CHECK_INT(b->queue_fill(first->queue, first->block, 1, BYTES), SOLO_OK);
  if (fails) solo_remote_fail_at(1, 0);
  CHECK_INT(b->queue_fill(first->queue, first->block, 2, 32), SOLO_OK);
  CHECK_INT(b->event_record(first->queue, first->event), SOLO_OK);
  CHECK_INT(b->queue_wait_event(other->queue, first->event), SOLO_OK);
  CHECK_INT(b->queue_fill(other->queue, other->block, 3, 32), SOLO_OK);
  CHECK_INT(b->event_record(other->queue, other->event), SOLO_OK);
  CHECK_INT(b->queue_wait_event(first->queue, other->event), SOLO_OK);
  CHECK_INT(b->queue_fill(first->queue, first->block, 4, 32), SOLO_OK);
  CHECK((b->queue_sync(first->queue) != SOLO_OK) == fails);
  CHECK_INT(b->queue_sync(other->queue), SOLO_OK);
}

int main(void) {
  int count = 0;
  device first = {0}, other = {0};
  alarm(PATIENCE_SECONDS);
  CHECK_INT(b->device_count(&count), SOLO_OK);
  CHECK_INT(count, 2);
  CHECK(open_device(&first, 0) && open_device(&other, 1));
  if (test_failures) return TEST_RESULT();
  for (int n = 0; n < 4; n++) check_round(&first, &other, n % 2);
  close_device(&other);
  close_device(&first);
  return TEST_RESULT();
}
