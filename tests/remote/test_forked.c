/* Description: a child of fork(2) uses other device servers than its parent. The parent's work
 * continues.   test_forked SERVER */
#define _GNU_SOURCE
#include "backends/remote/remote.h"
#include "backends/remote/remote_fence.h"
#include "tests/remote/must.h"
#include "tests/remote/read_image.h"
#include "tests/unit/test.h"

#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 80, SERVERS = 2, MS = 1000000, BYTES = 1 << 20, LONG_BYTES = 8 << 20 };

typedef struct device {
  solo_bdevice *handle;
  solo_bmodule *module;
  solo_bkernel *slow;
  solo_bqueue *queue;
  solo_devptr cell;
} device;

static const solo_backend *const b = &solo_remote_host_backend;
static solo_image image;

static void open_device(device *d, int ordinal, uint64_t bytes) {
  solo_kernel_attributes attributes;
  solo_device_info info;
  MUST(b->device_open(ordinal, ordinal, &d->handle, &info));
  MUST(b->module_load(d->handle, &image, &d->module));
  MUST(b->module_kernel(d->module, "conf_slow", &d->slow, &attributes));
  MUST(b->queue_open(d->handle, &d->queue));
  MUST(b->mem_alloc(d->handle, bytes, SOLO_MEMORY_DEVICE, &d->cell));
}

static void close_device(device *d) {
  MUST(b->mem_free(d->handle, d->cell, SOLO_MEMORY_DEVICE));
  b->queue_close(d->handle, d->queue);
  b->module_unload(d->handle, d->module);
  b->device_close(d->handle);
}

/* Starts a kernel that runs for ns and then writes value, and a copy of the value to *out. Does not
 * wait. */
static void begin_work(device *d, uint64_t ns, uint64_t value, uint64_t *out) {
  const uint64_t slots[4] = {0, d->cell, ns, value};
  const solo_launch_record record = {
      .teams = {1, 1, 1}, .threads = {1, 1, 1}, .argument_bytes = 32, .arguments = slots};
  MUST(b->queue_launch(d->queue, d->slow, &record));
  MUST(b->queue_copy(d->queue, (uintptr_t)out, d->cell, sizeof *out, SOLO_COPY_OUT));
}

static void use_device(int ordinal, uint64_t bytes) {
  device d;
  uint64_t word = 0;
  open_device(&d, ordinal, bytes);
  begin_work(&d, 1000, 7, &word);
  MUST(b->queue_sync(d.queue));
  CHECK_INT(word, 7);
  close_device(&d);
}

static void use_all(void) {
  int count = 0;
  MUST(b->device_count(&count));
  CHECK_INT(count, SERVERS);
  for (int n = 0; n < count; n++) use_device(n, n ? BYTES : LONG_BYTES);
}

/* Loads another backend (CUDA), then uses the devices that the parent used. */
static void use_other_family(void) {
  int count = 0;
  MUST(solo_remote_cuda_backend.device_count(&count));
  CHECK(count > 0);
  use_all();
}

/* A grandchild also starts without connections. */
static void fork_again(void);

static void in_child(void (*what)(void)) {
  int status = -1;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(PATIENCE_SECONDS);
    test_failures = 0;
    what();
    fflush(NULL);
    _exit(test_failures != 0);
  }
  waitpid(child, &status, 0);
  CHECK_INT(status, 0);
}

static void fork_again(void) {
  int count = 0;
  MUST(b->device_count(&count));
  in_child(use_all);
  use_all();
}

/* The parent has connections, but no open device. */
static void check_closed(void) {
  int count = 0;
  MUST(b->device_count(&count));
  in_child(use_all);
  in_child(fork_again);
  use_all();
  in_child(use_other_family);
  use_all();
}

/* The parent has open devices, a wait between queues of two servers, and incomplete copies. The
 * child does not wait for the parent's work. */
static void check_open(void) {
  device d[SERVERS];
  uint64_t words[SERVERS] = {0};
  solo_bevent *event;
  for (int n = 0; n < SERVERS; n++) open_device(&d[n], n, n ? BYTES : LONG_BYTES);
  MUST(b->event_open(d[0].handle, &event));
  begin_work(&d[0], 20 * MS, 8, &words[0]);
  MUST(b->event_record(d[0].queue, event));
  MUST(b->queue_wait_event(d[1].queue, event));
  begin_work(&d[1], 1000, 9, &words[1]);
  in_child(use_other_family);
  in_child(use_all);
  for (int n = SERVERS; n-- > 0;) MUST(b->queue_sync(d[n].queue));
  for (int n = 0; n < SERVERS; n++) CHECK_INT(words[n], 8 + n);
  CHECK(!solo_remote_has_fences());
  b->event_close(d[0].handle, event);
  for (int n = 0; n < SERVERS; n++) close_device(&d[n]);
}

int main(int argc, char **argv) {
  static char server[4096], list[2 * sizeof server];
  if (argc < 2 || !realpath(argv[1], server)) TEST_SKIP("no device server was built");
  alarm(2 * PATIENCE_SECONDS);
  snprintf(list, sizeof list, "%s,%s", server, server);
  setenv("SOLO_SERVER", list, 1);
  setenv("SOLO_SERVER_BACKENDS", "host,cuda", 1);
  setenv("SOLO_HOST_DEVICES", "1", 1);
  MUST(read_image("build/sim/conf_kernels.so", &image));
  check_closed();
  check_open();
  return TEST_RESULT();
}
