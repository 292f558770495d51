/* Scaling of the mapping table: launches on one of N present arrays in random order, the look-up
 * alone, one array mapped and unmapped, and threads that launch on separate arrays or on one.
 * Contestant `limit` only computes addresses. */
#include "bench/bench.h"

#include <pthread.h>

enum { STRIDE = 128, BYTES = 64, ORDER = 1 << 14, LARGEST = 1000000 };
static char *arrays; /* LARGEST arrays, STRIDE bytes apart */
static uint32_t order[ORDER];

static void enter(long count) {
  uint64_t state = 4711;
  for (long i = 0; i < ORDER; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    order[i] = (uint32_t)((state >> 16) % (uint64_t)count);
  }
  for (long i = 0; i < count; i++) {
    char *p = arrays + i * STRIDE;
#pragma omp target enter data map(to : p [0:BYTES])
    (void)p;
  }
}

static void leave(long count) {
  for (long i = 0; i < count; i++) {
    char *p = arrays + i * STRIDE;
#pragma omp target exit data map(delete : p [0:BYTES])
    (void)p;
  }
}

static void launch(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
    char *p = arrays + (size_t)order[i % ORDER] * STRIDE;
#pragma omp target map(tofrom : p [0:BYTES])
    { p[0]++; }
    BENCH_KEEP(p);
  }
}

static void look_up(long n, long unused) {
  (void)unused;
  uintptr_t sum = 0;
  for (long i = 0; i < n; i++) {
    char *p = arrays + (size_t)order[i % ORDER] * STRIDE;
#ifdef _OPENMP
    sum += (uintptr_t)omp_get_mapped_ptr(p + 8, omp_get_default_device());
#else
    sum += (uintptr_t)p;
#endif
  }
  BENCH_KEEP(sum);
}

static void in_and_out(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
    /* in the gap after a present array */
    char *p = arrays + (size_t)order[i % ORDER] * STRIDE + BYTES;
#pragma omp target enter data map(alloc : p [0:32])
    BENCH_KEEP(p);
#pragma omp target exit data map(delete : p [0:32])
  }
}

#define SIZE(count, label, mode)                                                                   \
  {.name = "mapping/launch_" label,                                                                \
   .loop = launch,                                                                                 \
   .argument = count,                                                                              \
   .before = enter,                                                                                \
   .after = leave,                                                                                 \
   .when = mode},                                                                                  \
      {.name = "mapping/look_up_" label,                                                           \
       .loop = look_up,                                                                            \
       .argument = count,                                                                          \
       .before = enter,                                                                            \
       .after = leave,                                                                             \
       .when = mode},                                                                              \
  {                                                                                                \
    .name = "mapping/in_out_" label, .loop = in_and_out, .argument = count, .before = enter,       \
    .after = leave, .when = mode                                                                   \
  }

static const bench_case cases[] = {
    SIZE(1, "1e0", BENCH_FULL_ONLY),       SIZE(10, "1e1", BENCH_IN_QUICK),
    SIZE(100, "1e2", BENCH_FULL_ONLY),     SIZE(1000, "1e3", BENCH_FULL_ONLY),
    SIZE(10000, "1e4", BENCH_FULL_ONLY),   SIZE(100000, "1e5", BENCH_IN_QUICK),
    SIZE(1000000, "1e6", BENCH_FULL_ONLY),
};

#ifdef _OPENMP
/* The limit has no threads. */

enum { THREADS_MAX = 4 };
static pthread_barrier_t start_line;
static long thread_ops;
static double thread_ns[THREADS_MAX];

static void *launcher(void *which) {
  long id = (long)(intptr_t)which;
  /* negative: all threads use one array */
  char *p = arrays + (id < 0 ? 0 : (size_t)id * 64 * STRIDE);
  for (int warm = 1; warm >= 0; warm--) {
    pthread_barrier_wait(&start_line);
    double start = bench_now_ns();
    for (long i = 0; i < (warm ? thread_ops / 10 : thread_ops); i++) {
#pragma omp target map(tofrom : p [0:BYTES])
      { __asm__ volatile(""); }
    }
    thread_ns[id < 0 ? -id - 1 : id] = bench_now_ns() - start;
  }
  return NULL;
}

/* Launches per ns of all threads. */
static double throughput(int threads, int same) {
  pthread_t t[THREADS_MAX];
  pthread_barrier_init(&start_line, NULL, (unsigned)threads);
  for (long i = 0; i < threads; i++)
    pthread_create(&t[i], NULL, launcher, (void *)(intptr_t)(same ? -1 - i : i));
  double rate = 0;
  for (int i = 0; i < threads; i++) pthread_join(t[i], NULL);
  for (int i = 0; i < threads; i++) rate += (double)thread_ops / thread_ns[i];
  pthread_barrier_destroy(&start_line);
  return rate;
}

static void scaling(const char *name, int threads, int same, int repeats) {
  double ratio[32], single[32];
  for (int i = 0; i < repeats; i++) {
    double one = throughput(1, same), many = throughput(threads, same);
    single[i] = 1 / one;
    ratio[i] = many / one;
  }
  printf("%s x", name);
  for (int i = 0; i < repeats; i++) printf(" %.4g", ratio[i]);
  printf("\n%s.one ns", name);
  for (int i = 0; i < repeats; i++) printf(" %.4g", single[i]);
  printf("\n");
}

static void threads(const bench_options *o) {
  int repeats = o->quick ? 5 : 20;
  thread_ops = o->quick ? 5000 : 20000;
  enter(1000);
  scaling("mapping/scaling_2", 2, 0, repeats);
  scaling("mapping/scaling_2_same", 2, 1, repeats);
  if (!o->quick) scaling("mapping/scaling_4", 4, 0, repeats);
  leave(1000);
}
#else
static void threads(const bench_options *o) {
  (void)o;
}
#endif

int main(int argc, char **argv) {
  bench_options o = bench_read_options(argc, argv);
  arrays = calloc(LARGEST, STRIDE);
  if (!arrays) return 1;
  int rc = bench_cases(argc, argv, cases, sizeof cases / sizeof cases[0]);
  if (o.ops == 0 && !o.only[0]) threads(&o);
  return rc;
}
