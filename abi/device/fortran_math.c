/* Numeric functions of Fortran's library, and complex division, which LLVM's GPU back ends lack. */
#include "fortran.h"

FORTRAN(double, ModReal8, double a, double p, const char *file, i32 line) {
  (void)file, (void)line;
  return __builtin_fmod(a, p);
}
FORTRAN(float, ModReal4, float a, float p, const char *file, i32 line) {
  (void)file, (void)line;
  return __builtin_fmodf(a, p);
}
FORTRAN(double, ModuloReal8, double a, double p, const char *file, i32 line) {
  (void)file, (void)line;
  double rest = __builtin_fmod(a, p);
  return rest != 0 && (rest < 0) != (p < 0) ? rest + p : rest;
}
FORTRAN(float, ModuloReal4, float a, float p, const char *file, i32 line) {
  (void)file, (void)line;
  float rest = __builtin_fmodf(a, p);
  return rest != 0 && (rest < 0) != (p < 0) ? rest + p : rest;
}

/* Splits x = f * 2**exponent with 0.5 <= f < 1. Returns the exponent; *fraction: f. */
static i32 split(double x, double *fraction) {
  i32 exponent = 0;
  *fraction = x;
  if (x == 0 || x - x != 0) return 0;
  for (; *fraction >= 1 || *fraction <= -1; exponent++) *fraction *= 0.5;
  for (; *fraction < 0.5 && *fraction > -0.5; exponent--) *fraction *= 2;
  return exponent;
}

/* Returns 2**exponent for -1022 <= exponent <= 1023. */
static double power_of_2(i64 exponent) {
  u64 bits = (u64)(exponent + 1023) << 52;
  double power;
  __builtin_memcpy(&power, &bits, sizeof power);
  return power;
}

/* Returns x * 2**by. Only the last product is rounded: if an earlier product is subnormal, the result is 0. */
static double scale(double x, i64 by) {
  enum { UP = 1023, DOWN = -969 };
  for (i32 i = 0; i < 3 && by > UP; i++, by -= UP) x *= power_of_2(UP);
  for (i32 i = 0; i < 3 && by < -1022; i++, by -= DOWN) x *= power_of_2(DOWN);
  return x * power_of_2(by > UP ? UP : by < -1022 ? -1022 : by);
}

static i32 exponent_of(double x) {
  double fraction;
  return x - x != 0 ? 0x7fffffff : split(x, &fraction);
}

FORTRAN(i32, Exponent8_4, double x) {
  return exponent_of(x);
}
FORTRAN(i32, Exponent4_4, float x) {
  return exponent_of(x);
}
FORTRAN(double, Fraction8, double x) {
  double fraction;
  split(x, &fraction);
  return x - x != 0 ? __builtin_nan("") : fraction;
}
FORTRAN(float, Fraction4, float x) {
  double fraction;
  split(x, &fraction);
  return x - x != 0 ? __builtin_nanf("") : (float)fraction;
}
FORTRAN(double, Scale8, double x, i64 by) {
  return scale(x, by);
}
FORTRAN(float, Scale4, float x, i64 by) {
  return (float)scale(x, by);
}
FORTRAN(double, Spacing8, double x) {
  double fraction, least = __DBL_MIN__;
  if (x - x != 0) return __builtin_nan("");
  i32 exponent = split(x, &fraction) - 53;
  return x == 0 || exponent < -1022 ? least : power_of_2(exponent);
}
FORTRAN(float, Spacing4, float x) {
  double fraction;
  if (x - x != 0) return __builtin_nanf("");
  i32 exponent = split(x, &fraction) - 24;
  return x == 0 || exponent < -126 ? __FLT_MIN__ : (float)power_of_2(exponent);
}

FORTRAN(double, RRSpacing8, double x) {
  double fraction;
  split(x, &fraction);
  return x - x != 0 ? __builtin_nan("") : __builtin_fabs(fraction) * 0x1p53;
}
FORTRAN(float, RRSpacing4, float x) {
  double fraction;
  split(x, &fraction);
  return x - x != 0 ? __builtin_nanf("") : (float)(__builtin_fabs(fraction) * 0x1p24);
}
FORTRAN(double, SetExponent8, double x, i64 exponent) {
  double fraction;
  split(x, &fraction);
  return x - x != 0 ? __builtin_nan("") : scale(fraction, exponent);
}
FORTRAN(float, SetExponent4, float x, i64 exponent) {
  double fraction;
  split(x, &fraction);
  return x - x != 0 ? __builtin_nanf("") : (float)scale(fraction, exponent);
}

FORTRAN(i32, MapException, i32 exceptions) {
  return exceptions;
}
FORTRAN(void, feraiseexcept, i32 exceptions) {
  (void)exceptions;
}

#ifdef __NVPTX__
#define BUILT_IN(name) __nv_##name
#else
#define BUILT_IN(name) __ocml_##name##_f64
#endif
double BUILT_IN(erfcx)(double x);
double BUILT_IN(j0)(double x);
double BUILT_IN(j1)(double x);
double BUILT_IN(y0)(double x);
double BUILT_IN(y1)(double x);

FORTRAN(double, ErfcScaled8, double x) {
  return BUILT_IN(erfcx)(x);
}
FORTRAN(float, ErfcScaled4, float x) {
  return (float)BUILT_IN(erfcx)(x);
}

/* downwards if n > x */
static double bessel_j(i32 n, double x) {
  i32 order = n < 0 ? -n : n, sign = n < 0 && order % 2 ? -1 : 1;
  double size = __builtin_fabs(x), older, old, sum = 0, result = 0;
  if (order == 0) return BUILT_IN(j0)(x);
  if (x < 0 && order % 2) sign = -sign;
  if (size == 0) return 0;
  if (order <= size) {
    older = BUILT_IN(j0)(size), old = BUILT_IN(j1)(size);
    for (i32 k = 1; k < order; k++) {
      double next = 2 * k / size * old - older;
      older = old, old = next;
    }
    return sign * old;
  }
  older = 0, old = 1e-300;
  for (i32 k = 2 * ((order + 40 + (i32)__builtin_sqrt(40.0 * order)) / 2); k > 0; k--) {
    double next = 2 * k / size * old - older;
    older = old, old = next;
    if (old > 1e150 || old < -1e150)
      older *= 1e-150, old *= 1e-150, sum *= 1e-150, result *= 1e-150;
    if (k - 1 == order) result = old;
    if (k % 2) sum += k == 1 ? old : 2 * old;
  }
  return sign * result / sum;
}

static double bessel_y(i32 n, double x) {
  i32 order = n < 0 ? -n : n, sign = n < 0 && order % 2 ? -1 : 1;
  double older = BUILT_IN(y0)(x), old = BUILT_IN(y1)(x);
  if (order == 0) return older;
  for (i32 k = 1; k < order && old - old == 0; k++) {
    double next = 2 * k / x * old - older;
    older = old, old = next;
  }
  return sign * old;
}

FORTRAN(double, BesselJ8, i32 n, double x) {
  return bessel_j(n, x);
}
FORTRAN(float, BesselJ4, i32 n, float x) {
  return (float)bessel_j(n, x);
}
FORTRAN(double, BesselY8, i32 n, double x) {
  return bessel_y(n, x);
}
FORTRAN(float, BesselY4, i32 n, float x) {
  return (float)bessel_y(n, x);
}

/* for llvm.lround.* (solo-fc) */
static i64 nearest(double x) {
  double whole = (double)(i64)x;
  if (x - whole >= 0.5) return (i64)x + 1;
  return whole - x >= 0.5 ? (i64)x - 1 : (i64)x;
}

FORTRAN(i64, Round8_8, double x) {
  return nearest(x);
}
FORTRAN(i64, Round8_4, float x) {
  return nearest(x);
}
FORTRAN(i32, Round4_8, double x) {
  return (i32)nearest(x);
}
FORTRAN(i32, Round4_4, float x) {
  return (i32)nearest(x);
}

/* Divides both operands by the larger part of the divisor, so that no square overflows (Smith,
 * 1962). */
#define DIVISION(name, type)                                                                       \
  CALLED type _Complex name(type a, type b, type c, type d);                                       \
  type _Complex name(type a, type b, type c, type d) {                                             \
    type _Complex q;                                                                               \
    type c_size = c < 0 ? -c : c, d_size = d < 0 ? -d : d;                                         \
    if (c_size >= d_size) {                                                                        \
      type ratio = d / c, all = c + d * ratio;                                                     \
      __real__ q = (a + b * ratio) / all;                                                          \
      __imag__ q = (b - a * ratio) / all;                                                          \
    } else {                                                                                       \
      type ratio = c / d, all = c * ratio + d;                                                     \
      __real__ q = (a * ratio + b) / all;                                                          \
      __imag__ q = (b * ratio - a) / all;                                                          \
    }                                                                                              \
    return q;                                                                                      \
  }
DIVISION(__divdc3, double)
DIVISION(__divsc3, float)
