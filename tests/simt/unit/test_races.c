/* The race detector. Each kernel has separate places, because a place is reported once. */
#include "backends/simt/exec/internal.h"
#include "tests/unit/test.h"

static unsigned reports;
static uint64_t data, flag;

static void report(const char *text) {
  if (strstr(text, "data race")) reports++;
}

static int is_first(void) {
  const simt_lane *l = &simt_current_thread->lane;
  return l->thread[0] == 0 && l->block[0] == 0;
}

/* not a tail call, which would have the caller's place */
#define ACCESS(variable, flags)                                                                    \
  do {                                                                                             \
    simt_executor_calls.access(variable, sizeof(uint64_t), flags);                                 \
    __asm__ volatile("");                                                                          \
  } while (0)
#define FENCE() simt_executor_calls.access(NULL, 0, SIMT_FENCE)

/* Returns the number of reports. Threads and blocks run one after another. */
static unsigned races(void (*kernel)(void *), uint32_t blocks, uint32_t threads) {
  simt_launch launch = {.enter = kernel,
                        .blocks = {blocks, 1, 1},
                        .threads = {threads, 1, 1},
                        .warp_size = 32,
                        .shared_limit = 4096,
                        .workers = 1,
                        .checks_races = 1,
                        .report = report};
  reports = 0;
  CHECK_INT(simt_run(&launch), SIMT_RAN);
  return reports;
}

static void write_both(void *unused) {
  (void)unused;
  ACCESS(&data, SIMT_WRITES);
}

static void write_shared(void *unused) {
  (void)unused;
  ACCESS(simt_current_thread->lane.shared_begin, SIMT_WRITES);
}

static void write_then_atomic(void *unused) {
  (void)unused;
  ACCESS(&data, is_first() ? SIMT_WRITES : SIMT_ATOMIC);
}

static void read_then_write(void *unused) {
  (void)unused;
  ACCESS(&data, is_first() ? 0 : SIMT_WRITES);
}

static void relaxed_release(void *unused) {
  (void)unused;
  if (is_first()) {
    ACCESS(&data, SIMT_WRITES);
    ACCESS(&flag, SIMT_WRITES | SIMT_ATOMIC);
  } else {
    ACCESS(&flag, SIMT_ATOMIC | SIMT_ACQUIRES);
    ACCESS(&data, 0);
  }
}

static void release_acquire(void *unused) {
  (void)unused;
  if (is_first()) {
    ACCESS(&data, SIMT_WRITES);
    ACCESS(&flag, SIMT_WRITES | SIMT_ATOMIC | SIMT_RELEASES);
  } else {
    ACCESS(&flag, SIMT_ATOMIC | SIMT_ACQUIRES);
    ACCESS(&data, 0);
  }
}

static void relaxed_fence(void *unused) {
  (void)unused;
  if (is_first()) {
    ACCESS(&data, SIMT_WRITES);
    FENCE();
    ACCESS(&flag, SIMT_WRITES | SIMT_ATOMIC);
  } else {
    ACCESS(&flag, SIMT_ATOMIC);
    FENCE();
    ACCESS(&data, 0);
  }
}

int main(void) {
  CHECK_INT(races(write_both, 1, 2), 1);
  CHECK_INT(races(write_shared, 2, 1), 0);
  CHECK_INT(races(write_then_atomic, 1, 2), 1);
  CHECK_INT(races(read_then_write, 1, 2), 1);
  CHECK_INT(races(relaxed_release, 1, 2), 1);
  CHECK_INT(races(release_acquire, 1, 2), 0);
  CHECK_INT(races(release_acquire, 2, 1), 0);
  CHECK_INT(races(relaxed_fence, 1, 2), 0);
  return TEST_RESULT();
}
