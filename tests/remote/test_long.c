/* Description: copies to and from a server's CPU device that go past the caches, and those just too short for
 * it: every byte arrives, at odd addresses of both sides, and none beside them changes; what is enqueued
 * behind a copy sees all of it. Argument 1: solo-server. */
#define _GNU_SOURCE
#include "backends/remote/remote_staging.h"
#include "tests/remote/must.h"
#include "tests/unit/test.h"

#include <unistd.h>

enum { PATIENCE_SECONDS = 120, MOST = SOLO_REMOTE_STREAM_FROM + 4096, BESIDE = 0xee };

static const solo_backend *const b = &solo_remote_host_backend;
static solo_bdevice *device;
static solo_bqueue *queue;
static unsigned char sent[MOST], got[MOST];

static uint64_t address_of(const void *bytes) {
  return (uint64_t)(uintptr_t)bytes;
}

/* There, within the device to where its source does not lie, and back. */
static void check(solo_devptr block, uint64_t bytes, uint64_t host_at, uint64_t device_at) {
  solo_devptr second = block + MOST;
  memset(got, BESIDE, sizeof got);
  MUST(b->queue_fill(queue, block, BESIDE, (uint64_t)2 * MOST));
  MUST(b->queue_copy(queue, block + device_at, address_of(sent + host_at), bytes, SOLO_COPY_IN));
  MUST(b->queue_copy(queue, second + device_at, block + device_at, bytes, SOLO_COPY_WITHIN));
  MUST(b->queue_copy(queue, address_of(got + host_at), second + device_at, bytes, SOLO_COPY_OUT));
  MUST(b->queue_sync(queue));
  CHECK(memcmp(got + host_at, sent + host_at, bytes) == 0);
  long beside = 0;
  for (uint64_t i = 0; i < host_at; i++) beside += got[i] != BESIDE;
  for (uint64_t i = host_at + bytes; i < MOST; i++) beside += got[i] != BESIDE;
  CHECK_INT(beside, 0);
  MUST(b->queue_copy(queue, address_of(got), block, device_at, SOLO_COPY_OUT));
  MUST(b->queue_copy(queue, address_of(got + device_at), block + device_at + bytes, 64,
                     SOLO_COPY_OUT));
  MUST(b->queue_sync(queue));
  for (uint64_t i = 0; i < device_at + 64; i++) beside += got[i] != BESIDE;
  CHECK_INT(beside, 0);
}

int main(int argc, char **argv) {
  static char *server; /* kept: LeakSanitizer sees it */
  server = argc > 1 ? realpath(argv[1], NULL) : NULL;
  if (!server) TEST_SKIP("no device server was built");
  alarm(PATIENCE_SECONDS);
  setenv("SOLO_SERVER", server, 1);
  setenv("SOLO_SERVER_BACKENDS", "host", 1);
  setenv("SOLO_HOST_DEVICES", "1", 1);
  uint32_t random = 1;
  for (size_t i = 0; i < MOST; i++)
    sent[i] = (unsigned char)((random = random * 1664525u + 1) >> 24);
  solo_device_info info;
  MUST(b->device_open(0, 0, &device, &info));
  MUST(b->queue_open(device, &queue));
  solo_devptr block = 0;
  MUST(b->mem_alloc(device, (uint64_t)2 * MOST, SOLO_MEMORY_DEVICE, &block));
  const uint64_t least = SOLO_REMOTE_STREAM_FROM;
  const uint64_t lengths[] = {least - 1, least, least + 77};
  for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++)
    for (uint64_t at = 0; at < 64; at += 21) check(block, lengths[n], at, 63 - at);
  MUST(b->mem_free(device, block, SOLO_MEMORY_DEVICE));
  b->queue_close(device, queue);
  b->device_close(device);
  return TEST_RESULT();
}
