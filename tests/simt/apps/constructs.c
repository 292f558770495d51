/* One region per construct. */
#include "app.h"

#include <complex.h>
#include <omp.h>

enum { N = 1000 };
static void plain_atomic(void) {
  int x = 0, y = 5, old = -1;
#pragma omp target map(tofrom : x, y, old)
  {
#pragma omp atomic
    x++;
#pragma omp atomic capture
    {
      old = y;
      y += 2;
    }
  }
  APP_CHECK(x == 1);
  APP_CHECK(y == 7);
  APP_CHECK(old == 5);
}
static void collapse3(void) {
  static int a[7][11][13];
#pragma omp target teams distribute parallel for collapse(3) map(from : a)
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 11; j++)
      for (int k = 0; k < 13; k++) a[i][j][k] = i * 10000 + j * 100 + k;
  int bad = 0;
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 11; j++)
      for (int k = 0; k < 13; k++) bad += a[i][j][k] != i * 10000 + j * 100 + k;
  APP_CHECK(!bad);
}
static void lastpriv(void) {
  int last = -1, lin = 3;
#pragma omp target teams distribute parallel for map(tofrom : last)
  for (int i = 0; i < N; i++)
    if (i == N - 1) last = i * 3;
  APP_CHECK(last == (N - 1) * 3);
  int out[64];
#pragma omp target map(from : out) map(tofrom : lin)
  {
#pragma omp parallel for linear(lin : 2) num_threads(16)
    for (int i = 0; i < 64; i++) {
      out[i] = lin;
      lin += 2;
    }
  }
  int bad = 0;
  for (int i = 0; i < 64; i++) bad += out[i] != 3 + 2 * i;
  APP_CHECK(!bad);
  APP_CHECK(lin == 3 + 128);
}
static void single_sections(void) {
  int s = 0, sec[3] = {0}, master = 0, masked = 0, nt = 0;
#pragma omp target map(tofrom : s, sec, master, masked, nt)
  {
#pragma omp parallel num_threads(32)
    {
#pragma omp single
      {
        s += 10;
        nt = omp_get_num_threads();
      }
#pragma omp sections
      {
#pragma omp section
        sec[0] = 1;
#pragma omp section
        sec[1] = 2;
#pragma omp section
        sec[2] = 3;
      }
#pragma omp master
      master++;
#pragma omp masked filter(1)
      masked += omp_get_thread_num() + 1;
    }
  }
  APP_CHECK(s == 10);
  APP_CHECK(sec[0] == 1 && sec[1] == 2 && sec[2] == 3);
  APP_CHECK(master == 1);
  APP_CHECK(masked == (nt > 1 ? 2 : 0));
}
static void loop_bind(void) {
  float a[N];
  double sum = 0;
#pragma omp target teams loop map(from : a)
  for (int i = 0; i < N; i++) a[i] = i * 0.5f;
#pragma omp target teams loop reduction(+ : sum) map(to : a)
  for (int i = 0; i < N; i++) sum += a[i];
  APP_CHECK(sum == 0.5 * N * (N - 1) / 2);
}
static void minmax_struct(void) {
  typedef struct {
    int i;
    double v;
  } pair;
  pair best = {-1, -1e30};
#pragma omp declare reduction(maxloc:pair                                                          \
                              : omp_out = omp_in.v > omp_out.v ||                                  \
                                                  (omp_in.v == omp_out.v && omp_in.i < omp_out.i)  \
                                              ? omp_in                                             \
                                              : omp_out) initializer(omp_priv = {-1, -1e30})
#pragma omp target teams distribute parallel for reduction(maxloc : best) map(tofrom : best)
  for (int i = 0; i < N; i++) {
    double v = sin(i * 0.37);
    if (v > best.v) best = (pair){i, v};
  }
  pair want = {-1, -1e30};
  for (int i = 0; i < N; i++) {
    double v = sin(i * 0.37);
    if (v > want.v) want = (pair){i, v};
  }
  APP_CHECK(best.i == want.i && fabs(best.v - want.v) < 1e-14);
}
static void cplx(void) {
  double complex s = 0;
  double re[N], im[N];
  for (int i = 0; i < N; i++) re[i] = i, im[i] = N - i;
  double sr = 0, si = 0;
#pragma omp target teams distribute parallel for reduction(+ : sr, si) map(to : re, im)
  for (int i = 0; i < N; i++) {
    double complex z = re[i] + I * im[i];
    z = z * z;
    sr += __real__ z;
    si += __imag__ z;
  }
  for (int i = 0; i < N; i++) {
    double complex z = re[i] + I * im[i];
    s += z * z;
  }
  APP_CHECK(fabs(sr - creal(s)) < 1e-6 && fabs(si - cimag(s)) < 1e-6);
}
static void bits(void) {
  unsigned a[N];
  unsigned long long orr = 0, andd = ~0ull, xorr = 0;
  int land = 1, lor = 0;
  for (int i = 0; i < N; i++) a[i] = i * 2654435761u;
#pragma omp target teams distribute parallel for reduction(| : orr) reduction(& : andd) reduction(^ : xorr) reduction(&& : land) reduction(|| : lor) map(to : a)
  for (int i = 0; i < N; i++) {
    orr |= __builtin_popcount(a[i]);
    andd &= a[i] | 0xf0;
    xorr ^= __builtin_bitreverse32(a[i]);
    land = land && a[i] != 77;
    lor = lor || __builtin_clz(a[i] | 1) == 31;
  }
  unsigned long long o = 0, n = ~0ull, x = 0;
  int l = 1, m = 0;
  for (int i = 0; i < N; i++) {
    o |= __builtin_popcount(a[i]);
    n &= a[i] | 0xf0;
    x ^= __builtin_bitreverse32(a[i]);
    l = l && a[i] != 77;
    m = m || __builtin_clz(a[i] | 1) == 31;
  }
  APP_CHECK(o == orr && n == andd && x == xorr && l == land && m == lor);
}
APP(constructs) {
  plain_atomic();
  collapse3();
  lastpriv();
  single_sections();
  loop_bind();
  minmax_struct();
  cplx();
  bits();
  return app_failures;
}
