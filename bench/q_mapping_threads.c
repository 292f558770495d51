/* Threads that map and unmap data of their own: the same 512 bytes again and again (what a threaded
 * program with map(tofrom:) on small data does), and ranges that were never mapped before. In each
 * round one thread and many take turns; a value is the throughput of many over that of one. */
#include "bench/bench.h"

#include <pthread.h>

enum { BYTES = 512, THREADS_MAX = 4, FRESH = 1 << 12 };

#ifdef _OPENMP
static pthread_barrier_t start_line;
static long thread_ops;
static double begun[THREADS_MAX], ended[THREADS_MAX];
static int fresh_ranges;

static void map_same(char *p, long n) {
  for (long i = 0; i < n; i++) {
#pragma omp target map(tofrom : p [0:BYTES])
    { p[0]++; }
    BENCH_KEEP(p);
  }
}

/* Each range comes again only when FRESH others have been mapped. */
static void map_fresh(char *p, long n) {
  for (long i = 0; i < n; i++) map_same(p + i % FRESH * BYTES, 1);
}

static void *mapper(void *which) {
  long id = (long)(intptr_t)which;
  char *p = calloc(FRESH, BYTES);
  if (!p) exit(1);
  for (int warm = 1; warm >= 0; warm--) {
    pthread_barrier_wait(&start_line);
    begun[id] = bench_now_ns();
    (fresh_ranges ? map_fresh : map_same)(p, warm ? thread_ops / 10 : thread_ops);
    ended[id] = bench_now_ns();
  }
  pthread_barrier_wait(&start_line);
  free(p);
  return NULL;
}

/* Regions per ns of so many threads together, from the first start to the last end. */
static double throughput(int threads) {
  pthread_t t[THREADS_MAX];
  pthread_barrier_init(&start_line, NULL, (unsigned)threads);
  for (long i = 0; i < threads; i++) pthread_create(&t[i], NULL, mapper, (void *)(intptr_t)i);
  for (int i = 0; i < threads; i++) pthread_join(t[i], NULL);
  pthread_barrier_destroy(&start_line);
  double first = begun[0], last = ended[0];
  for (int i = 1; i < threads; i++) {
    if (begun[i] < first) first = begun[i];
    if (ended[i] > last) last = ended[i];
  }
  return (double)threads * (double)thread_ops / (last - first);
}

static void scaling(const char *name, int threads, int repeats) {
  double ratio[32], single[32];
  for (int i = 0; i < repeats; i++) {
    double one = throughput(1), many = throughput(threads);
    single[i] = 1 / one;
    ratio[i] = many / one;
  }
  printf("%s x", name);
  for (int i = 0; i < repeats; i++) printf(" %.4g", ratio[i]);
  printf("\n%s.one ns", name);
  for (int i = 0; i < repeats; i++) printf(" %.4g", single[i]);
  printf("\n");
}

int main(int argc, char **argv) {
  bench_options o = bench_read_options(argc, argv);
  if (o.only[0] || o.ops) return 0; /* it has no cases */
  int repeats = o.quick ? 5 : 20;
  thread_ops = o.quick ? 20000 : 100000;
  scaling("threads_map/same_2", 2, repeats);
  scaling("threads_map/same_4", 4, repeats);
  fresh_ranges = 1;
  scaling("threads_map/fresh_2", 2, repeats);
  scaling("threads_map/fresh_4", 4, repeats);
  return 0;
}
#else
int main(void) {
  return 0; /* there is nothing to compare without a runtime */
}
#endif
