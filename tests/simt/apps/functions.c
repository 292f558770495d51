/* The vendor's mathematical functions equal the host's. */
#include "app.h"

enum { N = 40, FUNCTIONS = 29 };

static double f(double x, int k) {
  switch (k) {
  case 0:
    return sin(x);
  case 1:
    return cos(x);
  case 2:
    return exp(x);
  case 3:
    return log(x + 1);
  case 4:
    return pow(x, 1.7);
  case 5:
    return sqrt(x);
  case 6:
    return atan2(x, 2);
  case 7:
    return tanh(x);
  case 8:
    return erf(x);
  case 9:
    return cbrt(x);
  case 10:
    return hypot(x, 3);
  case 11:
    return fmod(x, 0.7);
  case 12:
    return floor(x);
  case 13:
    return tgamma(x + 1);
  case 14:
    return lgamma(x + 1);
  case 15:
    return log1p(x);
  case 16:
    return expm1(x);
  case 17:
    return sinf((float)x);
  case 18:
    return expf((float)x);
  case 19:
    return asinh(x);
  case 20:
    return exp2(x);
  case 21:
    return log2(x + 1);
  case 22:
    return log10(x + 1);
  case 23:
    return round(x);
  case 24:
    return fma(x, x, 1);
  case 25:
    return tan(x);
  case 26:
    return powf((float)x, 2.5f);
  case 27:
    return sin(x * 1e8);
  default:
    return logf((float)x + 1);
  }
}
static int is_float(int k) {
  return k == 17 || k == 18 || k == 26 || k == 28;
}

APP(functions) {
  static double on[FUNCTIONS][N], off[N];
  int wrong = 0;
#pragma omp target teams distribute parallel for collapse(2) map(from : on)
  for (int k = 0; k < FUNCTIONS; k++)
    for (int i = 0; i < N; i++) on[k][i] = f(i * 0.1, k);
  for (int k = 0; k < FUNCTIONS; k++) {
    for (int i = 0; i < N; i++) off[i] = f(i * 0.1, k);
    wrong += app_differ(on[k], off, N, is_float(k) ? 1e-6 : 1e-13);
  }
  return wrong;
}
