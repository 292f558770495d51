/* Two threads map the same large array at the same time, so it is allocated and copied once.
 * mapping_big/two is the time until both have mapped the array, mapping_big/one the time of one
 * thread. */
#include "bench/bench.h"

#include <pthread.h>
#include <stdatomic.h>

#ifdef _OPENMP
enum { MANY = 2 };
static char *array;
static size_t bytes;
static _Atomic int waiting;
static pthread_barrier_t mapped;

/* The barrier ends the measured time when both threads have mapped the array. */
static void *map_it(void *threads) {
  int count = *(int *)threads;
  atomic_fetch_sub(&waiting, 1);
  while (atomic_load(&waiting) > 0) {
  }
#pragma omp target enter data map(to : array [0:bytes])
  if (count > 1) pthread_barrier_wait(&mapped);
  return NULL;
}

static double until_mapped(int threads) {
  pthread_t others[MANY];
  atomic_store(&waiting, threads);
  for (int i = 1; i < threads; i++)
    if (pthread_create(&others[i], NULL, map_it, &threads) != 0) exit(1);
  double start = bench_now_ns();
  (void)map_it(&threads);
  double took = bench_now_ns() - start;
  for (int i = 1; i < threads; i++) pthread_join(others[i], NULL);
  char sum = 0;
#pragma omp target map(from : sum)
  sum = (char)(array[0] + array[bytes - 1]);
  for (int i = 0; i < threads; i++) {
#pragma omp target exit data map(delete : array [0:bytes])
  }
  if (sum != 3) {
    fprintf(stderr, "q_mapping_big: wrong value on the device: %d, expected 3\n", sum);
    exit(1);
  }
  return took;
}

int main(int argc, char **argv) {
  bench_options o = bench_read_options(argc, argv);
  if (o.only[0] || o.ops) return 0;
  int repeats = o.quick ? 3 : 5;
  bytes = (o.quick ? (size_t)64 : (size_t)256) << 20;
  array = malloc(bytes);
  if (!array) return 1;
  memset(array, 1, bytes);
  array[bytes - 1] = 2;
  pthread_barrier_init(&mapped, NULL, MANY);
  for (int threads = 1; threads <= MANY; threads++) {
    (void)until_mapped(threads);
    printf("mapping_big/%s ns", threads == 1 ? "one" : "two");
    for (int i = 0; i < repeats; i++) printf(" %.4g", until_mapped(threads));
    printf("\n");
  }
  free(array);
  return 0;
}
#else
int main(void) {
  return 0; /* the limit has no mappings */
}
#endif
