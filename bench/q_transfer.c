/* Copies by size, rectangles and strided updates, in ns per KiB. */
#include "bench/bench.h"

enum { MOST = 32 << 20, SIDE = 256 };
static char *host, *device;

static void copy_to(long n, long bytes) {
  for (long i = 0; i < n; i++) {
#ifdef _OPENMP
    omp_target_memcpy(device, host, (size_t)bytes, 0, 0, omp_get_default_device(),
                      omp_get_initial_device());
#else
    memcpy(device, host, (size_t)bytes);
#endif
    BENCH_KEEP(device);
  }
}

static void copy_to_new(long n, long bytes) {
  for (long i = 0; i < n; i++) {
#ifdef _OPENMP
    char *new = omp_target_alloc((size_t)bytes, omp_get_default_device());
    omp_target_memcpy(new, host, (size_t)bytes, 0, 0, omp_get_default_device(),
                      omp_get_initial_device());
    BENCH_KEEP(new);
    omp_target_free(new, omp_get_default_device());
#else
    char *new = malloc((size_t)bytes);
    memcpy(new, host, (size_t)bytes);
    BENCH_KEEP(new);
    free(new);
#endif
  }
}

/* A quarter of a SIDE x SIDE matrix of doubles. */
static void rectangle(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
#ifdef _OPENMP
    const size_t volume[2] = {SIDE / 2, SIDE / 2}, offset[2] = {3, 5}, whole[2] = {SIDE, SIDE};
    omp_target_memcpy_rect(device, host, sizeof(double), 2, volume, offset, offset, whole, whole,
                           omp_get_default_device(), omp_get_initial_device());
#else
    for (size_t row = 0; row < SIDE / 2; row++) {
      size_t at = ((row + 3) * SIDE + 5) * sizeof(double);
      memcpy(device + at, host + at, SIDE / 2 * sizeof(double));
    }
#endif
    BENCH_KEEP(device);
  }
}

static double strided[8192];

static void enter(long unused) {
  (void)unused;
#pragma omp target enter data map(to : strided)
}

static void leave(long unused) {
  (void)unused;
#pragma omp target exit data map(delete : strided)
}

static void update_strided(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
#ifdef _OPENMP
#pragma omp target update to(strided [0:4096:2])
#else
    static double to[8192];
    for (int j = 0; j < 8192; j += 2) to[j] = strided[j];
    BENCH_KEEP(to);
#endif
    BENCH_KEEP(strided);
  }
}

static void update(long n, long count) {
  for (long i = 0; i < n; i++) {
#ifdef _OPENMP
#pragma omp target update to(strided [0:count])
#else
    static double to[8192];
    memcpy(to, strided, (size_t)count * sizeof(double));
    BENCH_KEEP(to);
#endif
    BENCH_KEEP(strided);
  }
}

#define KIB(bytes) (1024. / (bytes))
#define FULL(label, bytes)                                                                         \
  {                                                                                                \
    .name = "transfer/" label, .loop = copy_to, .argument = bytes, .scale = KIB(bytes),            \
    .when = BENCH_FULL_ONLY                                                                        \
  }
static const bench_case cases[] = {
    {.name = "transfer/64", .loop = copy_to, .argument = 64},
    {.name = "transfer/4Ki", .loop = copy_to, .argument = 4096, .scale = KIB(4096)},
    FULL("1Ki", 1024),
    FULL("16Ki", 16384),
    FULL("64Ki", 65536),
    FULL("1Mi", 1048576),
    FULL("4Mi", 4194304),
    {.name = "transfer/256Ki", .loop = copy_to, .argument = 262144, .scale = KIB(262144)},
    {.name = "transfer/32Mi", .loop = copy_to, .argument = MOST, .scale = KIB(MOST)},
    {.name = "transfer/new_1Mi", .loop = copy_to_new, .argument = 1 << 20, .scale = KIB(1 << 20)},
    {.name = "transfer/rect_128x128", .loop = rectangle, .scale = 1. / 128},
    {.name = "transfer/update_4Ki",
     .loop = update,
     .argument = 512,
     .before = enter,
     .after = leave,
     .scale = 1. / 4},
    {.name = "transfer/update_strided_32Ki",
     .loop = update_strided,
     .before = enter,
     .after = leave,
     .scale = 1. / 32},
};

int main(int argc, char **argv) {
  host = calloc(1, MOST);
#ifdef _OPENMP
  device = omp_target_alloc(MOST, omp_get_default_device());
#else
  device = calloc(1, MOST);
#endif
  if (!host || !device) return 1;
  return bench_cases(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
