/* Description: several device servers in one program: stable numbering and ids; events between
 * queues in chains, random graphs and threads; copies between devices. The loss of a killed server
 * is reported with the server's name and does not stop other servers. A server that does not answer
 * is skipped.   test_servers SERVER KIND IMAGE     KIND: cuda, hsa or host */
#define _GNU_SOURCE
#include "backends/remote/remote.h"
#include "backends/remote/remote_fence.h"
#include "runtime/backend_call.h"
#include "tests/remote/must.h"
#include "tests/remote/read_image.h"
#include "tests/unit/test.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SERVERS = 4, EACH = 2, DEVICES = SERVERS * EACH, PATIENCE_SECONDS = 170, MS = 1000000 };

typedef struct device {
  solo_bdevice *handle;
  solo_device_info info;
  solo_bmodule *module;
  solo_bkernel *slow;
  solo_bqueue *queue;
  solo_devptr cell;
} device;

static const solo_backend *b;
static device devices[DEVICES];
static solo_image image;

static void open_device(int n) {
  device *d = &devices[n];
  solo_kernel_attributes attributes;
  MUST(b->device_open(n, n, &d->handle, &d->info));
  MUST(b->module_load(d->handle, &image, &d->module));
  MUST(b->module_kernel(d->module, "conf_slow", &d->slow, &attributes));
  MUST(b->queue_open(d->handle, &d->queue));
  MUST(b->mem_alloc(d->handle, 8 << 20, SOLO_MEMORY_DEVICE, &d->cell));
}

static void close_device(int n) {
  device *d = &devices[n];
  (void)b->mem_free(d->handle, d->cell, SOLO_MEMORY_DEVICE);
  b->queue_close(d->handle, d->queue);
  b->module_unload(d->handle, d->module);
  b->device_close(d->handle);
}

static void launch(device *d, solo_bqueue *queue, uint64_t ns, uint64_t value) {
  const uint64_t slots[4] = {0, d->cell, ns, value};
  const solo_launch_record record = {
      .teams = {1, 1, 1}, .threads = {1, 1, 1}, .argument_bytes = 32, .arguments = slots};
  MUST(b->queue_launch(queue, d->slow, &record));
}

static uint64_t address(const void *p) {
  return (uint64_t)(uintptr_t)p;
}

static void check_numbering(void) {
  char uids[DEVICES][64];
  int count = 0;
  char text[256];
  CHECK_INT(b->device_count(&count), SOLO_OK);
  CHECK_INT(count, DEVICES);
  b->device_missing(text, sizeof text);
  CHECK_TEXT(text, "");
  for (int round = 0; round < 2; round++) {
    for (int n = DEVICES; n-- > 0;) open_device(n);
    for (int n = 0; n < DEVICES; n++) {
      if (round) CHECK_TEXT(devices[n].info.uid, uids[n]);
      memcpy(uids[n], devices[n].info.uid, sizeof uids[n]);
      for (int m = 0; m < n; m++) CHECK(strcmp(uids[m], uids[n]) != 0);
    }
    for (int n = 0; n < DEVICES; n++) close_device(n);
  }
  solo_bdevice *none;
  solo_device_info info;
  CHECK_INT(b->device_open(DEVICES, 0, &none, &info), SOLO_INVALID);
  CHECK_INT(b->device_open(-1, 0, &none, &info), SOLO_INVALID);
}

/* A chain of events over all devices. The first device writes 7 slowly; the program waits only for
 * the last device. */
static void check_chain(int step) {
  uint64_t word = 0, order[DEVICES];
  solo_bevent *events[DEVICES];
  int done = 0;
  for (int n = 0; n < DEVICES; n++) {
    device *d = &devices[n * step % DEVICES];
    MUST(b->event_open(d->handle, &events[n]));
    if (n) MUST(b->queue_wait_event(d->queue, events[n - 1]));
    launch(d, d->queue, n ? 1000 : 20 * MS, 7 + (uint64_t)n);
    if (!n) MUST(b->queue_copy(d->queue, address(&word), d->cell, 8, SOLO_COPY_OUT));
    MUST(b->queue_copy(d->queue, address(&order[n]), d->cell, 8, SOLO_COPY_OUT));
    MUST(b->event_record(d->queue, events[n]));
  }
  MUST(b->event_wait(events[DEVICES - 1]));
  CHECK_INT(word, 7);
  for (int n = 0; n < DEVICES; n++) {
    CHECK_INT(order[n], 7 + n);
    MUST(b->event_query(events[n], &done));
    CHECK_INT(done, 1);
    device *d = &devices[n * step % DEVICES];
    MUST(b->queue_sync(d->queue));
    b->event_close(d->handle, events[n]);
  }
}

/* A program that only polls an event makes progress. */
static void check_query(void) {
  device *from = &devices[0], *to = &devices[DEVICES - 1];
  solo_bevent *first, *second;
  int done = 0;
  MUST(b->event_open(from->handle, &first));
  MUST(b->event_open(to->handle, &second));
  launch(from, from->queue, 5 * MS, 1);
  MUST(b->event_record(from->queue, first));
  MUST(b->queue_wait_event(to->queue, first));
  launch(to, to->queue, 1000, 2);
  MUST(b->event_record(to->queue, second));
  b->event_close(from->handle, first);
  while (!done) MUST(b->event_query(second, &done));
  b->event_close(to->handle, second);
  MUST(b->queue_sync(from->queue));
}

/* Enqueues more messages than a ring can hold, and many waits for events of one queue. */
static void check_many(void) {
  device *from = &devices[0], *to = &devices[EACH];
  solo_bevent *event;
  uint64_t word = 0;
  MUST(b->event_open(from->handle, &event));
  for (int n = 0; n < 1500; n++) {
    launch(from, from->queue, n ? 0 : 10 * MS, (uint64_t)n);
    MUST(b->event_record(from->queue, event));
    MUST(b->queue_wait_event(to->queue, event));
    launch(to, to->queue, 0, (uint64_t)n);
  }
  MUST(b->queue_copy(to->queue, address(&word), to->cell, 8, SOLO_COPY_OUT));
  MUST(b->queue_sync(to->queue));
  CHECK_INT(word, 1499);
  MUST(b->queue_sync(from->queue));
  b->event_close(from->handle, event);
}

enum { THREADS = 4, NODES = 60, ROUNDS = 6 };

static _Atomic int early; /* nodes that completed before their predecessors */

static uint32_t next_random(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

/* Each node is a kernel that waits for up to two earlier nodes to complete. */
static void *run_graphs(void *argument) {
  uint32_t seed = (uint32_t)(uintptr_t)argument;
  solo_bqueue *queues[DEVICES];
  for (int n = 0; n < DEVICES; n++) MUST(b->queue_open(devices[n].handle, &queues[n]));
  for (int round = 0; round < ROUNDS; round++) {
    solo_bevent *events[NODES];
    int where[NODES], parents[NODES][2];
    for (int n = 0; n < NODES; n++) {
      where[n] = (int)(next_random(&seed) % DEVICES);
      device *d = &devices[where[n]];
      MUST(b->event_open(d->handle, &events[n]));
      for (int p = 0; p < 2 && n; p++) {
        parents[n][p] = (int)(next_random(&seed) % (uint32_t)n);
        MUST(b->queue_wait_event(queues[where[n]], events[parents[n][p]]));
      }
      launch(d, queues[where[n]], next_random(&seed) % 50000, 1);
      MUST(b->event_record(queues[where[n]], events[n]));
    }
    for (int look = 0; look < NODES; look++) {
      int n = (int)(next_random(&seed) % NODES), done = 0;
      MUST(b->event_wait(events[n]));
      for (int p = 0; p < 2 && n; p++) {
        MUST(b->event_query(events[parents[n][p]], &done));
        if (!done) solo_add_relaxed(&early, 1);
      }
    }
    for (int n = 0; n < DEVICES; n++) MUST(b->queue_sync(queues[n]));
    for (int n = 0; n < NODES; n++) b->event_close(devices[where[n]].handle, events[n]);
  }
  for (int n = 0; n < DEVICES; n++) b->queue_close(devices[n].handle, queues[n]);
  return NULL;
}

static void check_graphs(void) {
  pthread_t threads[THREADS];
  for (uintptr_t n = 0; n < THREADS; n++)
    pthread_create(&threads[n], NULL, run_graphs, (void *)(n + 1));
  for (int n = 0; n < THREADS; n++) pthread_join(threads[n], NULL);
  CHECK_INT(solo_load_relaxed(&early), 0);
}

static void check_copies(void) {
  static const uint64_t sizes[] = {1, 4097, (1 << 20) + 1, (5 << 20) + 3};
  static uint8_t sent[8 << 20], got[8 << 20];
  for (size_t i = 0; i < sizeof sent; i++) sent[i] = (uint8_t)(i * 7 + (i >> 8));
  for (int from = 0; from < DEVICES; from += 3)
    for (int to = 0; to < DEVICES; to++)
      for (size_t s = 0; s < sizeof sizes / sizeof *sizes && from != to; s++) {
        device *f = &devices[from], *t = &devices[to];
        uint64_t bytes = sizes[s];
        memset(got, 0, bytes + 1);
        sent[0] = (uint8_t)(from * 16 + to);
        MUST(b->queue_copy(f->queue, f->cell + 5, address(sent), bytes, SOLO_COPY_IN));
        MUST(solo_backend_queue_copy_peer(b, f->queue, t->handle, t->cell + 3, f->cell + 5, bytes));
        MUST(b->queue_sync(f->queue));
        MUST(b->queue_copy(t->queue, address(got), t->cell + 3, bytes, SOLO_COPY_OUT));
        MUST(b->queue_sync(t->queue));
        CHECK(memcmp(sent, got, bytes) == 0 && !got[bytes]);
      }
}

static void check_full(void) {
  solo_devptr memory = 0;
  for (int n = 0; n < DEVICES; n += EACH) {
    CHECK_INT(b->mem_alloc(devices[n].handle, UINT64_C(1) << 46, SOLO_MEMORY_DEVICE, &memory),
              SOLO_DEVICE_NOMEM);
    CHECK_HAS(solo_error_last()->text, "70368744177664");
    /* a failed allocation does not make the device unusable */
    MUST(b->mem_alloc(devices[n].handle, 64, SOLO_MEMORY_DEVICE, &memory));
    MUST(b->mem_free(devices[n].handle, memory, SOLO_MEMORY_DEVICE));
  }
}

static void check_killed(void) {
  device *lost = &devices[EACH + 1], *other = &devices[3 * EACH], *same = &devices[EACH];
  solo_bevent *event;
  solo_devptr memory;
  uint64_t word = 0;
  MUST(b->event_open(lost->handle, &event));
  launch(lost, lost->queue, 60000 * (uint64_t)MS, 1); /* longer than the test waits */
  MUST(b->event_record(lost->queue, event));
  MUST(b->queue_wait_event(other->queue, event));
  launch(other, other->queue, 0, 9);
  MUST(b->queue_copy(other->queue, address(&word), other->cell, 8, SOLO_COPY_OUT));
  kill(lost->handle->server->link->welcome.process, SIGKILL);
  uint64_t start = solo_now_ns();
  /* the other server continues, but the value of the lost event is undefined */
  MUST(b->queue_sync(other->queue));
  CHECK_INT(word, 9);
  CHECK_INT(b->queue_sync(lost->queue), SOLO_DEVICE_LOST);
  CHECK_HAS(solo_error_last()->text, "device server 2 of SOLO_SERVER");
  CHECK_INT(b->mem_alloc(same->handle, 64, SOLO_MEMORY_DEVICE, &memory), SOLO_DEVICE_LOST);
  uint64_t took = solo_now_ns() - start;
  printf("the loss was reported after %llu ms\n", (unsigned long long)(took / MS));
  CHECK(took < 30000 * (uint64_t)MS);
  MUST(b->queue_wait_event(other->queue, event)); /* a lost event counts as reached */
  MUST(b->queue_sync(other->queue));
  b->event_close(lost->handle, event);
  close_device(EACH);
  close_device(EACH + 1);
  open_device(EACH + 1); /* starts a new server; its devices have the same numbers */
  launch(&devices[EACH + 1], devices[EACH + 1].queue, 1000, 3);
  MUST(b->queue_sync(devices[EACH + 1].queue));
  open_device(EACH);
}

static int leaves_out(const char *server) {
  char list[8192], text[512];
  int count = 0;
  snprintf(list, sizeof list, "@solo-nobody-here,%s,@solo-nobody-here,%s", server, server);
  setenv("SOLO_SERVER", list, 1);
  (void)!freopen("/dev/null", "w", stderr); /* hides the warnings */
  CHECK_INT(b->device_count(&count), SOLO_OK);
  CHECK_INT(count, 2 * EACH);
  b->device_missing(text, sizeof text);
  CHECK_HAS(text, "device server @solo-nobody-here: ");
  CHECK_HAS(text, "no device server of that name answers");
  open_device(0);
  close_device(0);
  return test_failures != 0;
}

static void check_left_out(const char *server) {
  int status = 0;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) exit(leaves_out(server));
  waitpid(child, &status, 0);
  CHECK_INT(status, 0);
}

int main(int argc, char **argv) {
  if (argc < 4 || access(argv[1], X_OK) != 0) TEST_SKIP("no device server was built");
  char list[4096 * SERVERS] = "";
  alarm(PATIENCE_SECONDS);
  for (int n = 0; n < SERVERS; n++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", n ? "," : "", argv[1]);
  setenv("SOLO_SERVER", list, 1);
  setenv("SOLO_SERVER_BACKENDS", argv[2], 1);
  setenv("SIM_DEVICES", "2", 1);
  setenv("SOLO_HOST_DEVICES", "2", 1);
  b = strcmp(argv[2], "cuda") == 0  ? &solo_remote_cuda_backend
      : strcmp(argv[2], "hsa") == 0 ? &solo_remote_hsa_backend
                                    : &solo_remote_host_backend;
  MUST(read_image(argv[3], &image));
  check_left_out(argv[1]); /* forks, which must precede the first connection of this process */
  check_numbering();
  for (int n = 0; n < DEVICES; n++) open_device(n);
  check_chain(1);
  check_chain(3);
  check_query();
  check_many();
  check_graphs();
  check_copies();
  check_full();
  check_killed();
  check_chain(1);
  for (int n = 0; n < DEVICES; n++) close_device(n);
  CHECK_INT(solo_remote_objects(), 0);
  CHECK(!solo_remote_has_fences());
  return TEST_RESULT();
}
