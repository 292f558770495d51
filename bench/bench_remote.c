/* What does a device in another process cost? In one run, on this machine, with the CPU of a device
 * server: round trips against a bare futex ping-pong of two processes, posted launches, copies
 * against memcpy, and the server's start. A static program, as those are that need a server.
 *
 *   build/bench/bench_remote [IMAGE]      SOLO_SERVER: the server, else build/bin/solo-server
 */
#define _GNU_SOURCE
#include "backends/remote/remote.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BATCHES = 15, TRIPS = 2000, LAUNCHES = 400000, COPIES = 7 };
#define COPY_BYTES (UINT64_C(32) << 20)

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, by_size);
  return values[count / 2];
}

static double now(void) {
  return (double)solo_now_ns();
}

static void must(solo_status status, const char *what) {
  if (status == SOLO_OK) return;
  fprintf(stderr, "bench_remote: %s: %s\n", what, solo_error_last()->text);
  exit(1);
}

/* --- the bare ping-pong ----------------------------------------------------------------------- */

static void await(_Atomic uint32_t *word, uint32_t until) {
  uint32_t seen;
  while ((seen = solo_load_acquire(word)) != until)
    syscall(SYS_futex, (void *)word, 0, seen, NULL, NULL, 0);
}

static void tell(_Atomic uint32_t *word, uint32_t value) {
  solo_store_release(word, value);
  syscall(SYS_futex, (void *)word, 1, INT_MAX, NULL, NULL, 0);
}

static double ping_pong(void) {
  struct {
    SOLO_ALIGNED(64) _Atomic uint32_t ping;
    SOLO_ALIGNED(64) _Atomic uint32_t pong;
  } *s = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  double values[BATCHES];
  pid_t child = fork();
  if (child == 0) {
    for (uint32_t n = 1; n <= BATCHES * TRIPS; n++) {
      await(&s->ping, n);
      tell(&s->pong, n);
    }
    _exit(0);
  }
  uint32_t n = 0;
  for (int b = 0; b < BATCHES; b++) {
    double start = now();
    for (int i = 0; i < TRIPS; i++) {
      tell(&s->ping, ++n);
      await(&s->pong, n);
    }
    values[b] = (now() - start) / TRIPS;
  }
  waitpid(child, NULL, 0);
  return median(values, BATCHES);
}

/* --- the server's device ---------------------------------------------------------------------- */

static const solo_backend *const b = &solo_remote_host_backend;
static solo_bdevice *device;
static solo_bqueue *queue;
static solo_bkernel *empty;

static double since(double *start) {
  double end = now(), took = end - *start;
  *start = end;
  return took / 1000;
}

static void launch(void) {
  static const uint64_t slots[1];
  const solo_launch_record record = {
      .teams = {1, 1, 1}, .threads = {1, 1, 1}, .argument_bytes = 8, .arguments = slots};
  must(b->queue_launch(queue, empty, &record), "launch");
}

static void start(const char *path) {
  static char bytes[1 << 18];
  FILE *file = fopen(path, "rb");
  size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  solo_image image;
  solo_bmodule *module;
  solo_device_info info;
  solo_kernel_attributes attributes;
  int count;
  must(solo_image_recognise(solo_span_of(bytes, size), &image), path);
  double at = now(), first = at;
  must(b->device_count(&count), "finding devices");
  double found = since(&at);
  must(b->device_open(0, 0, &device, &info), "opening");
  must(b->queue_open(device, &queue), "opening a queue");
  double opened = since(&at);
  must(b->module_load(device, &image, &module), "loading");
  must(b->module_kernel(module, "conf_empty", &empty, &attributes), "kernel");
  double loaded = since(&at);
  launch();
  must(b->queue_sync(queue), "sync");
  double ran = since(&at);
  printf("start to first kernel      %8.2f ms: server and hello %.2f, device and queue %.2f, "
         "module %.2f, launch %.3f\n",
         (at - first) / 1e6, found / 1000, opened / 1000, loaded / 1000, ran / 1000);
}

static double round_trip(void) {
  double values[BATCHES];
  for (int n = 0; n < BATCHES; n++) {
    double at = now();
    for (int i = 0; i < TRIPS; i++) {
      launch();
      must(b->queue_sync(queue), "sync");
    }
    values[n] = (now() - at) / TRIPS;
  }
  return median(values, BATCHES);
}

static double posted(void) {
  double values[5];
  for (int n = 0; n < 5; n++) {
    double at = now();
    for (int i = 0; i < LAUNCHES; i++) launch();
    must(b->queue_sync(queue), "sync");
    values[n] = (now() - at) / LAUNCHES;
  }
  return 1e3 / median(values, 5); /* millions a second */
}

static void copies(void) {
  char *x = malloc(COPY_BYTES), *y = malloc(COPY_BYTES);
  solo_devptr there;
  must(b->mem_alloc(device, COPY_BYTES, SOLO_MEMORY_DEVICE, &there), "memory");
  memset(x, 1, COPY_BYTES);
  memset(y, 2, COPY_BYTES);
  double plain[COPIES], in[COPIES], out[COPIES];
  for (int n = 0; n < COPIES; n++) {
    double at = now();
    memcpy(y, x, COPY_BYTES);
    plain[n] = since(&at);
    must(b->queue_copy(queue, there, (uint64_t)(uintptr_t)x, COPY_BYTES, SOLO_COPY_IN), "copy");
    must(b->queue_sync(queue), "sync");
    in[n] = since(&at);
    must(b->queue_copy(queue, (uint64_t)(uintptr_t)y, there, COPY_BYTES, SOLO_COPY_OUT), "copy");
    must(b->queue_sync(queue), "sync");
    out[n] = since(&at);
  }
  if (memcmp(x, y, COPY_BYTES)) must(solo_fail(SOLO_INTERNAL, "wrong bytes"), "copies");
  double p = median(plain, COPIES), i = median(in, COPIES), o = median(out, COPIES);
  double bytes = (double)COPY_BYTES / 1000; /* per us: GB/s */
  printf("32 MiB, memcpy             %8.2f GB/s\n", bytes / p);
  printf("32 MiB in                  %8.2f GB/s, %.2f of memcpy\n", bytes / i, p / i);
  printf("32 MiB out                 %8.2f GB/s, %.2f of memcpy\n", bytes / o, p / o);
}

int main(int argc, char **argv) {
  setenv("SOLO_SERVER", "build/bin/solo-server", 0);
  setenv("SOLO_SERVER_BACKENDS", "host", 1);
  setvbuf(stdout, NULL, _IOLBF, 0);
  double bare = ping_pong();
  start(argc > 1 ? argv[1] : "build/sim/conf_kernels.so");
  double trip = round_trip();
  printf("bare futex ping-pong       %8.2f us\n", bare / 1000);
  printf("empty launch and sync      %8.2f us, %.2f of it\n", trip / 1000, trip / bare);
  printf("posted launches            %8.2f million a second\n", posted());
  copies();
  return 0;
}
