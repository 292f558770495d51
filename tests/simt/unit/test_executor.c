/* The executor of the virtual GPU, with functions of this program as kernels. */
#define _GNU_SOURCE
#include "backends/simt/exec/internal.h"
#include "tests/unit/test.h"

#include <math.h>
#include <pthread.h>
#include <unistd.h>

enum { WARP = 32, LIMIT = 4096 };
static const uint64_t whole = 0xffffffff;

typedef struct math_table {
#define XX(name) double (*name)(double);
  SOLO_SIMT_FUNCTIONS_1(XX)
#undef XX
#define XX(name) double (*name)(double, double);
  SOLO_SIMT_FUNCTIONS_2(XX)
#undef XX
} math_table;
#define XX(name) .name = name,
const math_table solo_simt_math = {SOLO_SIMT_FUNCTIONS_1(XX) SOLO_SIMT_FUNCTIONS_2(XX)};
#undef XX

static char printed[64];
static void print(const char *text, uint64_t n) {
  snprintf(printed, sizeof printed, "%.*s", (int)n, text);
}

static char reported[512];
static void report(const char *text) {
  snprintf(reported, sizeof reported, "%s", text);
}

static uint64_t result[1024];
static unsigned order[4096], ordered;

static simt_lane *self(void) {
  return &simt_current_thread->lane;
}

static uint64_t collect(simt_kind kind, uint64_t mask, uint64_t value, uint64_t other) {
  return simt_executor_calls.collect(kind, mask, value, other);
}

static simt_launch launch_of(void (*kernel)(void *), uint32_t blocks, uint32_t threads) {
  return (simt_launch){.enter = kernel,
                       .blocks = {blocks, 1, 1},
                       .threads = {threads, 1, 1},
                       .warp_size = WARP,
                       .shared_limit = LIMIT,
                       .workers = 1,
                       .is_exact = 1,
                       .report = report,
                       .print = print};
}

static void run(void (*kernel)(void *), uint32_t blocks, uint32_t threads) {
  simt_launch launch = launch_of(kernel, blocks, threads);
  ordered = 0;
  memset(result, 0, sizeof result);
  CHECK_INT(simt_run(&launch), SIMT_RAN);
}

static void least(void *unused) {
  (void)unused;
  result[self()->thread[0]] = collect(SIMT_MIN_S32, whole, (uint32_t)(self()->lane - 16), 0);
}

/* The upper lanes arrive after the threads of the second warp, which wait for nothing. */
static void late(void *unused) {
  (void)unused;
  uint32_t i = self()->thread[0];
  if (i >= WARP)
    for (int n = 0; n < 4; n++) simt_executor_calls.yield();
  if (i >= WARP / 2) simt_executor_calls.barrier(1, 48);
  if (i < WARP) result[i] = collect(SIMT_ADD_U32, whole, 1, 0);
}

static __attribute__((noinline)) uint64_t called(void) {
  volatile char frame[256];
  frame[0] = (char)collect(SIMT_ACTIVE, 0, 0, 0);
  order[ordered++] = self()->lane;
  return frame[0] != 0;
}

/* The place of the deeper call is later in the code. */
static void depths(void *unused) {
  (void)unused;
  self()->place = self()->lane < 16 ? 1 : 2;
  if (self()->lane >= 16) {
    result[self()->lane] = called();
  } else {
    (void)collect(SIMT_ACTIVE, 0, 0, 0);
    order[ordered++] = self()->lane;
  }
}

static void places(void *unused) {
  (void)unused;
  self()->place = self()->lane < 16 ? 1 : 2;
  result[self()->lane] = collect(SIMT_ACTIVE, 0, 0, 0);
}

static void shuffle(void *unused) {
  (void)unused;
  result[self()->lane] = collect(SIMT_SHUFFLE, whole, self()->lane, self()->lane == 3 ? 40 : 7);
}

static void test_warps(void) {
  run(least, 1, WARP);
  CHECK_INT((int32_t)result[5], -16);
  run(late, 1, 2 * WARP);
  CHECK_INT(result[0], WARP);
  run(depths, 1, WARP);
  CHECK_INT(ordered, WARP);
  CHECK(order[0] >= 16);
  run(places, 1, WARP);
  CHECK_INT(result[0], 0xffff);
  CHECK_INT(result[31], 0xffff0000);
  run(shuffle, 1, WARP);
  CHECK_INT(result[2], 7);
  CHECK_INT(result[3], 3);
}

static void region(void) {
  result[self()->thread[0]] = 1;
}

static uint32_t region_threads(void) {
  return WARP;
}

/* Thread 32 is the main thread of a generic kernel. */
static void generic(void *unused) {
  (void)unused;
  if (self()->thread[0] != WARP) return;
  simt_executor_calls.workers(region_threads, region, WARP);
  for (int n = 0; n < 2; n++) simt_executor_calls.barrier(0, 0);
}

static void test_generic(void) {
  simt_launch launch = launch_of(generic, 1, 2 * WARP);
  unsigned count = 0;
  memset(result, 0, sizeof result);
  launch.is_exact = 0;
  CHECK_INT(simt_run(&launch), SIMT_RAN);
  for (int i = 0; i < 2 * WARP; i++) count += result[i] == 1;
  CHECK_INT(count, WARP);
}

static simt_shared small = {.bytes = 8, .align = 8}, aligned = {.bytes = 8, .align = 256};

static void memory(void *unused) {
  static _Atomic uint64_t used;
  (void)unused;
  char *a = simt_executor_calls.shared(&small, &used);
  char *b = simt_executor_calls.shared(&aligned, &used);
  uint64_t n = self()->block[0];
  result[4 * n] = (unsigned char)*a; /* not the value of the previous block */
  result[4 * n + 1] = (uintptr_t)b % 256;
  result[4 * n + 2] = self()->dynamic_shared > b && self()->dynamic_shared > a;
  *a = 1;
}

static void test_shared(void) {
  simt_launch launch = launch_of(memory, 2, 1);
  launch.dynamic_shared = 100;
  CHECK_INT(simt_run(&launch), SIMT_RAN);
  for (int n = 0; n < 2; n++) {
    CHECK_INT(result[4 * n], 0xa5);
    CHECK_INT(result[4 * n + 1], 0);
    CHECK_INT(result[4 * n + 2], 1);
  }
}

static void begin(void *unused) {
  (void)unused;
  if (self()->block[0] == 0) order[ordered++] = self()->thread[0];
}

/* The order of a block's threads does not depend on earlier blocks. */
static void test_seed(void) {
  for (uint64_t seed = 1; seed <= 8; seed++) {
    unsigned first[2 * WARP];
    simt_launch launch = launch_of(begin, 1, 2 * WARP);
    launch.seed = seed;
    ordered = 0;
    CHECK_INT(simt_run(&launch), SIMT_RAN);
    memcpy(first, order, sizeof first);
    launch.blocks[0] = 4;
    ordered = 0;
    CHECK_INT(simt_run(&launch), SIMT_RAN);
    CHECK(memcmp(first, order, sizeof first) == 0);
  }
}

static pthread_t caller;
static _Atomic unsigned started, ended;

static void slow(void *unused) {
  (void)unused;
  started++;
  for (int n = 0; started < 2 && n < 5000; n++) usleep(1000);
  if (!pthread_equal(pthread_self(), caller)) usleep(100000);
  ended++;
}

static void test_pool(void) {
  simt_launch launch = launch_of(slow, 2, 1);
  launch.workers = 2;
  caller = pthread_self();
  CHECK_INT(simt_run(&launch), SIMT_RAN);
  CHECK_INT(started, 2);
  CHECK_INT(ended, 2);
}

static void test_heap(void) {
  char words[256];
  simt_heap_limit(1000);
  CHECK(!simt_heap_allocate(1000)); /* with its header */
  void *block = simt_heap_allocate(600);
  CHECK(block);
  CHECK(!simt_heap_allocate(600));
  simt_heap_release(block);
  block = simt_heap_allocate(600);
  CHECK(block);
  simt_heap_release(block);
  static char a[64], b[64];
  CHECK(simt_memory_add(a, sizeof a) && simt_memory_add(b, sizeof b));
  CHECK(!simt_memory_check(a + 60, 4, words, sizeof words));
  CHECK_INT(simt_memory_remove(a), sizeof a);
  CHECK_INT(simt_memory_remove(b), sizeof b);
  CHECK_HAS(simt_memory_check(a, 4, words, sizeof words), "which were freed");
}

static void library(void *unused) {
  struct {
    int32_t i;
    double d;
  } arguments = {5, 0.25};
  (void)unused;
  simt_executor_calls.print("%d %.2f", &arguments);
  result[0] = (uint64_t)simt_executor_calls.math(SIMT_MATH_pow, 2, 3);
}

static void test_library(void) {
  run(library, 1, 1);
  CHECK_TEXT(printed, "5 0.25");
  CHECK_INT(result[0], 8);
}

int main(void) {
  test_warps();
  test_generic();
  test_shared();
  test_seed();
  test_pool();
  test_heap();
  test_library();
  if (test_failures) printf("last report: %s\n", reported);
  return TEST_RESULT();
}
