/* Mathematical functions under the names of libdevice and C, for images without the vendor's
 * library. float functions compute in double. Source: CUDA's libdevice user's guide. */
#include "backends/simt/device/self.h"

static double host(simt_function function, double x, double y) {
  return simt_self()->calls->math(function, x, y);
}

/* C's names are SIMT_KEPT: the code generator calls them for LLVM's intrinsics. */
#define NAMED_1(stands, name, type, expression)                                                    \
  stands type name(type argument) {                                                                \
    double x = argument;                                                                           \
    return (type)(expression);                                                                     \
  }
#define NAMED_2(stands, name, type, expression)                                                    \
  stands type name(type first, type second) {                                                      \
    double x = first, y = second;                                                                  \
    return (type)(expression);                                                                     \
  }
#define BOTH_1(name, expression)                                                                   \
  NAMED_1(SIMT_INTRINSIC, __nv_##name, double, expression)                                         \
  NAMED_1(SIMT_INTRINSIC, __nv_##name##f, float, expression)                                       \
  NAMED_1(SIMT_KEPT, name, double, expression)                                                     \
  NAMED_1(SIMT_KEPT, name##f, float, expression)
#define BOTH_2(name, expression)                                                                   \
  NAMED_2(SIMT_INTRINSIC, __nv_##name, double, expression)                                         \
  NAMED_2(SIMT_INTRINSIC, __nv_##name##f, float, expression)                                       \
  NAMED_2(SIMT_KEPT, name, double, expression)                                                     \
  NAMED_2(SIMT_KEPT, name##f, float, expression)

#define XX(name) BOTH_1(name, host(SIMT_MATH_##name, x, 0))
SOLO_SIMT_FUNCTIONS_1(XX)
#undef XX
#define XX(name) BOTH_2(name, host(SIMT_MATH_##name, x, y))
SOLO_SIMT_FUNCTIONS_2(XX)
#undef XX

#define PI 3.14159265358979323846
BOTH_1(exp10, host(SIMT_MATH_pow, 10, x))
BOTH_1(sinpi, host(SIMT_MATH_sin, PI *host(SIMT_MATH_fmod, x, 2), 0))
BOTH_1(cospi, host(SIMT_MATH_cos, PI *host(SIMT_MATH_fmod, x, 2), 0))
BOTH_1(rsqrt, 1 / __builtin_sqrt(x))
BOTH_1(sqrt, __builtin_sqrt(x))
BOTH_1(fabs, __builtin_fabs(x))
BOTH_1(floor, __builtin_floor(x))
BOTH_1(ceil, __builtin_ceil(x))
BOTH_1(trunc, __builtin_trunc(x))
BOTH_1(rint, __builtin_rint(x))
BOTH_1(nearbyint, __builtin_rint(x))
BOTH_1(round, __builtin_copysign(__builtin_floor(__builtin_fabs(x) + 0.5), x))
BOTH_2(copysign, __builtin_copysign(x, y))
BOTH_2(fmax, x != x ? y : y != y || x > y ? x : y)
BOTH_2(fmin, x != x ? y : y != y || x < y ? x : y)
BOTH_2(fdim, x > y ? x - y : x <= y ? 0 : x + y)
SIMT_INTRINSIC double __nv_fma(double x, double y, double z) {
  return __builtin_fma(x, y, z);
}
SIMT_KEPT double fma(double x, double y, double z) {
  return __builtin_fma(x, y, z);
}
SIMT_KEPT float fmaf(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
SIMT_INTRINSIC float __nv_fmaf(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}

static double power_of_2(int n) {
  union {
    u64 u;
    double d;
  } bits = {.u = (u64)(1023 + n) << 52};
  return bits.d;
}
static double scaled(double x, int n) {
  for (int i = 0; i < 3 && n > 1023; i++) x *= 0x1p1023, n -= 1023;
  for (int i = 0; i < 3 && n < -1022; i++)
    x *= 0x1p-969, n += 969; /* only the last product can be rounded */
  return x * power_of_2(n > 1023 ? 1023 : n < -1022 ? -1022 : n);
}
#define SCALED(stands, name, type)                                                                 \
  stands type name(type x, int n) {                                                                \
    return (type)scaled(x, n);                                                                     \
  }
SCALED(SIMT_INTRINSIC, __nv_ldexp, double)
SCALED(SIMT_INTRINSIC, __nv_ldexpf, float)
SCALED(SIMT_KEPT, ldexp, double)
SCALED(SIMT_KEPT, ldexpf, float)
/* x = fraction * 2^exponent with 1/2 <= |fraction| < 1. Returns the fraction. Returns 0, infinities
 * and NaN unchanged. */
static double split(double x, int *exponent) {
  *exponent = 0;
  if (x == 0 || x != x || __builtin_isinf(x)) return x;
  if (__builtin_fabs(x) < 0x1p-1022) x *= 0x1p54, *exponent = -54; /* subnormal */
  union {
    double d;
    u64 u;
  } bits = {.d = x};
  *exponent += (int)(bits.u >> 52 & 0x7ff) - 1022;
  bits.u = (bits.u & ~((u64)0x7ff << 52)) | (u64)1022 << 52;
  return bits.d;
}
#define SPLIT(stands, name, type)                                                                  \
  stands type name(type x, int *exponent) {                                                        \
    return (type)split(x, exponent);                                                               \
  }
SPLIT(SIMT_INTRINSIC, __nv_frexp, double)
SPLIT(SIMT_INTRINSIC, __nv_frexpf, float)
SPLIT(SIMT_KEPT, frexp, double)
SPLIT(SIMT_KEPT, frexpf, float)
SIMT_INTRINSIC double __nv_powi(double x, int n) {
  return host(SIMT_MATH_pow, x, n);
}
SIMT_INTRINSIC float __nv_powif(float x, int n) {
  return (float)host(SIMT_MATH_pow, x, n);
}
#define SINE_AND_COSINE(stands, name, type)                                                        \
  stands void name(type x, type *sine, type *cosine) {                                             \
    *sine = (type)host(SIMT_MATH_sin, x, 0);                                                       \
    *cosine = (type)host(SIMT_MATH_cos, x, 0);                                                     \
  }
SINE_AND_COSINE(SIMT_INTRINSIC, __nv_sincos, double)
SINE_AND_COSINE(SIMT_INTRINSIC, __nv_sincosf, float)
SINE_AND_COSINE(SIMT_KEPT, sincos, double)
SINE_AND_COSINE(SIMT_KEPT, sincosf, float)
SIMT_INTRINSIC int __nv_abs(int x) {
  return x < 0 ? -x : x;
}
SIMT_INTRINSIC int64_t __nv_llabs(int64_t x) {
  return x < 0 ? -x : x;
}
SIMT_INTRINSIC int64_t __nv_llrint(double x) {
  return (int64_t)__builtin_rint(x);
}
SIMT_INTRINSIC int64_t __nv_llround(double x) {
  return (int64_t)__nv_round(x);
}
SIMT_INTRINSIC int __nv_isnand(double x) {
  return x != x;
}
SIMT_INTRINSIC int __nv_isnanf(float x) {
  return x != x;
}
SIMT_INTRINSIC int __nv_isinfd(double x) {
  return __builtin_isinf(x);
}
SIMT_INTRINSIC int __nv_isinff(float x) {
  return __builtin_isinf(x);
}
SIMT_INTRINSIC int __nv_finitef(float x) {
  return __builtin_isfinite(x);
}
SIMT_INTRINSIC int __nv_isfinited(double x) {
  return __builtin_isfinite(x);
}
SIMT_INTRINSIC int __nv_signbitd(double x) {
  return __builtin_signbit(x);
}
SIMT_INTRINSIC int __nv_signbitf(float x) {
  return __builtin_signbit(x);
}
