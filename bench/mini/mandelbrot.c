/* The Mandelbrot set: points differ in work, so the schedule is dynamic. */
#include "bench/mini/mini.h"

enum { MOST = 96, STEPS = 256 };
static int steps[MOST * MOST];

void mini_mandelbrot(long times, long n) {
  for (long t = 0; t < times; t++) {
#pragma omp target teams distribute parallel for collapse(2) schedule(dynamic, 16)                 \
    map(from                                                                                       \
        : steps [0:n * n])
    for (long y = 0; y < n; y++)
      for (long x = 0; x < n; x++) {
        double a = -2 + 3.0 * (double)x / (double)n, b = -1.5 + 3.0 * (double)y / (double)n;
        double u = 0, v = 0;
        int k = 0;
        for (; k < STEPS && u * u + v * v <= 4; k++) {
          double w = u * u - v * v + a;
          v = 2 * u * v + b;
          u = w;
        }
        steps[y * n + x] = k;
      }
  }
  long inside = 0;
  for (long i = 0; i < n * n; i++) inside += steps[i] == STEPS;
  mini_check("mandelbrot: area", 9.0 * (double)inside / (double)(n * n), 1.53, 0.1);
  mini_check("mandelbrot: the cusp's inside", steps[n / 2 * n + n * 2 / 3 - 2], STEPS, 0);
}
