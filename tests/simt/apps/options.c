/* Option prices: exp, log, erf, sqrt. */
#include "app.h"

enum { N = 300 };

#pragma omp begin declare target
static double normal(double x) {
  return 0.5 * erfc(-x * 0.70710678118654752440);
}
static double price(double s, double k, double t) {
  double v = 0.3 * sqrt(t), d = (log(s / k) + 0.02 * t) / v + v / 2;
  return s * normal(d) - k * exp(-0.02 * t) * normal(d - v);
}
#pragma omp end declare target

APP(options) {
  static double on[N], off[N];
#pragma omp target teams distribute parallel for map(from : on)
  for (int i = 0; i < N; i++) on[i] = price(20 + i % 30, 30 + i % 7, 0.25 + i % 4);
  for (int i = 0; i < N; i++) off[i] = price(20 + i % 30, 30 + i % 7, 0.25 + i % 4);
  return app_differ(on, off, N, 1e-12);
}
