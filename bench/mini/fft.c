/* Fast Fourier transform (Stockham, radix 2): one region per stage. */
#include "bench/mini/mini.h"

enum { MOST = 8192 };
static double re[2 * MOST], im[2 * MOST];

/* A stage for sub-transforms of length l and stride s. */
static void stage(long n, long l, long s, long from, long to) {
#pragma omp target teams distribute parallel for collapse(2) num_teams(64) thread_limit(128)
  for (long p = 0; p < l / 2; p++)
    for (long q = 0; q < s; q++) {
      double angle = -2 * M_PI * (double)p / (double)l, c = cos(angle), w = sin(angle);
      long a = from + q + s * p, b = a + n / 2, x = to + q + s * 2 * p, y = x + s;
      double ur = re[a] - re[b], ui = im[a] - im[b];
      re[x] = re[a] + re[b];
      im[x] = im[a] + im[b];
      re[y] = ur * c - ui * w;
      im[y] = ur * w + ui * c;
    }
}

void mini_fft(long times, long n) {
  long from = 0;
  for (long t = 0; t < times; t++) {
    for (long i = 0; i < n; i++) re[i] = cos(2 * M_PI * 5 * (double)i / (double)n), im[i] = 0;
    from = 0;
#pragma omp target data map(tofrom : re [0:2 * n], im [0:2 * n])
    for (long l = n, s = 1; l > 1; l /= 2, s *= 2) {
      stage(n, l, s, from, n - from);
      from = n - from;
    }
  }
  double off = 0; /* the spectrum of a wave of 5 periods has two lines */
  for (long i = 0; i < n; i++) {
    double right = i == 5 || i == n - 5 ? (double)n / 2 : 0;
    off = fmax(off, fabs(re[from + i] - right) + fabs(im[from + i]));
  }
  mini_check("fft: two lines", off, 0, 1e-7);
}
