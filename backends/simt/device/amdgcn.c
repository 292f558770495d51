/* Intrinsics of AMDGCN (llvm.amdgcn.*), from LLVM's AMDGPU usage guide and AMD's instruction set
 * documents. */
#include "backends/simt/device/self.h"

#define DIMENSIONS(name, field)                                                                    \
  SIMT_INLINED u32 simt_amdgcn_##name##_x(void) {                                                  \
    return simt_self()->field[0];                                                                  \
  }                                                                                                \
  SIMT_INLINED u32 simt_amdgcn_##name##_y(void) {                                                  \
    return simt_self()->field[1];                                                                  \
  }                                                                                                \
  SIMT_INLINED u32 simt_amdgcn_##name##_z(void) {                                                  \
    return simt_self()->field[2];                                                                  \
  }
DIMENSIONS(workitem_id, thread)
DIMENSIONS(workgroup_id, block)

SIMT_INLINED const void *simt_amdgcn_dispatch_ptr(void) {
  return simt_self()->packet;
}
SIMT_INLINED const void *simt_amdgcn_implicitarg_ptr(void) {
  return simt_self()->implicit;
}
SIMT_INLINED u32 simt_amdgcn_wavefrontsize(void) {
  return simt_self()->warp_size;
}
SIMT_INLINED u32 simt_amdgcn_groupstaticsize(void) {
  return 0;
}

SIMT_INLINED void simt_amdgcn_s_barrier(void) {
  simt_self()->calls->barrier(0, 0);
}
SIMT_INLINED void simt_amdgcn_wave_barrier(void) {
  simt_self()->calls->collect(SIMT_SYNC, 0, 0, 0);
}
SIMT_INLINED void simt_amdgcn_sched_barrier(u32 mask) {
  (void)mask;
}
SIMT_INLINED void simt_amdgcn_s_waitcnt(u32 counts) {
  (void)counts;
}
SIMT_INLINED void simt_amdgcn_s_sleep(u32 clocks) {
  (void)clocks;
  simt_self()->calls->yield();
}
SIMT_INLINED void simt_amdgcn_endpgm(void) {
  simt_self()->calls->stop(SIMT_STOP_EXIT, 0);
}
/* counts at 100 MHz */
SIMT_INLINED u64 simt_amdgcn_s_memrealtime(void) {
  return simt_self()->calls->clock_ns() / 10;
}
SIMT_INLINED u64 simt_amdgcn_s_memtime(void) {
  return simt_self()->calls->clock_ns();
}
/* MSG_RTN_GET_REALTIME is the only supported message */
SIMT_INLINED u64 simt_amdgcn_s_sendmsg_rtn_i64(u32 message) {
  (void)message;
  return simt_self()->calls->clock_ns() / 10;
}

SIMT_INLINED u32 simt_amdgcn_mbcnt_lo(u32 mask, u32 base) {
  u32 lane = simt_self()->lane;
  return base + (u32)__builtin_popcount(lane >= 32 ? mask : mask & ((1u << lane) - 1));
}
SIMT_INLINED u32 simt_amdgcn_mbcnt_hi(u32 mask, u32 base) {
  u32 lane = simt_self()->lane;
  return base + (lane <= 32 ? 0 : (u32)__builtin_popcount(mask & ((1u << (lane - 32)) - 1)));
}
SIMT_INLINED u64 simt_amdgcn_ballot_i64(_Bool value) {
  return simt_self()->calls->collect(SIMT_BALLOT, 0, value, 0);
}
SIMT_INLINED u32 simt_amdgcn_ballot_i32(_Bool value) {
  return (u32)simt_self()->calls->collect(SIMT_BALLOT, 0, value, 0);
}
/* old bitcode uses this form of ballot, with the predicate "not equal" */
SIMT_INLINED u64 simt_amdgcn_icmp_i64_i32(u32 a, u32 b, u32 predicate) {
  (void)predicate;
  return simt_self()->calls->collect(SIMT_BALLOT, 0, a != b, 0);
}
SIMT_INLINED u32 simt_amdgcn_readfirstlane(u32 value) {
  return (u32)simt_self()->calls->collect(SIMT_FIRST, 0, value, 0);
}
SIMT_INLINED u32 simt_amdgcn_readfirstlane_i32(u32 value) {
  return (u32)simt_self()->calls->collect(SIMT_FIRST, 0, value, 0);
}
SIMT_INLINED u32 simt_amdgcn_readlane(u32 value, u32 lane) {
  return (u32)simt_self()->calls->collect(SIMT_PERMUTE, 0, value, lane);
}
SIMT_INLINED u32 simt_amdgcn_readlane_i32(u32 value, u32 lane) {
  return (u32)simt_self()->calls->collect(SIMT_PERMUTE, 0, value, lane);
}
SIMT_INLINED u32 simt_amdgcn_ds_bpermute(u32 address, u32 value) {
  u32 lane = address / 4 % simt_self()->warp_size;
  return (u32)simt_self()->calls->collect(SIMT_PERMUTE, 0, value, lane);
}

SIMT_INLINED _Bool simt_amdgcn_is_shared(const void *at) {
  const simt_lane *lane = simt_self();
  return (u64)((const char *)at - lane->shared_begin) < lane->shared_bytes;
}
/* Private memory is the thread's stack, so it is near this frame. */
SIMT_INLINED _Bool simt_amdgcn_is_private(const void *at) {
  const char *here = __builtin_frame_address(0);
  return (u64)((const char *)at - here + (1 << 16)) < (u64)(1 << 17) && !simt_amdgcn_is_shared(at);
}

SIMT_INLINED float simt_amdgcn_rcp_f32(float x) {
  return 1 / x;
}
SIMT_INLINED double simt_amdgcn_rcp_f64(double x) {
  return 1 / x;
}
SIMT_INLINED float simt_amdgcn_sqrt_f32(float x) {
  return __builtin_sqrtf(x);
}
SIMT_INLINED double simt_amdgcn_sqrt_f64(double x) {
  return __builtin_sqrt(x);
}
SIMT_INLINED float simt_amdgcn_rsq_f32(float x) {
  return 1 / __builtin_sqrtf(x);
}
SIMT_INLINED double simt_amdgcn_rsq_f64(double x) {
  return 1 / __builtin_sqrt(x);
}
SIMT_INLINED u32 simt_amdgcn_ubfe_i32(u32 value, u32 at, u32 bits) {
  at &= 31, bits &= 31;
  return bits ? value << (32 - bits - at > 31 ? 0 : 32 - bits - at) >> (32 - bits) : 0;
}
SIMT_INLINED float simt_amdgcn_fmed3_f32(float a, float b, float c) {
  float low = __builtin_fminf(a, b), high = __builtin_fmaxf(a, b);
  return __builtin_fmaxf(low, __builtin_fminf(high, c));
}

/* frexp: exponent and mantissa m with 0.5 <= |m| < 1. */
#define FREXP(type, name, integer, mantissa_bits, bias, top)                                       \
  SIMT_INLINED u32 simt_amdgcn_frexp_exp_i32_##name(type x) {                                      \
    union {                                                                                        \
      type f;                                                                                      \
      integer u;                                                                                   \
    } bits = {.f = x};                                                                             \
    int e = (int)(bits.u >> mantissa_bits & top);                                                  \
    if (e == top || x == 0) return 0;                                                              \
    if (e) return (u32)(e - bias + 1);                                                             \
    bits.f = x * (type)0x1p100;                                                                    \
    return (u32)((int)(bits.u >> mantissa_bits & top) - bias + 1 - 100);                           \
  }                                                                                                \
  SIMT_INLINED type simt_amdgcn_frexp_mant_##name(type x) {                                        \
    union {                                                                                        \
      type f;                                                                                      \
      integer u;                                                                                   \
    } bits = {.f = x};                                                                             \
    int e = (int)(bits.u >> mantissa_bits & top);                                                  \
    if (e == top || x == 0) return x;                                                              \
    if (!e) bits.f = x * (type)0x1p100;                                                            \
    bits.u = (bits.u & ~((integer)top << mantissa_bits)) | (integer)(bias - 1) << mantissa_bits;   \
    return bits.f;                                                                                 \
  }
FREXP(double, f64, u64, 52, 1023, 0x7ff)
FREXP(float, f32, u32, 23, 127, 0xff)

SIMT_INLINED double simt_amdgcn_fract_f64(double x) {
  double f = x - __builtin_floor(x);
  return f < 1 ? f : 0x1.fffffffffffffp-1;
}
SIMT_INLINED float simt_amdgcn_fract_f32(float x) {
  float f = x - __builtin_floorf(x);
  return f < 1 ? f : 0x1.fffffep-1f;
}

/* A segment of 53 bits of 2 / pi (AMD's instruction set documents, V_TRIG_PREOP_F64). */
SIMT_INLINED double simt_amdgcn_trig_preop_f64(double x, u32 segment) {
  static const u64 two_over_pi[] = {
      0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
      0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
      0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
      0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
      0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};
  union {
    double d;
    u64 u;
  } bits = {.d = x};
  int exponent = (int)(bits.u >> 52 & 0x7ff), shift = (int)(segment & 31) * 53;
  if (exponent > 1077) shift += exponent - 1077;
  if (shift > 18 * 64) return 0;
  const u64 *w = two_over_pi + shift / 64;
  u64 first =
      shift % 64 ? w[0] << shift % 64 | (shift / 64 < 18 ? w[1] >> (64 - shift % 64) : 0) : w[0];
  int scale = -53 - shift + (exponent >= 1968 ? 128 : 0);
  double result = (double)(first >> 11);
  for (; scale < -1000; scale += 500) result *= 0x1p-500;
  bits.u = (u64)(1023 + scale) << 52;
  return result * bits.d;
}

/* Called by LLVM's device runtime; for real GPUs, LLVM's libc defines it. */
SIMT_INLINED int32_t rpc_fprintf(void *stream, const char *format, const void *arguments,
                                 u64 bytes) {
  (void)stream, (void)bytes;
  return simt_self()->calls->print(format, arguments);
}

enum { MOST_PRINTED = 64 };

static int is_one_of(const char *set, char c) {
  while (*set && *set != c) set++;
  return c != 0 && *set == c;
}

static u64 pack(char *to, u64 at, const void *value, u64 bytes) {
  at = (at + bytes - 1) / bytes * bytes;
  for (u64 i = 0; i < bytes; i++) to[at + i] = ((const char *)value)[i];
  return at + bytes;
}

/* printf for Clang 22: packs the variable arguments in CUDA's format. Returns -1 if there are too
 * many. */
SIMT_INLINED int32_t printf(const char *format, ...) {
  u64 words[MOST_PRINTED], used = 0;
  char *to = (char *)words;
  __builtin_va_list list;
  __builtin_va_start(list, format);
  for (const char *f = format; *f;) {
    int is_long = 0;
    if (*f++ != '%') continue;
    for (; is_one_of("-+ #0123456789.*hlLjztq", *f); f++) {
      is_long |= is_one_of("ljztq", *f);
      if (*f != '*' || used > sizeof words - 16) continue;
      int width = __builtin_va_arg(list, int);
      used = pack(to, used, &width, sizeof width);
    }
    if (used > sizeof words - 16) break;
    if (is_one_of("aAeEfFgG", *f)) {
      double value = __builtin_va_arg(list, double);
      used = pack(to, used, &value, sizeof value);
    } else if (is_one_of("psn", *f) || (is_long && is_one_of("diouxXc", *f))) {
      u64 value = __builtin_va_arg(list, u64);
      used = pack(to, used, &value, sizeof value);
    } else if (is_one_of("diouxXc", *f)) {
      int value = __builtin_va_arg(list, int);
      used = pack(to, used, &value, sizeof value);
    }
    if (*f) f++;
  }
  __builtin_va_end(list);
  return used > sizeof words - 16 ? -1 : simt_self()->calls->print(format, words);
}

/* V_CMP_CLASS: bits for signalling NaN, quiet NaN, then classes from minus to plus infinity. */
enum { QUIET = 2, LEAST = 4, NEGATIVE = 8, NEGATIVE_SMALL = 16, NEGATIVE_ZERO = 32 };
#define CLASS(name, type, smallest, bits_of, quiet_bit)                                            \
  SIMT_INLINED _Bool simt_amdgcn_class_##name(type x, u32 wanted) {                                \
    bits_of bits;                                                                                  \
    __builtin_memcpy(&bits, &x, sizeof bits);                                                      \
    int negative = bits >> (8 * sizeof bits - 1);                                                  \
    type size = negative ? -x : x;                                                                 \
    u32 is = x != x                          ? (bits >> (quiet_bit)&1 ? QUIET : 1)                 \
             : size == (type)__builtin_inf() ? (negative ? LEAST : 512)                            \
             : size == 0                     ? (negative ? NEGATIVE_ZERO : 64)                     \
             : size < (smallest)             ? (negative ? NEGATIVE_SMALL : 128)                   \
                                             : (negative ? NEGATIVE : 256);                                    \
    return (is & wanted) != 0;                                                                     \
  }
CLASS(f64, double, 0x1p-1022, u64, 51)
CLASS(f32, float, 0x1p-126f, u32, 22)
CLASS(f16, _Float16, (_Float16)0x1p-14, unsigned short, 9)

SIMT_INLINED _Float16 simt_amdgcn_fract_f16(_Float16 x) {
  return (_Float16)simt_amdgcn_fract_f32((float)x);
}
SIMT_INLINED short simt_amdgcn_frexp_exp_i16_f16(_Float16 x) {
  return (short)simt_amdgcn_frexp_exp_i32_f32((float)x);
}
SIMT_INLINED _Float16 simt_amdgcn_frexp_mant_f16(_Float16 x) {
  return (_Float16)simt_amdgcn_frexp_mant_f32((float)x);
}
SIMT_INLINED _Float16 simt_amdgcn_rcp_f16(_Float16 x) {
  return (_Float16)1 / x;
}
SIMT_INLINED _Float16 simt_amdgcn_rsq_f16(_Float16 x) {
  return (_Float16)(1 / __builtin_sqrtf((float)x));
}
