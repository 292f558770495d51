/* Cost of a call through a random host function pointer on the CPU device, by the number of
 * translatable functions.
 *
 * static, dropin: solo_call_indirect (solo_indirect.h) in a target region. peer: bsearch(3) in the
 * same pairs in a plain loop, because stock cannot translate on a CPU. limit: plain calls through
 * the pointers. */
#include "bench/bench.h"

#if USE_SOLO
#include <solo.h>
#include <solo_indirect.h>
#else
typedef struct pair {
  int64_t host, target;
} pair;
#endif

typedef uint64_t function(uint64_t);

/* A batch continues the random sequence, which is too long for a branch predictor. */
enum { CALLS = 1 << 20, MOST = 100000, AT_ONCE = 1000 };
static uint64_t key[CALLS];
static long position;

static __attribute__((noinline)) uint64_t twice(uint64_t x) {
  return 2 * x + 1;
}

/* Makes addresses like those of functions, 16 to 528 bytes apart. */
static void make_hosts(uint64_t *host, long count) {
  uint64_t state = 88172645463325252u, at = 0x555555554000;
  for (long i = 0; i < count; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    host[i] = at += 16 + (state >> 20) % 33 * 16;
  }
  for (long i = 0; i < CALLS; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    key[i] = host[(state >> 16) % (uint64_t)count];
  }
}

#if USE_SOLO
static uint64_t on_device(void) {
  uint64_t address = 0;
#pragma omp target map(from : address)
  address = (uint64_t)(uintptr_t)twice;
  return address;
}

static void before(long count) {
  static uint64_t host[MOST];
  static solo_indirect_pair pairs[MOST];
  uint64_t target = on_device();
  make_hosts(host, count);
  for (long i = 0; i < count; i++)
    pairs[i] = (solo_indirect_pair){(int64_t)host[i], (int64_t)target};
  if (solo_indirect_add(0, pairs, (unsigned long)count)) exit(77);
#pragma omp target enter data map(to : key)
}

static void calls(long n, long count) {
  uint64_t sum = 0;
  long first = position, end = position += n * AT_ONCE;
  (void)count;
#pragma omp target map(from : sum) map(to : key)
  {
    uint64_t x = 0;
    for (long i = first; i < end; i++)
      x = solo_call_indirect((function *)(uintptr_t)key[i % CALLS], x);
    sum = x;
  }
  BENCH_KEEP(sum);
}

static void after(long count) {
  (void)count;
#pragma omp target exit data map(delete : key)
  solo_fini();
}
#else
static pair pairs[MOST];
static long known;

static void before(long count) {
  static uint64_t host[MOST];
  make_hosts(host, count);
  for (long i = 0; i < count; i++) pairs[i] = (pair){(int64_t)host[i], (int64_t)(uintptr_t)twice};
  known = count;
#ifndef _OPENMP
  for (long i = 0; i < CALLS; i++) key[i] = (uint64_t)(uintptr_t)twice;
#endif
}

static int by_host(const void *a, const void *b) {
  int64_t x = ((const pair *)a)->host, y = ((const pair *)b)->host;
  return (x > y) - (x < y);
}

static inline function *translated(uint64_t host) {
#ifdef _OPENMP
  const pair wanted = {(int64_t)host, 0};
  const pair *found = bsearch(&wanted, pairs, (size_t)known, sizeof *pairs, by_host);
  return (function *)(uintptr_t)(found ? (uint64_t)found->target : host);
#else
  (void)by_host;
  return (function *)(uintptr_t)host;
#endif
}

static void calls(long n, long count) {
  uint64_t sum = 0;
  (void)count;
  for (long i = position; i < position + n * AT_ONCE; i++) sum = translated(key[i % CALLS])(sum);
  position += n * AT_ONCE;
  BENCH_KEEP(sum);
}

static void after(long count) {
  (void)count;
}
#endif

static const bench_case cases[] = {
    {.name = "fptr/1",
     .loop = calls,
     .argument = 1,
     .before = before,
     .after = after,
     .scale = 1. / AT_ONCE},
    {.name = "fptr/1000",
     .loop = calls,
     .argument = 1000,
     .before = before,
     .after = after,
     .scale = 1. / AT_ONCE},
    {.name = "fptr/100000",
     .loop = calls,
     .argument = MOST,
     .before = before,
     .after = after,
     .scale = 1. / AT_ONCE},
};

int main(int argc, char **argv) {
  return bench_cases(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
