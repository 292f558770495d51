/* Asynchronous target regions: 20,000 independent ones, or a chain of 1,000, before each taskwait. */
#include "bench/bench.h"

static void independent(long n, long count) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < count; j++) {
#pragma omp target nowait
      { __asm__ volatile(""); }
    }
#pragma omp taskwait
  }
}

static void chain(long n, long count) {
  int link = 0;
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < count; j++) {
#pragma omp target nowait depend(inout : link)
      { __asm__ volatile(""); }
    }
#pragma omp taskwait
  }
  BENCH_KEEP(link);
}

static const bench_case cases[] = {
    {.name = "nowait/independent", .loop = independent, .argument = 20000, .scale = 1. / 20000},
    {.name = "nowait/chain", .loop = chain, .argument = 1000, .scale = 1. / 1000},
};

int main(int argc, char **argv) {
  bench_options o = bench_read_options(argc, argv);
  if (o.ops > 0) return bench_cases(argc, argv, cases, sizeof cases / sizeof cases[0]);
  bench_calibrate();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    bench_measure(&cases[i], o.quick ? 4 : 20, 1e3);
  return 0;
}
