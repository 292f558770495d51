/* Threads that map and unmap data of their own: the same 512 bytes again and again (what a threaded
 * program with map(tofrom:) on small data does), and ranges that come again only after many others.
 * One thread and many take turns. With two the rounds are a fraction of a millisecond, shorter than a
 * time slice; with four, on two processors, they are many slices long, so that what a slice costs and
 * who waits for whom at the ends does not count. A value is the throughput of many over that of one,
 * each by the best of its rounds. Of two threads only rounds count in which both were at work nearly all
 * the time: on a machine with other work the best would be those in which one came after the other. */
#include "bench/bench.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { BYTES = 512, THREADS_MAX = 4, FRESH = 1 << 12, ROUNDS = 60, MOST_ROUNDS = 600 };
enum { OPS = 400, OPS_OF_MANY = 20000, ROUNDS_OF_MANY = 15 };
static const double ROUND_NS = 4e6, REPEAT_NS = 2e8; /* a contestant may be slow */

#ifdef _OPENMP
static _Atomic long round_number, at_start, at_end;
static _Atomic int threads_wanted, fresh_ranges, ops_wanted;
static double begun[THREADS_MAX][8], ended[THREADS_MAX][8]; /* a cache line each */

static void map_same(char *p, long n) {
  for (long i = 0; i < n; i++) {
#pragma omp target map(tofrom : p [0:BYTES])
    { p[0]++; }
    BENCH_KEEP(p);
  }
}

static void wait_until(_Atomic long *word, long value) {
  for (int turns = 0; *word < value; turns++)
    if (turns > 1000) sched_yield();
}

/* Each round: those who are wanted meet, work, and say when they were through. */
static void *mapper(void *which) {
  long id = (long)(intptr_t)which, next = 0;
  char *p = calloc(FRESH, BYTES);
  if (!p) exit(1);
  for (long round = 1;; round++) {
    wait_until(&round_number, round);
    if (!threads_wanted) break;
    if (id < threads_wanted) {
      at_start++;
      while (at_start < threads_wanted) sched_yield();
      begun[id][0] = bench_now_ns();
      if (!fresh_ranges) map_same(p, ops_wanted);
      for (long i = 0; fresh_ranges && i < ops_wanted; i++) map_same(p + next++ % FRESH * BYTES, 1);
      ended[id][0] = bench_now_ns();
    }
    at_end++;
  }
  free(p);
  return NULL;
}

/* ns per region of so many threads together in one round; 0: they were not together. */
static double one_round(int threads) {
  at_start = at_end = 0;
  threads_wanted = threads;
  round_number++;
  wait_until(&at_end, THREADS_MAX);
  double first = begun[0][0], last = ended[0][0], all_begun = first, one_ended = last;
  for (int i = 1; i < threads; i++) {
    first = begun[i][0] < first ? begun[i][0] : first;
    last = ended[i][0] > last ? ended[i][0] : last;
    all_begun = begun[i][0] > all_begun ? begun[i][0] : all_begun;
    one_ended = ended[i][0] < one_ended ? ended[i][0] : one_ended;
  }
  if (threads == 2 && one_ended - all_begun < 0.9 * (last - first)) return 0;
  return (last - first) / ops_wanted / threads;
}

/* A round of many lasts some milliseconds, whatever an operation takes. */
static int ops_of_many(void) {
  ops_wanted = OPS;
  double ops = ROUND_NS / one_round(1);
  return ops < OPS ? OPS : ops > OPS_OF_MANY ? OPS_OF_MANY : (int)ops;
}

static void scaling(const char *name, int threads, int repeats) {
  double ratio[32], single[32];
  int got = 0, rounds = threads == 2 ? ROUNDS : ROUNDS_OF_MANY;
  ops_wanted = threads == 2 ? OPS : ops_of_many();
  for (int i = 0; i < repeats; i++) {
    double one = 1e30, many = 1e30, from = bench_now_ns();
    for (int k = 0, good = 0; k < MOST_ROUNDS && good < rounds; k++) {
      if (good && bench_now_ns() - from > REPEAT_NS) break;
      double a = one_round(1), b = one_round(threads);
      one = a < one ? a : one;
      if (b > 0 && b < many) many = b;
      good += b > 0;
    }
    if (many == 1e30) continue; /* the machine never let them run together */
    single[got] = one;
    ratio[got++] = one / many;
  }
  if (!got) return;
  printf("%s x", name);
  for (int i = 0; i < got; i++) printf(" %.4g", ratio[i]);
  printf("\n%s.one ns", name);
  for (int i = 0; i < got; i++) printf(" %.4g", single[i]);
  printf("\n");
}

int main(int argc, char **argv) {
  bench_options o = bench_read_options(argc, argv);
  if (o.only[0] || o.ops) return 0; /* it has no cases */
  int repeats = o.quick ? 5 : 20;
  pthread_t t[THREADS_MAX];
  for (long i = 0; i < THREADS_MAX; i++) pthread_create(&t[i], NULL, mapper, (void *)(intptr_t)i);
  scaling("mapping_threads/same_2", 2, repeats);
  scaling("mapping_threads/same_4", 4, repeats);
  fresh_ranges = 1;
  scaling("mapping_threads/fresh_2", 2, repeats);
  scaling("mapping_threads/fresh_4", 4, repeats);
  threads_wanted = 0;
  round_number++;
  for (int i = 0; i < THREADS_MAX; i++) pthread_join(t[i], NULL);
  return 0;
}
#else
int main(void) {
  return 0; /* there is nothing to compare without a runtime */
}
#endif
