/* What does a parallel target region cost? Fork and join of leagues and teams over little work. */
#include "bench/bench.h"

enum { MOST = 100000 };
static float x[MOST], y[MOST];

static void enter(long count) {
#pragma omp target enter data map(to : x [0:count], y [0:count])
  (void)count;
}

static void leave(long count) {
#pragma omp target exit data map(delete : x [0:count], y [0:count])
  (void)count;
}

static void saxpy(long n, long count) {
  float a = 0.5f;
  for (long i = 0; i < n; i++) {
#pragma omp target teams distribute parallel for map(tofrom : y [0:count]) map(to : x [0:count])
    for (long j = 0; j < count; j++) y[j] += a * x[j];
    BENCH_KEEP(y);
  }
}

static void sum(long n, long count) {
  float total = 0;
  for (long i = 0; i < n; i++) {
#pragma omp target teams distribute parallel for reduction(+ : total) map(to : x [0:count])
    for (long j = 0; j < count; j++) total += x[j];
    BENCH_KEEP(total > 0);
  }
}

static const bench_case cases[] = {
    {.name = "teams/1000", .loop = saxpy, .argument = 1000, .before = enter, .after = leave},
    {.name = "teams/reduce_1000", .loop = sum, .argument = 1000, .before = enter, .after = leave},
    {.name = "teams/100000", .loop = saxpy, .argument = MOST, .before = enter, .after = leave},
};

int main(int argc, char **argv) {
  return bench_cases(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
