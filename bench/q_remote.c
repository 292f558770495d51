/* Cost of a device in another process: round trips, posted launches, copies, and the start of a
 * device server (SOLO_SERVER, by default build/bin/solo-server). The limit is a futex ping-pong of
 * two processes, and memcpy. */
#define _GNU_SOURCE
#include "bench/bench.h"
#ifdef BENCH_LIMIT
#include "runtime/base/atomic.h"
#else
#include "backends/remote/remote.h"
#endif

#include <limits.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef BENCH_MPI /* over MPI; bench/q_mpi.c is the limit */
#include "bench/mpi_job.h"
#define NAME(word) BENCH_JOB_NAME "/" word
#else
enum { BENCH_JOB_BATCH = 1 };
#ifdef BENCH_STAGED /* only copies, through the staging area, as for a GPU */
#define NAME(word) "remote_staged/" word
#else
#define NAME(word) "remote/" word
#endif
#endif

#define COPY_BYTES ((size_t)32 << 20)

static char *x, *y;

/* Page-aligned, because the kernel copies by page. */
static void get_memory(void) {
  x = aligned_alloc(4096, COPY_BYTES);
  y = aligned_alloc(4096, COPY_BYTES);
  if (!x || !y) exit(1);
  memset(x, 1, COPY_BYTES);
  memset(y, 2, COPY_BYTES);
}

static void round_trip(long n, long unused);

/* Touches all memory, including MPI's. */
static void warm(long unused) {
  round_trip(4096, unused);
}

#ifdef BENCH_LIMIT

static struct {
  SOLO_ALIGNED(64) _Atomic uint32_t ping;
  SOLO_ALIGNED(64) _Atomic uint32_t pong;
} * words;
static uint32_t turn;

static void await(_Atomic uint32_t *word, uint32_t until) {
  uint32_t seen;
  while ((seen = solo_load_acquire(word)) != until) /* pairs with publish */
    syscall(SYS_futex, (void *)word, 0, seen, NULL, NULL, 0);
}

static void publish(_Atomic uint32_t *word, uint32_t value) {
  solo_store_release(word, value); /* pairs with await */
  syscall(SYS_futex, (void *)word, 1, INT_MAX, NULL, NULL, 0);
}

static void start(void) {
  words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (words == MAP_FAILED) exit(1);
  pid_t parent = getpid();
  if (fork()) return;
  close(STDOUT_FILENO); /* a reader of the pipe waits only for the parent */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  for (uint32_t n = 1;; n++) {
    await(&words->ping, n);
    publish(&words->pong, n);
  }
}

static void round_trip(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
    publish(&words->ping, ++turn);
    await(&words->pong, turn);
  }
}

static void copy(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
    memcpy(y, x, COPY_BYTES);
    BENCH_KEEP(y);
  }
}

static const bench_case cases[] = {
    {.name = NAME("round_trip"), .loop = round_trip, .before = warm},
    {.name = NAME("copy_in_32Mi"), .loop = copy},
    {.name = NAME("copy_out_32Mi"), .loop = copy},
};

#else

static const solo_backend *const b = &solo_remote_host_backend;
static solo_bdevice *device;
static solo_bqueue *queue;
static solo_bkernel *empty;
static solo_devptr there;

static void must(solo_status status, const char *what) {
  if (status == SOLO_OK) return;
  fprintf(stderr, "q_remote: %s: %s\n", what, solo_error_last()->text);
  exit(1);
}

static void launch(void) {
  static const uint64_t slots[1];
  const solo_launch_record record = {
      .teams = {1, 1, 1}, .threads = {1, 1, 1}, .argument_bytes = 8, .arguments = slots};
  must(b->queue_launch(queue, empty, &record), "launch");
}

static void finish(void) {
  must(b->queue_sync(queue), "sync");
}

/* Limits the file size, so that the shared area cannot be created (remote_area.c). */
static void disable_shared_area(void) {
#ifdef BENCH_STAGED
  const struct rlimit limit = {SOLO_REMOTE_MEMORY_BYTES + 1, RLIM_INFINITY};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
    must(solo_fail(SOLO_INTERNAL, "setrlimit failed"), "file size limit");
#endif
}

static void check_no_shared_area(void) {
#ifdef BENCH_STAGED
  if (device->server->link->area)
    must(solo_fail(SOLO_INTERNAL, "the shared area exists"), "staged copies");
#endif
}

static double show_since(const char *name, double start) {
  double now = bench_now_ns();
  printf(NAME("start_%s ns %.4g\n"), name, now - start);
  return now;
}

/* Parts of the server's start: loading, until the welcome message, device discovery. */
static void show_parts(double start, double end) {
#ifndef BENCH_MPI /* mpirun starts the servers */
  const solo_remote_welcome *w = &device->server->link->welcome;
  printf(NAME("start_server_loaded ns %.4g\n"), (double)w->loaded_ns - start);
  printf(NAME("start_server_hello ns %.4g\n"), (double)(w->welcomed_ns - w->loaded_ns));
  printf(NAME("start_server_devices ns %.4g\n"), end - (double)w->welcomed_ns);
#else
  (void)start, (void)end;
#endif
}

static void start(void) {
  static char bytes[1 << 18];
  FILE *file = fopen("build/sim/conf_kernels.so", "rb");
  size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  solo_image image;
  solo_bmodule *module;
  solo_device_info info;
  solo_kernel_attributes attributes;
  int count;
  if (file) fclose(file);
  must(solo_image_recognise(solo_span_of(bytes, size), &image), "the image");
#ifndef BENCH_MPI
  setenv("SOLO_SERVER", "build/bin/solo-server", 0);
#endif
  setenv("SOLO_SERVER_BACKENDS", "host", 1);
  disable_shared_area();
  double first = bench_now_ns();
  must(b->device_count(&count), "finding devices");
  double at = show_since("server", first), found = at;
  must(b->device_open(0, 0, &device, &info), "opening");
  must(b->queue_open(device, &queue), "opening a queue");
  check_no_shared_area();
  show_parts(first, found);
  at = show_since("device", at);
  must(b->module_load(device, &image, &module), "loading");
  must(b->module_kernel(module, "conf_empty", &empty, &attributes), "kernel");
  at = show_since("module", at);
  launch();
  finish();
  (void)show_since("launch", at);
  (void)show_since("all", first);
  must(b->mem_alloc(device, COPY_BYTES, SOLO_MEMORY_DEVICE, &there), "memory");
}

static void round_trip(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
    launch();
    finish();
  }
}

/* Includes the sync, which waits for all launches. */
static void posted(long n, long many) {
  for (long i = 0; i < n; i++) {
    for (long k = 0; k < many; k++) launch();
    finish();
  }
}

static void copy_in(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
    must(b->queue_copy(queue, there, (uintptr_t)x, COPY_BYTES, SOLO_COPY_IN), "copy");
    finish();
  }
}

static void copy_out(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
    must(b->queue_copy(queue, (uintptr_t)y, there, COPY_BYTES, SOLO_COPY_OUT), "copy");
    finish();
  }
}

static void compare(long unused) {
  (void)unused;
  if (memcmp(x, y, COPY_BYTES) != 0) must(solo_fail(SOLO_INTERNAL, "wrong bytes"), "copies");
}

enum { MANY = 100000 };
static const bench_case cases[] = {
    {.name = NAME("round_trip"), .loop = round_trip, .before = warm, .batch = BENCH_JOB_BATCH},
    {.name = NAME("posted"), .loop = posted, .argument = MANY, .scale = 1.0 / MANY},
    {.name = NAME("copy_in_32Mi"), .loop = copy_in},
    {.name = NAME("copy_out_32Mi"), .loop = copy_out, .after = compare},
};

#endif

int main(int argc, char **argv) {
#ifdef BENCH_FAR /* messages without shared memory, as between machines */
  setenv("SOLO_SERVER_SHARED_MEMORY", "off", 1);
#endif
#ifdef BENCH_MPI
  bench_enter_job(argc, argv, "build/bin/solo-server-" BENCH_TEXT(BENCH_MPI));
#endif
  get_memory();
  start();
  enum { COUNT = sizeof cases / sizeof cases[0] };
#ifdef BENCH_STAGED
  enum { FIRST = COUNT - 2 }; /* the first copy case */
#else
  enum { FIRST = 0 };
#endif
  return bench_cases(argc, argv, cases + FIRST, COUNT - FIRST);
}
