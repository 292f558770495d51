/* Scaling of threads that map and unmap data: one range of 512 bytes per thread (same), one of
 * 256 KiB without a copy (scratch), or many ranges in rotation, which are in the thread's memory
 * (fresh) or alternate with another thread's (interleaved).
 *
 * In a turn, one thread or many threads work until is_over is set. A value is the throughput of
 * many threads divided by that of one, from the best turns. NAME.cpu is this ratio in processor
 * time: other load hardly affects it, but it excludes waits for locks.
 *
 * The limit does the minimum in thread-local memory: a reference and the copies. */
#define _GNU_SOURCE
#include "bench/bench.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

enum { BYTES = 512, SCRATCH = 256 << 10, THREADS_MAX = 64, FRESH = 1 << 12, OPS = 16 };
enum { TURNS = 8, REPEATS_MAX = 8, INTERLEAVED = 2 };
static const long TURN_NS = 6000000;

static _Atomic int is_over; /* ends the turn */
static int has_ended;
static enum { SAME_RANGE, SCRATCH_RANGE, FRESH_RANGES, INTERLEAVED_RANGES } kind;
static char *interleaved; /* ranges of two threads, alternating */
static sem_t through;

typedef struct mapper {
  pthread_t thread;
  sem_t begin;
  double cpu_ns;
  long operations;
  char unshared[64]; /* separates cache lines */
} mapper;
static mapper mappers[THREADS_MAX];

#ifdef _OPENMP
static void map_same(char *p, long n) {
  for (long i = 0; i < n; i++) {
#pragma omp target map(tofrom : p [0:BYTES])
    { p[0]++; }
    BENCH_KEEP(p);
  }
}

static void map_scratch(char *p, long n) {
  for (long i = 0; i < n; i++) {
#pragma omp target map(alloc : p [0:SCRATCH])
    { p[0] = 1; }
    BENCH_KEEP(p);
  }
}
#else
static _Thread_local struct {
  char before[128]; /* separates cache lines */
  _Atomic long references;
  char block[BYTES], after[128];
} own;

static void map_same(char *p, long n) {
  for (long i = 0; i < n; i++) {
    atomic_fetch_add(&own.references, 1);
    memcpy(own.block, p, BYTES);
    BENCH_KEEP(own.block);
    own.block[0]++;
    memcpy(p, own.block, BYTES);
    BENCH_KEEP(p);
    atomic_fetch_sub(&own.references, 1);
  }
}

static void map_scratch(char *p, long n) {
  for (long i = 0; i < n; i++) {
    atomic_fetch_add(&own.references, 1);
    p[0] = 1;
    BENCH_KEEP(p);
    atomic_fetch_sub(&own.references, 1);
  }
}
#endif

/* Maps OPS ranges of the current kind. Returns the new count. */
static long map_some(const mapper *self, char *ranges, long done) {
  for (int i = 0; i < OPS; i++, done++) {
    long which = done % FRESH;
    if (kind == SCRATCH_RANGE) map_scratch(ranges, 1);
    if (kind == FRESH_RANGES) map_same(ranges + which * BYTES, 1);
    if (kind == INTERLEAVED_RANGES)
      map_same(interleaved + (which * INTERLEAVED + (self - mappers) % INTERLEAVED) * BYTES, 1);
  }
  return done;
}

static void wait_for(sem_t *semaphore) {
  while (sem_wait(semaphore) != 0) {
  }
}

static double thread_cpu_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *map_until_stopped(void *argument) {
  mapper *self = argument;
  long next = 0;
  char *p = calloc(FRESH, BYTES);
  if (!p) exit(1);
  for (;;) {
    wait_for(&self->begin);
    if (has_ended) break;
    double start = thread_cpu_ns();
    long done = 0;
    for (; !atomic_load_explicit(&is_over, memory_order_relaxed); done += OPS) {
      if (kind == SAME_RANGE)
        map_same(p, OPS);
      else
        next = map_some(self, p, next);
    }
    self->operations = done;
    self->cpu_ns = thread_cpu_ns() - start;
    sem_post(&through);
  }
  free(p);
  return NULL;
}

typedef struct rate {
  double wall, cpu; /* ns per operation: elapsed, processor time */
} rate;

static rate measure_turn(int threads) {
  struct timespec length = {0, TURN_NS};
  atomic_store(&is_over, 0);
  double begun = bench_now_ns();
  for (int i = 0; i < threads; i++) sem_post(&mappers[i].begin);
  nanosleep(&length, NULL);
  atomic_store(&is_over, 1);
  double took = bench_now_ns() - begun, operations = 0, cpu = 0;
  for (int i = 0; i < threads; i++) wait_for(&through);
  for (int i = 0; i < threads; i++) operations += (double)mappers[i].operations;
  for (int i = 0; i < threads; i++) cpu += mappers[i].cpu_ns;
  if (operations <= 0) return (rate){1e30, 1e30};
  return (rate){took / operations, cpu / operations};
}

static rate better(rate a, rate b) {
  return (rate){a.wall < b.wall ? a.wall : b.wall, a.cpu < b.cpu ? a.cpu : b.cpu};
}

static double usable_processors(int threads) {
  cpu_set_t mine;
  int count = sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : 1;
  return threads < count ? threads : count;
}

static void print(const char *name, const char *unit, const double *values, int count) {
  printf("%s %s", name, unit);
  for (int i = 0; i < count; i++) printf(" %.4g", values[i]);
  printf("\n");
}

static void scaling(const char *name, int threads, int repeats) {
  double ratio[REPEATS_MAX], cpu_ratio[REPEATS_MAX], single[REPEATS_MAX];
  char text[64];
  (void)measure_turn(threads); /* warm-up */
  for (int i = 0; i < repeats; i++) {
    rate one = {1e30, 1e30}, many = one;
    for (int k = 0; k < TURNS; k++) {
      one = better(one, measure_turn(1));
      many = better(many, measure_turn(threads));
    }
    single[i] = one.wall;
    ratio[i] = one.wall / many.wall;
    cpu_ratio[i] = usable_processors(threads) * one.cpu / many.cpu;
  }
  print(name, "x", ratio, repeats);
  snprintf(text, sizeof text, "%s.cpu", name);
  print(text, "x", cpu_ratio, repeats);
  snprintf(text, sizeof text, "%s.one", name);
  print(text, "ns", single, repeats);
}

static int thread_count(void) {
  int count = (int)usable_processors(THREADS_MAX);
  return count > 4 ? count : 4;
}

/* 8 and more threads, if each has a processor. */
static void scaling_of_many(const char *name, int repeats) {
  char text[64];
  for (int threads = 8; threads <= THREADS_MAX && usable_processors(threads) >= threads;
       threads *= 2) {
    snprintf(text, sizeof text, "%s_%d", name, threads);
    scaling(text, threads, repeats);
  }
}

int main(int argc, char **argv) {
  bench_options o = bench_read_options(argc, argv);
  if (o.only[0] || o.ops) return 0;
  int repeats = o.quick ? 2 : 4, count = thread_count();
  interleaved = calloc((size_t)FRESH * INTERLEAVED, BYTES);
  if (!interleaved) return 1;
  sem_init(&through, 0, 0);
  for (int i = 0; i < count; i++) {
    sem_init(&mappers[i].begin, 0, 0);
    if (pthread_create(&mappers[i].thread, NULL, map_until_stopped, &mappers[i]) != 0) return 1;
  }
  scaling("mapping_threads/same_2", 2, repeats);
  scaling("mapping_threads/same_4", 4, repeats);
  scaling_of_many("mapping_threads/same", repeats);
  kind = SCRATCH_RANGE;
  scaling("mapping_threads/same_2_256Ki", 2, repeats);
  kind = FRESH_RANGES;
  scaling("mapping_threads/fresh_2", 2, repeats);
  scaling("mapping_threads/fresh_4", 4, repeats);
  scaling_of_many("mapping_threads/fresh", repeats);
  kind = INTERLEAVED_RANGES;
  scaling("mapping_threads/fresh_2_interleaved", 2, repeats);
  has_ended = 1;
  for (int i = 0; i < count; i++) sem_post(&mappers[i].begin);
  for (int i = 0; i < count; i++) pthread_join(mappers[i].thread, NULL);
  free(interleaved);
  return 0;
}
