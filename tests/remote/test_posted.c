/* Description: messages without an awaited answer. While the server is stopped, a program opens a
 * queue and an event, allocates memory and enqueues work. Blocks that the program allocates inside
 * a range of the server need few messages and do not overlap. If the server cannot open a queue, or
 * has no thread for it, the next sync reports the failure once. Argument 1: solo-server. */
#define _GNU_SOURCE
#include "backends/remote/remote.h"
#include "tests/remote/must.h"
#include "tests/unit/test.h"

#include <signal.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 60, BLOCKS = 500, ROUNDS = 20000, KIB = 1024 };

static const solo_backend *const b = &solo_remote_host_backend;
static solo_bdevice *device;

static void open_device(void) {
  solo_device_info info;
  MUST(b->device_open(0, 0, &device, &info));
}

static uint64_t messages(void) {
  return device->server->control.count;
}

static solo_devptr take(uint64_t bytes) {
  solo_devptr address = 0;
  MUST(b->mem_alloc(device, bytes, SOLO_MEMORY_DEVICE, &address));
  return address;
}

static void give(solo_devptr address) {
  MUST(b->mem_free(device, address, SOLO_MEMORY_DEVICE));
}

static void check_stopped(void) {
  give(take(64)); /* the server allocates a range, from which the program allocates later */
  pid_t server = device->server->link->welcome.process;
  solo_bqueue *queues[2];
  solo_bevent *event;
  uint8_t got[64];
  kill(server, SIGSTOP);
  for (int n = 0; n < 2; n++) MUST(b->queue_open(device, &queues[n]));
  solo_devptr block = take(sizeof got);
  MUST(b->event_open(device, &event));
  MUST(b->queue_fill(queues[1], block, 7, sizeof got));
  MUST(b->event_record(queues[1], event));
  /* waits for an event of a queue that the server has not opened yet */
  MUST(b->queue_wait_event(queues[0], event));
  MUST(b->queue_copy(queues[0], (uint64_t)(uintptr_t)got, block, sizeof got, SOLO_COPY_OUT));
  kill(server, SIGCONT);
  MUST(b->queue_sync(queues[0]));
  for (size_t n = 0; n < sizeof got; n++) CHECK_INT(got[n], 7);
  b->event_close(device, event);
  give(block);
  for (int n = 0; n < 2; n++) b->queue_close(device, queues[n]);
}

static struct {
  solo_devptr address;
  uint64_t bytes;
} blocks[BLOCKS];

static int overlaps(int block) {
  for (int n = 0; n < BLOCKS; n++)
    if (n != block && blocks[n].bytes &&
        blocks[n].address < blocks[block].address + blocks[block].bytes &&
        blocks[block].address < blocks[n].address + blocks[n].bytes)
      return 1;
  return 0;
}

static void check_random(void) {
  uint32_t seed = 1;
  int overlapping = 0, misaligned = 0;
  long objects = solo_remote_objects();
  uint64_t before = messages();
  for (int round = 0; round < ROUNDS; round++) {
    seed = seed * 1664525u + 1013904223u;
    int n = (int)(seed >> 8) % BLOCKS;
    if (blocks[n].bytes) {
      give(blocks[n].address);
      blocks[n].bytes = 0;
      continue;
    }
    blocks[n].bytes = 1 + (seed >> 4) % (seed % 16 ? 2 * KIB : 300 * KIB);
    blocks[n].address = take(blocks[n].bytes);
    overlapping += overlaps(n);
    misaligned += blocks[n].address % 64 != 0;
  }
  CHECK_INT(overlapping, 0);
  CHECK_INT(misaligned, 0);
  uint64_t took = messages() - before;
  printf("%d allocations and frees by %llu messages\n", ROUNDS, (unsigned long long)took);
  CHECK(took < 100);
  long used = 0;
  for (int n = 0; n < BLOCKS; n++) used += blocks[n].bytes != 0;
  CHECK_INT(solo_remote_objects() - objects, used);
  for (int n = 0; n < BLOCKS; n++)
    if (blocks[n].bytes) give(blocks[n].address);
  CHECK_INT(solo_remote_objects(), objects);
}

/* If the server cannot allocate a range, the server allocates each block. */
static void check_no_range(void) {
  solo_devptr held[4];
  for (size_t n = 0; n < 4; n++) {
    solo_remote_fail_at(1, 0); /* lets the next message fail, which requests a range */
    held[n] = take(3 << 20);
    solo_remote_fail_at(0, 0);
  }
  for (size_t n = 0; n < 4; n++) give(held[n]);
}

static void expect_one_failure(const char *text) {
  solo_bqueue *queue;
  solo_devptr block = take(64);
  uint64_t word = 0;
  MUST(b->queue_open(device, &queue));
  solo_remote_fail_at(0, 0);
  MUST(b->queue_fill(queue, block, 1, 64));
  MUST(b->queue_copy(queue, (uint64_t)(uintptr_t)&word, block, 8, SOLO_COPY_OUT));
  CHECK(b->queue_sync(queue) != SOLO_OK);
  CHECK_HAS(solo_error_last()->text, text);
  usleep(20 * 1000);
  MUST(b->queue_sync(queue)); /* the failure is not reported a second time */
  MUST(b->queue_fill(queue, block, 3, 64));
  MUST(b->queue_copy(queue, (uint64_t)(uintptr_t)&word, block, 8, SOLO_COPY_OUT));
  MUST(b->queue_sync(queue));
  CHECK_INT(word & 0xff, 3);
  b->queue_close(device, queue);
  give(block);
}

int main(int argc, char **argv) {
  char *server = argc > 1 ? realpath(argv[1], NULL) : NULL;
  if (!server) TEST_SKIP("no device server was built");
  alarm(PATIENCE_SECONDS);
  setenv("SOLO_SERVER", server, 1);
  setenv("SOLO_SERVER_BACKENDS", "host", 1);
  setenv("SOLO_HOST_DEVICES", "1", 1);
  open_device();
  check_stopped();
  check_random();
  check_no_range();
  /* use the cached queues, so that expect_one_failure() opens a new one */
  solo_bqueue *others[2];
  for (int n = 0; n < 2; n++) MUST(b->queue_open(device, &others[n]));
  give(take(64));
  solo_remote_fail_at(1, 0);
  expect_one_failure("was ordered to fail");
  for (int n = 0; n < 2; n++) b->queue_close(device, others[n]);
  kill(device->server->link->welcome.process, SIGKILL);
  b->device_close(device);
  setenv("SOLO_TEST_NO_THREAD", "1", 1); /* the server fails to create each queue's first thread */
  open_device();
  expect_one_failure("cannot create a thread for a queue");
  b->device_close(device);
  return TEST_RESULT();
}
