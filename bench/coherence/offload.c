/* Transfers of cache lines per operation and thread (model.h) when threads offload separate data to
 * one asynchronous device that does nothing (nothing.c).
 *
 *   present   a region on present data
 *   private   as `present`, with 64 bytes firstprivate
 *   same      a region that maps and unmaps the same 512 B
 *   scratch   as `same`, with 64 KiB and no copy
 *   nowait    an asynchronous region, polled until it ends
 *   fresh     a region on 512 new bytes of the thread
 *   turns     as `fresh`, but adjacent ranges belong to different threads
 *
 *   offload [--pairs] [--check]
 *   --pairs   uses lines of 128 bytes: processors fetch pairs of lines
 *   --check   exit status 1: the least measurement is above its limit
 */
#define _GNU_SOURCE
#include "abi/tgt.h"
#include "bench/coherence/threads.h"
#include "runtime/construct/nowait.h"
#include "runtime/device/devices.h"
#include "runtime/image/linked.h"
#include "runtime/launch/launch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMES_MOST = 20 }; /* maximum measurements of --check */
enum { WARM = 24, WARM_FRESH = 96, OPERATIONS = 8, BYTES = 512, SCRATCH_BYTES = 64 << 10 };
enum { THREADS_MAX = 64, OWN_BYTES = 1 << 20 };
enum { PRESENT, SAME, SCRATCH, PRIVATE, NOWAIT, FRESH, TURNS, KINDS };
static const char *const kind_name[] = {"present", "same",  "scratch", "private",
                                        "nowait",  "fresh", "turns"};
static const double most_of[KINDS][2] = {{0.5, 0.5}, {0.5, 0.5}, {0.5, 0.5}, {2, 2},
                                         {12, 72},   {0.5, 8},   {25, 50}}; /* limits of --check */

static char key;
static const solo_linked_symbol symbols[] = {{"kernel", &key, 0}};
static const solo_linked_image linked = {
    SOLO_LINKED_MAGIC, SOLO_LINKED_VERSION, 0, 1, SOLO_ARCH_ELF_MACHINE, 1, symbols};
static tgt_entry_22 entries[] = {{0, 1, 1, 0, &key, "kernel", 0, 0, NULL}};
static tgt_device_image image = {(void *)(uintptr_t)&linked, (void *)(uintptr_t)(&linked + 1),
                                 entries, entries + 1};
static tgt_bin_desc library = {1, &image, entries, entries + 1};

static solo_device *device;
static int kind, size;
/* Additional warm-up operations of all threads but the first. They vary the interleaving, because
 * the model has no randomness. */
static int times;
static tally counted;

static void must(solo_status status) {
  if (status == SOLO_OK) return;
  fprintf(stderr, "offload: %s\n", solo_error_last()->text);
  _exit(1);
}

static void operate(char *data) {
  const int64_t copied = kind == SCRATCH ? 0 : SOLO_MAP_TO | SOLO_MAP_FROM;
  void *base[] = {(void *)(uintptr_t)7, data, data + BYTES};
  int64_t bytes[] = {8, kind == SCRATCH ? SCRATCH_BYTES : BYTES, 64};
  int64_t type[] = {SOLO_MAP_LITERAL | SOLO_MAP_TARGET_PARAM, copied | SOLO_MAP_TARGET_PARAM,
                    SOLO_MAP_PRIVATE | SOLO_MAP_TO | SOLO_MAP_TARGET_PARAM};
  solo_launch_request request = {.key = &key,
                                 .list = {.count = kind == PRIVATE ? 3 : 2,
                                          .bases = base,
                                          .begins = base,
                                          .sizes = bytes,
                                          .types = type},
                                 .teams = {1, 1, 1},
                                 .threads = {1, 1, 1}};
  if (kind != NOWAIT) {
    must(solo_launch(device, &request));
    return;
  }
  solo_nowait_op *op = NULL;
  must(solo_launch_nowait(device, &request, &op));
  solo_status status = SOLO_OK;
  int reported;
  while (op && !solo_nowait_query(op, &status, &reported)) {
  }
  must(status);
}

static void enter(char *data) {
  void *base = data;
  int64_t bytes = BYTES, type = SOLO_MAP_TO;
  __tgt_target_data_begin_mapper(NULL, 0, 1, &base, &base, &bytes, &type, NULL, NULL);
}

/* Fixed addresses make collisions of hints reproducible. */
static char *own_memory(void) {
  static _Atomic uintptr_t next = (uintptr_t)0x200000000000;
  void *wanted = (void *)solo_add_relaxed(&next, (uintptr_t)OWN_BYTES); /* a counter */
  char *memory = mmap(wanted, OWN_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == MAP_FAILED) exit(1);
  return memory;
}

/* The range of an operation. */
static char *range_of(char *own, int operation) {
  static char together[THREADS_MAX * (WARM_FRESH + TIMES_MOST + OPERATIONS) * BYTES];
  if (kind == FRESH) return own + operation * BYTES;
  if (kind != TURNS) return own;
  size_t id = ((uintptr_t)own / OWN_BYTES) % (size_t)size;
  return together + ((size_t)operation * (size_t)size + id) * BYTES;
}

static void *work(void *unused) {
  char *data = own_memory();
  int next = 0, first = (kind >= FRESH ? WARM_FRESH : WARM) + (unused ? times : 0);
  if (kind != SAME && kind != SCRATCH && kind < FRESH) enter(data);
  while (next < first) operate(range_of(data, next++));
  measure_begin_together(size);
  for (int i = 0; i < OPERATIONS; i++) operate(range_of(data, next++));
  tally t = measure_end_together(size);
  if (!unused) counted = t;
  return NULL;
}

static void run_here(void) {
  static char other;
  pthread_t thread;
  threads_begin();
  __tgt_register_lib(&library);
  must(solo_device_get(0, &device));
  for (int i = 1; i < size; i++)
    if (pthread_create(&thread, NULL, work, &other) != 0) exit(1);
  work(NULL);
}

static tally measure(void) {
  int ends[2];
  tally t = {0};
  if (pipe(ends) != 0) return t;
  pid_t child = fork();
  if (child == 0) {
    run_here();
    _exit(write(ends[1], &counted, sizeof counted) != sizeof counted);
  }
  close(ends[1]);
  if (child < 0 || read(ends[0], &t, sizeof t) != sizeof t) t.transfers = UINT64_MAX;
  close(ends[0]);
  if (child > 0) waitpid(child, NULL, 0);
  return t;
}

static double per_operation(const tally *t) {
  return (double)t->transfers / OPERATIONS / size;
}

static tally measure_least(double most) {
  times = 0;
  tally least = measure();
  while (++times < TIMES_MOST && per_operation(&least) > most) {
    tally t = measure();
    if (t.transfers < least.transfers) least = t;
  }
  return least;
}

int main(int argc, char **argv) {
  int is_check = argc > 1 && !strcmp(argv[argc - 1], "--check"), wrong = 0;
  if (argc > 1 && !strcmp(argv[1], "--pairs")) the_machine.line_bytes = 128;
  printf("%-10s %7s %22s %22s\n", "operation", "threads", "transfers per thread", "longest chain");
  for (kind = 0; kind < KINDS; kind++)
    for (size = 2; size <= THREADS_MAX; size *= 2) {
      if (is_check && size != 2 && size != 16) continue;
      double most = most_of[kind][size > 2];
      tally t = is_check ? measure_least(most) : measure();
      double each = per_operation(&t);
      int is_met = each <= most;
      wrong += !is_met;
      printf("%-10s %7d %22.2f %22.1f%s\n", kind_name[kind], size, each,
             (double)t.chain / OPERATIONS, is_check && !is_met ? "  MISSED" : "");
      fflush(stdout);
    }
  return is_check && wrong != 0;
}
