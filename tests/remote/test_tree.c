/* Description: one array is copied concurrently to devices of several servers of an MPI job. The
 * program sends the array once, and servers forward it. If the requests to forward arrive too late,
 * the program sends it to each server. Later work, a failing copy, a possible circle of waits, and
 * changes of the array between copies leave the right values on every device.   test_tree KIND
 * [late]     KIND: cuda, hsa or host; late: the servers have SOLO_TEST_LATE_FORWARDS */
#define _GNU_SOURCE
#include "backends/remote/remote_mpi.h"

#include "backends/remote/remote.h"
#include "backends/remote/remote_fence.h"
#include "tests/remote/must.h"
#include "tests/unit/test.h"
#include <pthread.h>
#include <unistd.h>

enum { DEVICES = 4, MOST_BYTES = 9 << 20, ARRAYS = 3, PATIENCE_SECONDS = 95, ROUNDS = 4 };

typedef struct device {
  solo_bdevice *handle;
  solo_bqueue *queue, *other;
  solo_devptr cells[ARRAYS];
} device;

static const solo_backend *b;
static device devices[DEVICES];
static uint8_t arrays[ARRAYS][MOST_BYTES], got[MOST_BYTES];
static uint64_t bytes = MOST_BYTES; /* the array is sent in several pieces */
static int is_late;

static uint64_t address(const void *p) {
  return (uint64_t)(uintptr_t)p;
}

static void fill(int array, int value) {
  for (size_t i = 0; i < bytes; i++)
    arrays[array][i] = (uint8_t)(i * 7 + (i >> 9) + (size_t)(value + array));
}

static void copy_in(int device, int array) {
  MUST(b->queue_copy(devices[device].queue, devices[device].cells[array], address(arrays[array]),
                     bytes, SOLO_COPY_IN));
}

static int is_right(int device, int array, const uint8_t *expected) {
  device == 0 ? memset(got, 0, sizeof got) : memset(got, 0xff, sizeof got);
  MUST(b->queue_copy(devices[device].queue, address(got), devices[device].cells[array], bytes,
                     SOLO_COPY_OUT));
  MUST(b->queue_sync(devices[device].queue));
  return memcmp(got, expected, bytes) == 0;
}

/* Delays later work of the device's queue behind work of another queue, which begins when the
 * program waits. */
static void hold(int device) {
  static uint64_t word;
  solo_bevent *event;
  int last = device == DEVICES - 1 ? 0 : DEVICES - 1;
  MUST(b->event_open(devices[last].handle, &event));
  MUST(b->queue_copy(devices[last].other, devices[last].cells[ARRAYS - 1] + bytes, address(&word),
                     sizeof word, SOLO_COPY_IN));
  MUST(b->event_record(devices[last].other, event));
  MUST(b->queue_wait_event(devices[device].queue, event));
  CHECK(solo_remote_has_fences());
  b->event_close(devices[last].handle, event);
}

/* Allocates on each server. The answer implies that the server has processed all earlier requests
 * to forward. */
static void await_forward_requests(void) {
  for (int n = 0; n < DEVICES; n++) {
    solo_devptr memory;
    MUST(b->mem_alloc(devices[n].handle, 5 << 20, SOLO_MEMORY_DEVICE, &memory));
    MUST(b->mem_free(devices[n].handle, memory, SOLO_MEMORY_DEVICE));
  }
}

static void sync_all(void) {
  for (int n = 0; n < DEVICES; n++) {
    MUST(b->queue_sync(devices[n].other));
    MUST(b->queue_sync(devices[n].queue));
  }
}

static uint64_t sent(void) {
  return solo_load_relaxed(&solo_remote_mpi_sent);
}

static void check_tree(void) {
  uint64_t before = sent();
  fill(0, 1);
  fill(1, 2);
  hold(0);
  for (int n = 0; n < DEVICES; n++) copy_in(n, 0);
  copy_in(1, 1); /* this copy follows the first copy in the queue, so the program sends the array */
  await_forward_requests();
  sync_all();
  CHECK_INT(sent() - before, (is_late ? DEVICES + 1 : 2) * bytes);
  for (int n = 0; n < DEVICES; n++) CHECK(is_right(n, 0, arrays[0]));
  CHECK(is_right(1, 1, arrays[1]));
}

/* Copies a part of an array that is being forwarded as a whole. */
static void check_part(void) {
  enum { PART = 1 << 20 };
  uint64_t before = sent();
  fill(0, 2);
  hold(0);
  copy_in(0, 0);
  MUST(b->queue_copy(devices[1].queue, devices[1].cells[0], address(arrays[0] + PART), PART / 4,
                     SOLO_COPY_IN));
  await_forward_requests();
  sync_all();
  if (!is_late) CHECK_INT(sent() - before, bytes);
  MUST(b->queue_copy(devices[1].queue, address(got), devices[1].cells[0], PART / 4, SOLO_COPY_OUT));
  MUST(b->queue_sync(devices[1].queue));
  CHECK(memcmp(got, arrays[0] + PART, PART / 4) == 0);
}

/* Later work overwrites the array on the first device. The other devices must still receive the
 * array. */
static void check_posted_behind(void) {
  fill(0, 3);
  hold(0);
  copy_in(0, 0);
  MUST(b->queue_fill(devices[0].queue, devices[0].cells[0], 0x5a, bytes));
  for (int n = 1; n < DEVICES; n++) copy_in(n, 0);
  await_forward_requests();
  sync_all();
  for (int n = 1; n < DEVICES; n++) CHECK(is_right(n, 0, arrays[0]));
}

/* Synchronous constructs copy the array to each device. The program changes the array between the
 * constructs. */
static void check_one_by_one(void) {
  static uint8_t were[DEVICES][MOST_BYTES];
  uint64_t before = sent();
  for (int n = 0; n < DEVICES; n++) {
    fill(0, 10 + n);
    memcpy(were[n], arrays[0], bytes);
    copy_in(n, 0);
    MUST(b->queue_sync(devices[n].queue));
  }
  CHECK_INT(sent() - before, DEVICES * bytes);
  for (int n = 0; n < DEVICES; n++) CHECK(is_right(n, 0, were[n]));
}

/* After a wait for an event of a queue, the program may write to the array. The queue's device must
 * therefore not forward the array to later copies. */
static void check_awaited(void) {
  solo_bevent *event;
  uint64_t before = sent();
  fill(0, 4);
  hold(0);
  copy_in(0, 0);
  MUST(b->event_open(devices[0].handle, &event));
  MUST(b->event_record(devices[0].queue, event));
  MUST(b->queue_wait_event(devices[0].other, event));
  copy_in(1, 0);
  await_forward_requests();
  sync_all();
  CHECK_INT(sent() - before, 2 * bytes);
  for (int n = 0; n < 2; n++) CHECK(is_right(n, 0, arrays[0]));
  b->event_close(devices[0].handle, event);
}

/* The copy to one device fails. The other devices receive the right values. */
static void check_failing(int failing) {
  fill(0, 20 + failing);
  hold(0);
  for (int n = 0; n < DEVICES; n++) {
    if (n == failing) solo_remote_fail_at(1, 0);
    copy_in(n, 0);
  }
  await_forward_requests();
  for (int n = 0; n < DEVICES; n++) {
    MUST(b->queue_sync(devices[n].other));
    CHECK_INT(b->queue_sync(devices[n].queue), n == failing ? SOLO_DEVICE_NOMEM : SOLO_OK);
  }
  for (int n = 0; n < DEVICES; n++)
    if (n != failing) CHECK(is_right(n, 0, arrays[0]));
}

/* Three arrays on three devices: each device could forward to the next one, in a circle. */
static void check_circle(void) {
  for (int a = 0; a < ARRAYS; a++) fill(a, 30);
  for (int n = 0; n < ARRAYS; n++) hold(n);
  for (int n = 0; n < ARRAYS; n++) copy_in(n, n);
  for (int n = 0; n < ARRAYS; n++) copy_in(n, (n + 1) % ARRAYS);
  await_forward_requests();
  sync_all();
  for (int n = 0; n < ARRAYS; n++) {
    CHECK(is_right(n, n, arrays[n]));
    CHECK(is_right(n, (n + 1) % ARRAYS, arrays[(n + 1) % ARRAYS]));
  }
}

static pthread_barrier_t barrier;
static _Atomic int wrong;

static void *run(void *argument) {
  int n = (int)(uintptr_t)argument;
  const device *d = &devices[n];
  uint8_t *mine = malloc(bytes);
  for (int round = 0; round < ROUNDS; round++) {
    if (n == 0) fill(1, 40 + round);
    pthread_barrier_wait(&barrier);
    copy_in(n, 1);
    MUST(b->queue_copy(d->queue, address(mine), d->cells[1], bytes, SOLO_COPY_OUT));
    MUST(b->queue_sync(d->queue));
    if (memcmp(mine, arrays[1], bytes) != 0) solo_add_relaxed(&wrong, 1);
    pthread_barrier_wait(&barrier);
  }
  free(mine);
  return NULL;
}

static void check_threads(void) {
  pthread_t threads[DEVICES];
  uint64_t before = sent();
  pthread_barrier_init(&barrier, NULL, DEVICES);
  for (uintptr_t n = 0; n < DEVICES; n++) pthread_create(&threads[n], NULL, run, (void *)n);
  for (int n = 0; n < DEVICES; n++) pthread_join(threads[n], NULL);
  CHECK_INT(solo_load_relaxed(&wrong), 0);
  uint64_t now = sent() - before;
  CHECK(now >= ROUNDS * bytes && now <= ROUNDS * DEVICES * bytes);
  printf("%d rounds of %d threads: the array was sent %.1f times\n", ROUNDS, DEVICES,
         (double)now / (double)bytes);
}

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  alarm(PATIENCE_SECONDS);
  setenv("SOLO_SERVER_BACKENDS", argv[1], 1);
  is_late = argc > 2;
  b = strcmp(argv[1], "cuda") == 0  ? &solo_remote_cuda_backend
      : strcmp(argv[1], "hsa") == 0 ? &solo_remote_hsa_backend
                                    : &solo_remote_host_backend;
  if (b != &solo_remote_host_backend) bytes = 3 << 19;
  int count = 0;
  solo_device_info info;
  CHECK_INT(b->device_count(&count), SOLO_OK);
  CHECK_INT(count, DEVICES);
  for (int n = 0; n < DEVICES && n < count; n++) {
    device *d = &devices[n];
    MUST(b->device_open(n, n, &d->handle, &info));
    MUST(b->queue_open(d->handle, &d->queue));
    MUST(b->queue_open(d->handle, &d->other));
    for (int a = 0; a < ARRAYS; a++)
      MUST(b->mem_alloc(d->handle, bytes + 8, SOLO_MEMORY_DEVICE, &d->cells[a]));
  }
  check_tree();
  check_part();
  check_posted_behind();
  check_one_by_one();
  check_awaited();
  for (int n = 0; n < DEVICES; n++) check_failing(n);
  check_circle();
  check_threads();
  check_tree();
  for (int n = 0; n < DEVICES; n++) {
    b->queue_close(devices[n].handle, devices[n].queue);
    b->queue_close(devices[n].handle, devices[n].other);
    for (int a = 0; a < ARRAYS; a++)
      MUST(b->mem_free(devices[n].handle, devices[n].cells[a], SOLO_MEMORY_DEVICE));
    b->device_close(devices[n].handle);
  }
  return TEST_RESULT();
}
