/* Description: long copies to and from a server's CPU device, inside and outside the shared area.
 * All bytes arrive, and neighbouring bytes do not change. The order with other work is preserved,
 * also between servers. Blocks of the area do not overlap, occupy memory only while in use, and are
 * freed with their device. Failures are reported. Argument 1: solo-server. */
#define _GNU_SOURCE
#include "backends/remote/remote_area.h"
#include "tests/remote/must.h"
#include "tests/unit/test.h"

#include <limits.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 120, MIB = 1 << 20, MOST = 5 * MIB, BESIDE = 0xee };

static const solo_backend *const b = &solo_remote_host_backend;
static solo_bdevice *device;
static solo_bqueue *queue;
static unsigned char sent[MOST], got[MOST];

static uint64_t address_of(const void *bytes) {
  return (uint64_t)(uintptr_t)bytes;
}

static solo_devptr take(solo_bdevice *of, uint64_t bytes) {
  solo_devptr block = 0;
  MUST(b->mem_alloc(of, bytes, SOLO_MEMORY_DEVICE, &block));
  return block;
}

static void return_block(solo_bdevice *of, solo_devptr block) {
  MUST(b->mem_free(of, block, SOLO_MEMORY_DEVICE));
}

/* Copies to the first block, from there to the second block, and back to the host. Checks all
 * bytes. */
static void check(solo_devptr block, solo_devptr second, uint64_t bytes, uint64_t host_at,
                  uint64_t device_at, uint64_t block_bytes) {
  memset(got, BESIDE, sizeof got);
  MUST(b->queue_fill(queue, block, BESIDE, block_bytes));
  MUST(b->queue_fill(queue, second, BESIDE, block_bytes));
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

static void check_lengths(uint64_t block_bytes, int is_shared) {
  solo_devptr block = take(device, block_bytes), second = take(device, block_bytes);
  CHECK_INT(solo_remote_area_find(device, block, block_bytes) != NULL, is_shared);
  const uint64_t least = SOLO_REMOTE_STAGING_BYTES; /* longest copy through the staging area */
  const uint64_t lengths[] = {least, least + 1, block_bytes - 4096};
  for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++)
    for (uint64_t at = 0; at < 64; at += 21)
      check(block, second, lengths[n], at, 63 - at, block_bytes);
  return_block(device, block);
  return_block(device, second);
}

/* A long copy waits for earlier work of another queue. */
static void check_order(void) {
  solo_bqueue *other;
  solo_bevent *event;
  solo_devptr block = take(device, (uint64_t)MOST);
  MUST(b->queue_open(device, &other));
  MUST(b->event_open(device, &event));
  for (int round = 0; round < 20; round++) {
    MUST(b->queue_fill(other, block, round, (uint64_t)MOST));
    MUST(b->event_record(other, event));
    MUST(b->queue_wait_event(queue, event));
    MUST(b->queue_copy(queue, address_of(got), block, (uint64_t)MOST, SOLO_COPY_OUT));
    MUST(b->queue_sync(queue));
    long wrong = 0;
    for (size_t i = 0; i < MOST; i++) wrong += got[i] != round;
    CHECK_INT(wrong, 0);
  }
  MUST(b->queue_sync(other));
  b->event_close(device, event);
  b->queue_close(device, other);
  return_block(device, block);
}

static int is_memory(const void *page) {
  unsigned char is = 0;
  return mincore((void *)(uintptr_t)page, 1, &is) == 0 && is & 1;
}

static void check_places(void) {
  enum { BLOCKS = 12 };
  static solo_devptr blocks[BLOCKS];
  for (int round = 0; round < 3; round++) {
    for (int n = 0; n < BLOCKS; n++) {
      uint64_t bytes = (uint64_t)(5 + (n * 7 + round) % 9) * MIB + 77;
      if (blocks[n]) continue;
      blocks[n] = take(device, bytes);
      memset(solo_remote_area_find(device, blocks[n], bytes), n, bytes);
    }
    for (int n = 0; n < BLOCKS; n++) {
      const unsigned char *at = solo_remote_area_find(device, blocks[n], 5 * (uint64_t)MIB);
      long wrong = 0;
      for (size_t i = 0; i < (size_t)5 * MIB; i++) wrong += at[i] != n;
      CHECK_INT(wrong, 0);
      if (n % (round + 2) == 0) return_block(device, blocks[n]), blocks[n] = 0;
    }
  }
  for (int n = 0; n < BLOCKS; n++)
    if (blocks[n]) return_block(device, blocks[n]);
}

static void check_memory(void) {
  const uint64_t kept = 64 * (uint64_t)MIB, more = 8 * (uint64_t)MIB;
  solo_devptr first = take(device, kept), second = take(device, more);
  char *begin = solo_remote_area_find(device, first, kept);
  char *end = solo_remote_area_find(device, second, more);
  CHECK(end == begin + kept);
  *begin = *end = 1;
  CHECK(is_memory(begin) && is_memory(end));
  return_block(device, second);
  return_block(device, first);
  CHECK(is_memory(begin)); /* the freed block keeps its memory for reuse */
  CHECK(!is_memory(end));
  solo_devptr again = take(device, kept);
  CHECK(again == first);
  return_block(device, again);
}

/* If the area is full, the server allocates the blocks. */
static void check_end(void) {
  uint64_t all = device->server->link->area_bytes;
  solo_devptr whole = take(device, all), more = take(device, (uint64_t)MOST), none = 0;
  CHECK(solo_remote_area_find(device, whole, all) != NULL);
  CHECK(!solo_remote_area_find(device, whole, all + 1));
  CHECK(!solo_remote_area_find(device, whole + all - 1, 2));
  CHECK(!solo_remote_area_find(device, whole - 1, 1));
  CHECK(!solo_remote_area_find(device, more, 1) && more != whole + all);
  return_block(device, more);
  return_block(device, whole);
  CHECK(b->mem_alloc(device, UINT64_MAX, SOLO_MEMORY_DEVICE, &none) != SOLO_OK);
  if (b->mem_alloc(device, all + 1, SOLO_MEMORY_DEVICE, &none) == SOLO_OK) {
    CHECK(!solo_remote_area_find(device, none, 1));
    return_block(device, none);
  }
}

static void check_closing(void) {
  solo_bdevice *other;
  solo_device_info info;
  MUST(b->device_open(1, 1, &other, &info));
  solo_devptr mine = take(device, (uint64_t)MOST), its = take(other, (uint64_t)MOST);
  CHECK(mine != its);
  b->device_close(other);
  CHECK(take(device, (uint64_t)MOST) == its);
  return_block(device, its);
  return_block(device, mine);
}

/* A copy between two servers follows earlier work of the source queue. */
static void check_between(void) {
  solo_bdevice *far;
  solo_bqueue *its;
  solo_device_info info;
  MUST(b->device_open(2, 2, &far, &info));
  CHECK(far->server != device->server);
  MUST(b->queue_open(far, &its));
  solo_devptr from = take(device, (uint64_t)MOST), to = take(far, (uint64_t)MOST);
  memset(got, 0, sizeof got);
  MUST(b->queue_fill(its, to, BESIDE, (uint64_t)MOST));
  MUST(b->queue_sync(its));
  MUST(b->queue_copy(queue, from, address_of(sent), (uint64_t)MOST, SOLO_COPY_IN));
  MUST(b->queue_fill(queue, from + 100, 7, (uint64_t)MOST - 100));
  MUST(b->queue_copy_peer(queue, far, to + 50, from, (uint64_t)MOST - 100));
  MUST(b->queue_sync(queue));
  MUST(b->queue_copy(its, address_of(got), to, (uint64_t)MOST, SOLO_COPY_OUT));
  MUST(b->queue_sync(its));
  CHECK(memcmp(got + 50, sent, 100) == 0);
  long wrong = 0;
  for (size_t i = 0; i < MOST; i++)
    if (i < 50 || i >= MOST - 50)
      wrong += got[i] != BESIDE;
    else if (i >= 150)
      wrong += got[i] != 7;
  CHECK_INT(wrong, 0);
  solo_devptr in_range = take(far, MIB), my_range = take(device, MIB);
  CHECK_INT(b->queue_copy_peer(queue, far, in_range, from, 100), SOLO_UNSUPPORTED);
  CHECK_INT(b->queue_copy_peer(queue, far, to, my_range, 100), SOLO_UNSUPPORTED);
  return_block(far, in_range);
  return_block(device, my_range);
  return_block(far, to);
  return_block(device, from);
  b->queue_close(far, its);
  b->device_close(far);
}

/* After an unreported failure, or after the loss of the server, later copies of the queue must not
 * be executed. */
static void check_failures(void) {
  enum { SLEEP_US = 1000 };
  solo_devptr block = take(device, (uint64_t)MOST), other = 0;
  memset(got, BESIDE, sizeof got);
  MUST(b->queue_fill(queue, block, 1, (uint64_t)MOST));
  MUST(b->queue_sync(queue));
  solo_remote_fail_at(1, 0);
  MUST(b->queue_fill(queue, block, 2, (uint64_t)MOST));
  MUST(b->queue_copy(queue, address_of(got), block, (uint64_t)MOST, SOLO_COPY_OUT));
  CHECK_INT(got[MOST - 1], BESIDE);
  CHECK(b->queue_sync(queue) != SOLO_OK);
  MUST(b->queue_copy(queue, address_of(got), block, (uint64_t)MOST, SOLO_COPY_OUT));
  MUST(b->queue_sync(queue));
  CHECK_INT(got[MOST - 1], 1);
  solo_remote_link *link = device->server->link;
  kill(link->welcome.process, SIGKILL);
  while (link->transport->is_alive(link)) usleep(SLEEP_US);
  CHECK_INT(b->queue_copy(queue, block, address_of(sent), (uint64_t)MOST, SOLO_COPY_IN),
            SOLO_DEVICE_LOST);
  CHECK_INT(b->mem_alloc(device, (uint64_t)MOST, SOLO_MEMORY_DEVICE, &other), SOLO_DEVICE_LOST);
}

/* The blocks need many times the granules of the first range of 1 MiB, so freed granules must be
 * used again. */
static void check_range(void) {
  enum { BLOCKS = 40, ROUNDS = 600 };
  solo_devptr blocks[BLOCKS], least = UINT64_MAX, most = 0;
  for (int round = 0; round < ROUNDS; round++) {
    for (int n = 0; n < BLOCKS; n++) {
      blocks[n] = take(device, n % 3 ? 1000 : 200);
      if (blocks[n] < least) least = blocks[n];
      if (blocks[n] > most) most = blocks[n];
    }
    for (int n = 0; n < BLOCKS; n++) return_block(device, blocks[n]);
  }
  CHECK(most - least < MIB);
}

int main(int argc, char **argv) {
  static char *server; /* static, so that LeakSanitizer finds it */
  server = argc > 1 ? realpath(argv[1], NULL) : NULL;
  if (!server) TEST_SKIP("no device server was built");
  alarm(PATIENCE_SECONDS);
  char two[2 * PATH_MAX + 2];
  snprintf(two, sizeof two, "%s,%s", server, server);
  setenv("SOLO_SERVER", two, 1);
  setenv("SOLO_SERVER_BACKENDS", "host", 1);
  setenv("SOLO_HOST_DEVICES", "2", 1);
  uint32_t random = 1;
  for (size_t i = 0; i < MOST; i++)
    sent[i] = (unsigned char)((random = random * 1664525u + 1) >> 24);
  solo_device_info info;
  MUST(b->device_open(0, 0, &device, &info));
  MUST(b->queue_open(device, &queue));
  check_range();
  check_lengths((uint64_t)MOST, 1);
  check_lengths((uint64_t)3 * MIB, 0);
  check_order();
  check_places();
  check_memory();
  check_end();
  check_closing();
  check_between();
  check_failures();
  b->queue_close(device, queue);
  b->device_close(device);
  return TEST_RESULT();
}
