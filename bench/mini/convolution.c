/* A 5 x 5 filter over an image; the coefficients are firstprivate. */
#include "bench/mini/mini.h"

enum { MOST = 160, REACH = 2, WIDTH = 2 * REACH + 1 };
static float image[MOST * MOST], out[MOST * MOST];

void mini_convolution(long times, long n) {
  float weight[WIDTH * WIDTH];
  for (int i = 0; i < WIDTH * WIDTH; i++) weight[i] = 1.0f / (WIDTH * WIDTH);
  /* the filter preserves a plane */
  for (long i = 0; i < n * n; i++) image[i] = (float)(i % n + 2 * (i / n));
  for (long t = 0; t < times; t++) {
#pragma omp target teams distribute parallel for collapse(2) thread_limit(256)                     \
    firstprivate(weight) map(to                                                                    \
                             : image [0:n * n]) map(from                                           \
                                                    : out [0:n * n])
    for (long y = 0; y < n; y++)
      for (long x = 0; x < n; x++) {
        float sum = 0;
        for (long v = -REACH; v <= REACH; v++)
          for (long u = -REACH; u <= REACH; u++) {
            long a = x + u < 0 ? 0 : x + u >= n ? n - 1 : x + u;
            long b = y + v < 0 ? 0 : y + v >= n ? n - 1 : y + v;
            sum += weight[(v + REACH) * WIDTH + u + REACH] * image[b * n + a];
          }
        out[y * n + x] = sum;
      }
  }
  double off = 0;
  for (long y = REACH; y < n - REACH; y++)
    for (long x = REACH; x < n - REACH; x++)
      off = fmax(off, fabs((double)out[y * n + x] - (double)image[y * n + x]));
  mini_check("convolution: a plane", off, 0, 1e-3);
}
