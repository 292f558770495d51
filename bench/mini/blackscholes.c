/* Prices of European options (Black and Scholes), one option per thread. The normal distribution is
 * a polynomial (Abramowitz and Stegun, 26.2.17). */
#include "bench/mini/mini.h"

enum { MOST = 20000 };
static double price[MOST], strike[MOST], years[MOST], call[MOST], put[MOST];

#pragma omp declare target
/* P(x) with an error below 7.5e-8. */
static double normal(double x) {
  double k = 1 / (1 + 0.2316419 * fabs(x));
  double sum = k * (0.319381530 +
                    k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  double tail = 0.39894228040143267794 * exp(-0.5 * x * x) * sum;
  return x > 0 ? 1 - tail : tail;
}
#pragma omp end declare target

/* The price of a call by erfc(). */
static double exact_call(long i, double rate, double volatility) {
  double root = volatility * sqrt(years[i]);
  double d = (log(price[i] / strike[i]) + (rate + volatility * volatility / 2) * years[i]) / root;
  return price[i] * 0.5 * erfc(-d * M_SQRT1_2) -
         strike[i] * exp(-rate * years[i]) * 0.5 * erfc((root - d) * M_SQRT1_2);
}

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
  double parity = 0, off = 0;
  for (long i = 0; i < n; i++)
    parity = fmax(parity, fabs(call[i] - put[i] - price[i] + strike[i] * exp(-rate * years[i])));
  mini_check("blackscholes: put and call", parity, 0, 1e-9);
  for (long i = 0; i < n; i += 97) off = fmax(off, fabs(call[i] - exact_call(i, rate, volatility)));
  mini_check("blackscholes: calls", off, 0, 1e-5);
}
