/* Fourier transform: FFT on the device, direct sum on the host. */
#include "app.h"

enum { N = 64, BITS = 6 };

APP(fft) {
  static double re[N], im[N], slow[N], x[N];
  const double pi = 3.14159265358979323846;
  for (int i = 0; i < N; i++) x[i] = i % 9 - 4 + i % 2;
  for (int i = 0; i < N; i++) {
    int r = 0;
    for (int b = 0; b < BITS; b++) r |= (i >> b & 1) << (BITS - 1 - b);
    re[r] = x[i];
  }
#pragma omp target data map(tofrom : re, im)
  for (int half = 1; half < N; half *= 2) {
#pragma omp target teams distribute parallel for
    for (int t = 0; t < N / 2; t++) {
      int k = t % half, a = t / half * 2 * half + k, b = a + half;
      double c = cos(-pi * k / half), s = sin(-pi * k / half);
      double tr = re[b] * c - im[b] * s, ti = re[b] * s + im[b] * c;
      re[b] = re[a] - tr, im[b] = im[a] - ti;
      re[a] += tr, im[a] += ti;
    }
  }
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++) slow[k] += x[i] * cos(2 * pi * (k * i % N) / N);
  return app_differ(re, slow, N, 1e-12);
}
