/* Small applications in the style of GPU programs, not tuned for any library: clauses request the
 * teams and threads of a GPU.
 *
 * mini_NAME(times, size) executes the application `times` times in a data region and ends the
 * program with status 1 if a result is wrong. */
#ifndef SOLO_BENCH_MINI_H
#define SOLO_BENCH_MINI_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* XX(name, size to measure, size to test). gridstride requires 128 teams: see q_mini_asked.c. */
#define MINI_APPS(XX)                                                                              \
  XX(blackscholes, 20000, 3000)                                                                    \
  XX(bfs, 96, 24)                                                                                  \
  XX(convolution, 160, 40)                                                                         \
  XX(fft, 8192, 512)                                                                               \
  XX(gridstride, 100000, 5000)                                                                     \
  XX(histogram, 60000, 4000)                                                                       \
  XX(kmeans, 8000, 1000)                                                                           \
  XX(life, 192, 64)                                                                                \
  XX(lu, 96, 24)                                                                                   \
  XX(mandelbrot, 96, 32)                                                                           \
  XX(matmul, 128, 32)                                                                              \
  XX(mlp, 256, 64)                                                                                 \
  XX(montecarlo, 100000, 5000)                                                                     \
  XX(nbody, 400, 100)                                                                              \
  XX(scan, 65536, 4096)                                                                            \
  XX(sort, 8192, 512)                                                                              \
  XX(spmv, 10000, 1000)                                                                            \
  XX(stencil, 128, 32)                                                                             \
  XX(su3, 8, 4)                                                                                    \
  XX(tensor, 20, 8)                                                                                \
  XX(transpose, 256, 64)                                                                           \
  XX(wavefront, 256, 64)

#define XX(name, size, small) void mini_##name(long times, long size_of_problem);
MINI_APPS(XX)
#undef XX

static inline void mini_check(const char *what, double found, double right, double allowed) {
  if (fabs(found - right) <= allowed * (fabs(right) > 1 ? fabs(right) : 1)) return;
  fprintf(stderr, "wrong result: %s: %.17g, expected %.17g\n", what, found, right);
  exit(1);
}

#ifdef _OPENMP
#pragma omp declare target
#endif
/* Returns a number in [0, 1) for (index, stream), equal on all devices. */
static inline double mini_random(uint64_t index, uint64_t stream) {
  uint64_t x =
      (index + 1) * UINT64_C(0x9E3779B97F4A7C15) + (stream + 1) * UINT64_C(0xD1B54A32D192ED03);
  x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
  return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}
#ifdef _OPENMP
#pragma omp end declare target
#endif

#endif
