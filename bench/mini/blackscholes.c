/* European options by the formula of Black and Scholes: one thread per option, no memory to speak of. */
#include "bench/mini/mini.h"

enum { MOST = 20000 };
static double price[MOST], strike[MOST], years[MOST], call[MOST], put[MOST];

#pragma omp declare target
static double normal(double x) {
  return 0.5 * erfc(-x * M_SQRT1_2);
}
#pragma omp end declare target

void mini_blackscholes(long times, long n) {
  const double rate = 0.02, volatility = 0.3;
  for (long i = 0; i < n; i++) {
    price[i] = 5 + 25 * mini_random((uint64_t)i, 0);
    strike[i] = 1 + 99 * mini_random((uint64_t)i, 1);
    years[i] = 0.25 + 9 * mini_random((uint64_t)i, 2);
  }
  for (long t = 0; t < times; t++) {
#pragma omp target teams distribute parallel for num_teams((n + 255) / 256) thread_limit(256)      \
    map(to                                                                                         \
        : price [0:n], strike [0:n], years [0:n]) map(from                                         \
                                                      : call [0:n], put [0:n])
    for (long i = 0; i < n; i++) {
      double root = volatility * sqrt(years[i]);
      double d =
          (log(price[i] / strike[i]) + (rate + volatility * volatility / 2) * years[i]) / root;
      double worth = strike[i] * exp(-rate * years[i]);
      call[i] = price[i] * normal(d) - worth * normal(d - root);
      put[i] = worth * normal(root - d) - price[i] * normal(-d);
    }
  }
  double off = 0; /* parity of put and call */
  for (long i = 0; i < n; i++)
    off = fmax(off, fabs(call[i] - put[i] - price[i] + strike[i] * exp(-rate * years[i])));
  mini_check("blackscholes: put and call", off, 0, 1e-9);
}
