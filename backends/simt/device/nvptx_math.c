/* Floating-point intrinsics of CUDA's libdevice (PTX ISA). Approximate functions return exact
 * results, and .ftz does not flush subnormal numbers. */
#include "backends/simt/device/self.h"

typedef int32_t s32;
typedef int64_t s64;

/* rounding bits of the MXCSR register */
enum { RN = 0, RM = 1 << 13, RP = 2 << 13, RZ = 3 << 13, ROUNDING = 3 << 13 };

static inline u32 round_by(u32 mode) {
  u32 before, now;
  __asm__ volatile("stmxcsr %0" : "=m"(before));
  now = (before & ~(u32)ROUNDING) | mode;
  __asm__ volatile("ldmxcsr %0" : : "m"(now) : "memory");
  return before;
}

static inline void round_again(u32 before) {
  __asm__ volatile("ldmxcsr %0" : : "m"(before) : "memory");
}

/* The volatile variables keep the operation between the two changes of the rounding mode. */
#define ROUNDED(name, suffix, type, of, parameters, copies, expression, mode)                      \
  SIMT_INTRINSIC type simt_nvvm_##name##_##suffix parameters {                                     \
    copies;                                                                                        \
    u32 before = round_by(mode);                                                                   \
    volatile type result = (type)(expression);                                                     \
    round_again(before);                                                                           \
    return result;                                                                                 \
  }
#define FOUR(XX, ...)                                                                              \
  XX(rn, RN, __VA_ARGS__) XX(rz, RZ, __VA_ARGS__) XX(rm, RM, __VA_ARGS__) XX(rp, RP, __VA_ARGS__)

#define ONE(r, mode, name, letter, type, in, expression)                                           \
  ROUNDED(name##_##r, letter, type, in, (in x_), volatile in x = x_, expression, mode)
#define TWO(r, mode, name, letter, type, in, expression)                                           \
  ROUNDED(name##_##r, letter, type, in, (in x_, in y_), volatile in x = x_;                        \
          volatile in y = y_, expression, mode)
#define THREE(r, mode, name, letter, type, in, expression)                                         \
  ROUNDED(name##_##r, letter, type, in, (in x_, in y_, in z_), volatile in x = x_;                 \
          volatile in y = y_; volatile in z = z_, expression, mode)

FOUR(TWO, add, f, float, float, x + y)
FOUR(TWO, add, ftz_f, float, float, x + y)
FOUR(TWO, add, d, double, double, x + y)
FOUR(TWO, mul, f, float, float, x *y)
FOUR(TWO, mul, ftz_f, float, float, x *y)
FOUR(TWO, mul, d, double, double, x *y)
FOUR(TWO, div, f, float, float, x / y)
FOUR(TWO, div, ftz_f, float, float, x / y)
FOUR(TWO, div, d, double, double, x / y)
FOUR(ONE, rcp, f, float, float, 1 / x)
FOUR(ONE, rcp, ftz_f, float, float, 1 / x)
FOUR(ONE, rcp, d, double, double, 1 / x)
FOUR(ONE, sqrt, f, float, float, __builtin_sqrtf(x))
FOUR(ONE, sqrt, ftz_f, float, float, __builtin_sqrtf(x))
FOUR(ONE, sqrt, d, double, double, __builtin_sqrt(x))
FOUR(THREE, fma, f, float, float, __builtin_fmaf(x, y, z))
FOUR(THREE, fma, ftz_f, float, float, __builtin_fmaf(x, y, z))
FOUR(THREE, fma, d, double, double, __builtin_fma(x, y, z))

/* libdevice has subtraction only as inline assembly (rewrite.awk) */
#define SUB(r, mode, letter, type)                                                                 \
  ROUNDED(sub_##r, letter, type, type, (type x_, type y_), volatile type x = x_;                   \
          volatile type y = y_, x - y, mode)
FOUR(SUB, f32, float)
FOUR(SUB, f64, double)

#define CONVERT(r, mode, name, type, in)                                                           \
  SIMT_INTRINSIC type simt_nvvm_##name##_##r(in x_) {                                              \
    volatile in x = x_;                                                                            \
    u32 before = round_by(mode);                                                                   \
    volatile type result = (type)x;                                                                \
    round_again(before);                                                                           \
    return result;                                                                                 \
  }                                                                                                \
  SIMT_INTRINSIC type simt_nvvm_##name##_##r##_ftz(in x) {                                         \
    return simt_nvvm_##name##_##r(x);                                                              \
  }
FOUR(CONVERT, d2f, float, double)
FOUR(CONVERT, i2f, float, s32)
FOUR(CONVERT, ui2f, float, u32)
FOUR(CONVERT, ll2f, float, s64)
FOUR(CONVERT, ull2f, float, u64)
FOUR(CONVERT, i2d, double, s32)
FOUR(CONVERT, ui2d, double, u32)
FOUR(CONVERT, ll2d, double, s64)
FOUR(CONVERT, ull2d, double, u64)

/* Conversions to integers saturate. NaN converts to 0 (32 bits) or to the top bit alone (64 bits). */
#define TO_INTEGER(r, round, name, type, in, low, high, limit, nan)                                \
  SIMT_INTRINSIC type simt_nvvm_##name##_##r(in x) {                                               \
    double y = round((double)x);                                                                   \
    return y != y ? (type)(nan) : y < (low) ? (type)(low) : y >= (limit) ? (type)(high) : (type)y; \
  }                                                                                                \
  SIMT_INTRINSIC type simt_nvvm_##name##_##r##_ftz(in x) {                                         \
    return simt_nvvm_##name##_##r(x);                                                              \
  }
#define ALL_TO(name, type, in, low, high, limit, nan)                                              \
  TO_INTEGER(rn, __builtin_rint, name, type, in, low, high, limit, nan)                            \
  TO_INTEGER(rz, __builtin_trunc, name, type, in, low, high, limit, nan)                           \
  TO_INTEGER(rm, __builtin_floor, name, type, in, low, high, limit, nan)                           \
  TO_INTEGER(rp, __builtin_ceil, name, type, in, low, high, limit, nan)
ALL_TO(d2i, s32, double, -0x1p31, INT32_MAX, 0x1p31, 0)
ALL_TO(f2i, s32, float, -0x1p31, INT32_MAX, 0x1p31, 0)
ALL_TO(d2ui, u32, double, 0.0, UINT32_MAX, 0x1p32, 0)
ALL_TO(f2ui, u32, float, 0.0, UINT32_MAX, 0x1p32, 0)
ALL_TO(d2ll, s64, double, -0x1p63, INT64_MAX, 0x1p63, INT64_MIN)
ALL_TO(f2ll, s64, float, -0x1p63, INT64_MAX, 0x1p63, INT64_MIN)
ALL_TO(d2ull, u64, double, 0.0, UINT64_MAX, 0x1p64, UINT64_C(1) << 63)
ALL_TO(f2ull, u64, float, 0.0, UINT64_MAX, 0x1p64, UINT64_C(1) << 63)

typedef union bits {
  double d;
  u64 u;
} bits;

SIMT_INTRINSIC double simt_nvvm_lohi_i2d(u32 low, u32 high) {
  return (bits){.u = (u64)high << 32 | low}.d;
}
SIMT_INTRINSIC u32 simt_nvvm_d2i_lo(double x) {
  return (u32)(bits){.d = x}.u;
}
SIMT_INTRINSIC u32 simt_nvvm_d2i_hi(double x) {
  return (u32)((bits){.d = x}.u >> 32);
}

#define EXACT_1(name, f_of, d_of)                                                                  \
  SIMT_INTRINSIC float simt_nvvm_##name##_f(float x) {                                             \
    return f_of(x);                                                                                \
  }                                                                                                \
  SIMT_INTRINSIC float simt_nvvm_##name##_ftz_f(float x) {                                         \
    return f_of(x);                                                                                \
  }                                                                                                \
  SIMT_INTRINSIC double simt_nvvm_##name##_d(double x) {                                           \
    return d_of(x);                                                                                \
  }
#define EXACT_2(name, f_of, d_of)                                                                  \
  SIMT_INTRINSIC float simt_nvvm_##name##_f(float x, float y) {                                    \
    return f_of(x, y);                                                                             \
  }                                                                                                \
  SIMT_INTRINSIC float simt_nvvm_##name##_ftz_f(float x, float y) {                                \
    return f_of(x, y);                                                                             \
  }                                                                                                \
  SIMT_INTRINSIC double simt_nvvm_##name##_d(double x, double y) {                                 \
    return d_of(x, y);                                                                             \
  }
EXACT_1(floor, __builtin_floorf, __builtin_floor)
EXACT_1(ceil, __builtin_ceilf, __builtin_ceil)
EXACT_1(trunc, __builtin_truncf, __builtin_trunc)
EXACT_1(round, __builtin_rintf, __builtin_rint) /* .rni: ties to even */
EXACT_1(fabs, __builtin_fabsf, __builtin_fabs)
/* LLVM 22's names */
SIMT_INTRINSIC float simt_nvvm_fabs_f32(float x) {
  return __builtin_fabsf(x);
}
SIMT_INTRINSIC float simt_nvvm_fabs_ftz_f32(float x) {
  return __builtin_fabsf(x);
}
SIMT_INTRINSIC double simt_nvvm_fabs_f64(double x) {
  return __builtin_fabs(x);
}

/* If one operand is NaN, the result is the other operand. */
#define LEAST(x, y) ((x) != (x) ? (y) : (y) != (y) || (x) < (y) ? (x) : (y))
#define MOST(x, y)  ((x) != (x) ? (y) : (y) != (y) || (x) > (y) ? (x) : (y))
EXACT_2(fmin, LEAST, LEAST)
EXACT_2(fmax, MOST, MOST)

#define QUOTIENT(x, y)  ((x) / (y))
#define INVERSE(x)      (1 / (x))
#define INVERSE_SQRT(x) (1 / __builtin_sqrt(x))
#define CLAMP(x)        ((x) > 0 ? (x) < 1 ? (x) : 1 : 0)
EXACT_2(div_approx, QUOTIENT, QUOTIENT)
EXACT_1(rcp_approx, INVERSE, INVERSE)
EXACT_1(rsqrt_approx, (float)INVERSE_SQRT, INVERSE_SQRT)
EXACT_1(sqrt_approx, __builtin_sqrtf, __builtin_sqrt)
EXACT_1(saturate, CLAMP, CLAMP)
SIMT_INTRINSIC float simt_nvvm_sqrt_f(float x) {
  return __builtin_sqrtf(x);
}
SIMT_INTRINSIC double simt_nvvm_rcp_approx_ftz_d(double x) {
  return 1 / x;
}
SIMT_INTRINSIC double simt_nvvm_rsqrt_approx_ftz_d(double x) {
  return 1 / __builtin_sqrt(x);
}

#define BY_HOST(name, which)                                                                       \
  SIMT_INTRINSIC float simt_nvvm_##name##_approx_f(float x) {                                      \
    return (float)simt_self()->calls->math(which, x, 0);                                           \
  }                                                                                                \
  SIMT_INTRINSIC float simt_nvvm_##name##_approx_ftz_f(float x) {                                  \
    return (float)simt_self()->calls->math(which, x, 0);                                           \
  }
BY_HOST(ex2, SIMT_MATH_exp2)
BY_HOST(lg2, SIMT_MATH_log2)
BY_HOST(sin, SIMT_MATH_sin)
BY_HOST(cos, SIMT_MATH_cos)
SIMT_INTRINSIC float simt_nvvm_ex2_approx_f32(float x) {
  return simt_nvvm_ex2_approx_f(x);
}
SIMT_INTRINSIC float simt_nvvm_ex2_approx_ftz_f32(float x) {
  return simt_nvvm_ex2_approx_f(x);
}
SIMT_INTRINSIC float simt_nvvm_tanh_approx_f32(float x) {
  return (float)simt_self()->calls->math(SIMT_MATH_tanh, x, 0);
}
SIMT_INTRINSIC double simt_nvvm_ex2_approx_d(double x) {
  return simt_self()->calls->math(SIMT_MATH_exp2, x, 0);
}
SIMT_INTRINSIC double simt_nvvm_lg2_approx_d(double x) {
  return simt_self()->calls->math(SIMT_MATH_log2, x, 0);
}

SIMT_INTRINSIC unsigned short simt_nvvm_f2h_rn(float x) {
  _Float16 half = (_Float16)x;
  unsigned short bits;
  __builtin_memcpy(&bits, &half, sizeof bits);
  return bits;
}
SIMT_INTRINSIC unsigned short simt_nvvm_f2h_rn_ftz(float x) {
  return simt_nvvm_f2h_rn(x);
}

SIMT_INTRINSIC s32 simt_nvvm_mulhi_i(s32 a, s32 b) {
  return (s32)((s64)a * b >> 32);
}
SIMT_INTRINSIC u32 simt_nvvm_mulhi_ui(u32 a, u32 b) {
  return (u32)((u64)a * b >> 32);
}
SIMT_INTRINSIC s64 simt_nvvm_mulhi_ll(s64 a, s64 b) {
  return (s64)((__int128)a * b >> 64);
}
SIMT_INTRINSIC u64 simt_nvvm_mulhi_ull(u64 a, u64 b) {
  return (u64)((unsigned __int128)a * b >> 64);
}
SIMT_INTRINSIC u32 simt_nvvm_sad_i(s32 a, s32 b, u32 c) {
  return c + (a < b ? (u32)b - (u32)a : (u32)a - (u32)b);
}
SIMT_INTRINSIC u32 simt_nvvm_sad_ui(u32 a, u32 b, u32 c) {
  return c + (a < b ? b - a : a - b);
}
/* Selects four of eight bytes. If the top bit of a selector is set, the result byte is eight copies
 * of the selected byte's sign bit. */
SIMT_INTRINSIC u32 simt_nvvm_prmt(u32 a, u32 b, u32 choices) {
  u64 bytes = (u64)b << 32 | a;
  u32 result = 0;
  for (int i = 0; i < 4; i++) {
    u32 choice = choices >> 4 * i & 15, byte = (u32)(bytes >> 8 * (choice & 7)) & 255;
    if (choice & 8) byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * i;
  }
  return result;
}
