/* Cost of starting a target region: empty, with present and new arrays, with 1 to 64 arguments; the
 * first of the process; the quantiles of single launches. */
#include "bench/bench.h"

static char present[512], fresh[512];

static void empty(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
#pragma omp target
    { __asm__ volatile(""); }
  }
}

static void present_512(long n, long unused) {
  (void)unused;
  char *p = present;
  for (long i = 0; i < n; i++) {
#pragma omp target map(tofrom : p [0:512])
    { p[0]++; }
    BENCH_KEEP(p);
  }
}

static void unmapped_512(long n, long unused) {
  (void)unused;
  char *p = fresh;
  for (long i = 0; i < n; i++) {
#pragma omp target map(tofrom : p [0:512])
    { p[0]++; }
    BENCH_KEEP(p);
  }
}

static void enter_present(long unused) {
  (void)unused;
#pragma omp target enter data map(to : present)
}

static void exit_present(long unused) {
  (void)unused;
#pragma omp target exit data map(delete : present)
}

/* k arguments by value */
static void args_1(long n, long a) {
  for (long i = 0; i < n; i++) {
#pragma omp target
    { BENCH_KEEP(a); }
  }
}

static void args_4(long n, long a) {
  long b = a + 1, c = a + 2, d = a + 3;
  for (long i = 0; i < n; i++) {
#pragma omp target
    { BENCH_KEEP(a + b + c + d); }
  }
}

#define FOUR(X, s)    X(s##0) X(s##1) X(s##2) X(s##3)
#define SIXTEEN(X, s) FOUR(X, s##0) FOUR(X, s##1) FOUR(X, s##2) FOUR(X, s##3)
#define DECLARE(v)    long v = a++;
#define ADD(v)        +v

static void args_16(long n, long a) {
  SIXTEEN(DECLARE, v)
  for (long i = 0; i < n; i++) {
#pragma omp target
    { BENCH_KEEP(0 SIXTEEN(ADD, v)); }
  }
}

static void args_64(long n, long a) {
  SIXTEEN(DECLARE, v)
  SIXTEEN(DECLARE, w) SIXTEEN(DECLARE, x) SIXTEEN(DECLARE, y) for (long i = 0; i < n; i++) {
#pragma omp target
    { BENCH_KEEP(0 SIXTEEN(ADD, v) SIXTEEN(ADD, w) SIXTEEN(ADD, x) SIXTEEN(ADD, y)); }
  }
}

static const bench_case cases[] = {
    {.name = "launch/empty", .loop = empty},
    {.name = "launch/present_512",
     .loop = present_512,
     .before = enter_present,
     .after = exit_present},
    {.name = "launch/unmapped_512", .loop = unmapped_512},
    {.name = "launch/args_1", .loop = args_1},
    {.name = "launch/args_4", .loop = args_4},
    {.name = "launch/args_16", .loop = args_16},
    {.name = "launch/args_64", .loop = args_64},
};

int main(int argc, char **argv) {
  bench_options o = bench_read_options(argc, argv);
  static const bench_case each = {.name = "launch/each", .loop = empty};
  if (o.ops == 0 && !o.only[0]) {
    bench_calibrate();
    /* opens the device and loads the image */
    printf("launch/cold ns %.4g\n", bench_time(&each, 1));
  }
  int rc = bench_cases(argc, argv, cases, sizeof cases / sizeof cases[0]);
  if (o.ops == 0 && !o.only[0]) bench_distribution(&each, o.quick ? 5000 : 50000);
  return rc;
}
