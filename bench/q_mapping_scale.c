/* Cost of a mapping among 1 to 10^6: separately allocated arrays of 64 bytes in random order.
 * Cases: map (enter), unmap (exit), look_up, a region with one array (launch) or eight (launch_8,
 * per array), memory. Cases with the suffix _met run after two threads have mapped alternately:
 * solo's table then has shards (table/shard.h).
 *
 * The limit of look_up and launch is a chain of dependent loads: a slot of a table like solo's
 * hints, a node, the data. */
#include "bench/bench.h"

#include <pthread.h>
#include <unistd.h>

enum {
  BYTES = 64,
  NODE_WORDS = 16,
  PASSES = 5,
  MANY = 100000,
  PASSES_OF_MANY = 2,
  MILLION = 1000000,
  FEW = 20000,
  TURNS = 300
};
static char **arrays; /* in the order of use */
static long count;

static uint64_t random_state = 4711;
static uint64_t next_random(void) {
  random_state ^= random_state << 13, random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

static void shuffle(void) {
  for (long i = count - 1; i > 0; i--) {
    long j = (long)(next_random() % (uint64_t)(i + 1));
    char *kept = arrays[i];
    arrays[i] = arrays[j];
    arrays[j] = kept;
  }
}

/* Varies the sizes so that addresses have no fixed stride. */
static void allocate(void) {
  arrays = malloc((size_t)count * sizeof *arrays);
  for (long i = 0; arrays && i < count; i++) {
    arrays[i] = calloc(1, BYTES + next_random() % 8 * 48);
    if (!arrays[i]) exit(1);
  }
  if (!arrays) exit(1);
  shuffle();
}

static void release(void) {
  for (long i = 0; i < count; i++) free(arrays[i]);
  free(arrays);
}

static double resident_bytes(void) {
  long pages = 0, resident = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f && fscanf(f, "%ld %ld", &pages, &resident) != 2) resident = 0;
  if (f) fclose(f);
  return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

#ifdef _OPENMP
static void enter(void) {
  for (long i = 0; i < count; i++) {
    char *p = arrays[i];
#pragma omp target enter data map(to : p [0:BYTES])
    (void)p;
  }
}

static void leave(void) {
  for (long i = 0; i < count; i++) {
    char *p = arrays[i];
#pragma omp target exit data map(from : p [0:BYTES])
    (void)p;
  }
}

static void look_up(void) {
  uintptr_t sum = 0;
  for (long i = 0; i < count; i++)
    sum += (uintptr_t)omp_get_mapped_ptr(arrays[i], omp_get_default_device());
  BENCH_KEEP(sum);
}

static void launch(void) {
  for (long i = 0; i < count; i++) {
    char *p = arrays[i];
#pragma omp target map(tofrom : p [0:BYTES])
    { p[0]++; }
    BENCH_KEEP(p);
  }
}
static void launch_8(void) {
  for (long i = 0; i + 8 <= count; i += 8) {
    char *a = arrays[i], *b = arrays[i + 1], *c = arrays[i + 2], *d = arrays[i + 3];
    char *e = arrays[i + 4], *f = arrays[i + 5], *g = arrays[i + 6], *h = arrays[i + 7];
#pragma omp target map(tofrom                                                                      \
                       : a [0:BYTES], b [0:BYTES], c [0:BYTES], d [0:BYTES], e [0:BYTES],          \
                         f [0:BYTES], g [0:BYTES], h [0:BYTES])
    { a[0]++, b[0]++, c[0]++, d[0]++, e[0]++, f[0]++, g[0]++, h[0]++; }
    BENCH_KEEP(a);
  }
}

static void *map_one(void *array) {
  char *p = array;
#pragma omp target enter data map(alloc : p [0:BYTES])
#pragma omp target exit data map(delete : p [0:BYTES])
  return NULL;
}

static void meet(void) {
  static char ranges[TURNS][BYTES];
  for (int i = 0; i < TURNS; i++) {
    pthread_t other;
    if (i % 2 == 0)
      (void)map_one(ranges[i]);
    else if (pthread_create(&other, NULL, map_one, ranges[i]) != 0 ||
             pthread_join(other, NULL) != 0)
      exit(1);
  }
}
#else
static uint64_t **slots, *nodes;
static int shift;

static void enter(void) {
  for (shift = 63; 1L << (64 - shift) < 2 * count; shift--) {
  }
  slots = calloc((size_t)1 << (64 - shift), sizeof *slots);
  nodes = calloc((size_t)count, NODE_WORDS * sizeof *nodes);
  if (!slots || !nodes) exit(1);
  for (long i = 0; i < count; i++) { /* arrays is shuffled: the nodes have no order */
    nodes[i * NODE_WORDS] = (uint64_t)(uintptr_t)arrays[i];
    slots[(uintptr_t)arrays[i] * UINT64_C(0x9e3779b97f4a7c15) >> shift] = nodes + i * NODE_WORDS;
  }
}

static void leave(void) {
  free(slots);
  free(nodes);
}

/* The address depends on the previous step. The asm statement hides from the compiler that `before`
 * is 0. */
static uint64_t **slot_of(const char *array, uint64_t before) {
  __asm__("" : "+r"(before));
  return &slots[((uint64_t)(uintptr_t)array + before) * UINT64_C(0x9e3779b97f4a7c15) >> shift];
}

static void launch(void) {
  uint64_t before = 0;
  for (long i = 0; i < count; i++) {
    uint64_t *node = *slot_of(arrays[i], before);
    uint64_t *data = (uint64_t *)(uintptr_t)node[0];
    before = (data[0] += 2) & 1;
  }
}

static void look_up(void) {
  uint64_t before = 0, sum = 0;
  for (long i = 0; i < count; i++) {
    uint64_t *node = *slot_of(arrays[i], before);
    sum += node[0];
    before = node[1];
  }
  BENCH_KEEP(sum);
}

static void meet(void) {}
#endif

/* Returns ns per array; repeats small sets. */
static double timed(void (*work)(void)) {
  long times = count < FEW ? FEW / count : 1;
  double start = bench_now_ns();
  for (long i = 0; i < times; i++) work();
  return (bench_now_ns() - start) / (double)(times * count);
}

static const char *question = "mapping_scale";

static int passes(void) {
  return count >= MILLION ? 1 : count >= MANY ? PASSES_OF_MANY : PASSES;
}

static void print(const char *what, const char *label, const char *unit, const double *values) {
  printf("%s/%s_%s %s", question, what, label, unit);
  for (int i = 0; i < passes(); i++) printf(" %.4g", values[i]);
  printf("\n");
}

static void measure(long how_many, const char *label) {
  double in[PASSES], out[PASSES], found[PASSES], launched[PASSES], bytes[PASSES];
#ifdef _OPENMP
  double eight[PASSES];
#endif
  count = how_many;
  allocate();
  for (int i = 0; i < passes(); i++) {
    double before = resident_bytes(), start = bench_now_ns();
    enter();
    in[i] = (bench_now_ns() - start) / (double)count;
    bytes[i] = (resident_bytes() - before) / (double)count;
    shuffle();
    found[i] = timed(look_up);
    shuffle();
    launched[i] = timed(launch);
    shuffle();
#ifdef _OPENMP
    eight[i] = timed(launch_8);
    shuffle();
#endif
    start = bench_now_ns();
    leave();
    out[i] = (bench_now_ns() - start) / (double)count;
  }
  for (int i = 1; i < passes(); i++) bytes[i] = bytes[0]; /* later passes reuse memory */
#ifdef _OPENMP
  print("enter", label, "ns", in);
  print("exit", label, "ns", out);
  if (count >= 8) print("launch_8", label, "ns", eight);
  if (count >= 1000) print("memory", label, "bytes", bytes);
#endif
  print("look_up", label, "ns", found);
  print("launch", label, "ns", launched);
  release();
}

int main(int argc, char **argv) {
  bench_options o = bench_read_options(argc, argv);
  if (o.only[0] || o.ops) return 0;
#ifdef _OPENMP
#pragma omp target
  {}
#endif
  static const struct {
    long count;
    const char *label;
    int quick;
  } sizes[] = {{1, "1e0", 0},    {10, "1e1", 0},    {100, "1e2", 0},
               {1000, "1e3", 1}, {10000, "1e4", 0}, {100000, "1e5", 1}};
  if (argc > 1 && !strcmp(argv[1], "--million")) {
    question = "mapping_million";
    measure(MILLION, "1e6");
    return 0;
  }
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    if (!o.quick || sizes[i].quick) measure(sizes[i].count, sizes[i].label);
  meet();
  measure(MANY, "1e5_met");
  return 0;
}
