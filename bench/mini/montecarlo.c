/* Monte Carlo integration of pi with a reduction. */
#include "bench/mini/mini.h"

void mini_montecarlo(long times, long n) {
  for (long t = 0; t < times; t++) {
    long inside = 0;
#pragma omp target teams distribute parallel for num_teams(256) thread_limit(128)                  \
    reduction(+ : inside) map(tofrom : inside)
    for (long i = 0; i < n; i++) {
      double x = mini_random((uint64_t)i, 0), y = mini_random((uint64_t)i, 1);
      inside += x * x + y * y < 1;
    }
    mini_check("montecarlo: pi", 4 * (double)inside / (double)n, M_PI, 8 / sqrt((double)n));
  }
}
