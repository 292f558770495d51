/* Vector types, atomics, shuffles and mathematical functions for kernels. On NVIDIA GPUs exp, log,
 * sin, cos and pow need libdevice (__nv_*). */
#ifndef SOLO_KERNEL_DEVICE_H
#define SOLO_KERNEL_DEVICE_H

#define SOLO_IN_KERNEL_ static __device__ __forceinline__
#define SOLO_ANYWHERE_  static __host__ __device__ __forceinline__

#define SOLO_VECTOR_(type, name, bytes)                                                            \
  struct __attribute__((aligned(2 * sizeof(type)))) name##2 {                                      \
    type x, y;                                                                                     \
  };                                                                                               \
  struct name##4 {                                                                                 \
    __attribute__((aligned(bytes))) type x;                                                        \
    type y, z, w;                                                                                  \
  };                                                                                               \
  SOLO_ANYWHERE_ name##2 make_##name##2(type x, type y) {                                          \
    return {x, y};                                                                                 \
  }                                                                                                \
  SOLO_ANYWHERE_ name##3 make_##name##3(type x, type y, type z) {                                  \
    return {x, y, z};                                                                              \
  }                                                                                                \
  SOLO_ANYWHERE_ name##4 make_##name##4(type x, type y, type z, type w) {                          \
    return {x, y, z, w};                                                                           \
  }
#define SOLO_VECTOR_3_(type, name)                                                                 \
  struct name##3 {                                                                                 \
    type x, y, z;                                                                                  \
  };
SOLO_VECTOR_3_(float, float)
SOLO_VECTOR_3_(double, double)
SOLO_VECTOR_3_(int, int)
SOLO_VECTOR_3_(unsigned char, uchar)
SOLO_VECTOR_(float, float, 16)
SOLO_VECTOR_(double, double, 16)
SOLO_VECTOR_(int, int, 16)
SOLO_VECTOR_(unsigned, uint, 16)
SOLO_VECTOR_(unsigned char, uchar, 4)
#undef SOLO_VECTOR_
#undef SOLO_VECTOR_3_

#ifdef __HIP__
#define SOLO_ATOMIC_(operation, address, value)                                                    \
  __hip_atomic_fetch_##operation(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)
#define SOLO_EXCHANGE_(address, value)                                                             \
  __hip_atomic_exchange(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)
#define SOLO_COMPARE_(address, expected, value)                                                    \
  __hip_atomic_compare_exchange_strong(address, expected, value, __ATOMIC_RELAXED,                 \
                                       __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)
#else
#define SOLO_ATOMIC_(operation, address, value)                                                    \
  __atomic_fetch_##operation(address, value, __ATOMIC_RELAXED)
#define SOLO_EXCHANGE_(address, value) __atomic_exchange_n(address, value, __ATOMIC_RELAXED)
#define SOLO_COMPARE_(address, expected, value)                                                    \
  __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#endif

#define SOLO_FETCH_(name, operation, type)                                                         \
  SOLO_IN_KERNEL_ type name(type *address, type value) {                                           \
    return SOLO_ATOMIC_(operation, address, value);                                                \
  }
#define SOLO_ATOMICS_(type)                                                                        \
  SOLO_FETCH_(atomicAdd, add, type)                                                                \
  SOLO_FETCH_(atomicMax, max, type)                                                                \
  SOLO_FETCH_(atomicMin, min, type)                                                                \
  SOLO_FETCH_(atomicAnd, and, type)                                                                \
  SOLO_FETCH_(atomicOr, or, type)                                                                  \
  SOLO_FETCH_(atomicXor, xor, type)                                                                \
  SOLO_IN_KERNEL_ type atomicSub(type *address, type value) {                                      \
    return SOLO_ATOMIC_(add, address, (type)(0 - value));                                          \
  }                                                                                                \
  SOLO_IN_KERNEL_ type atomicExch(type *address, type value) {                                     \
    return SOLO_EXCHANGE_(address, value);                                                         \
  }                                                                                                \
  SOLO_IN_KERNEL_ type atomicCAS(type *address, type expected, type value) {                       \
    (void)SOLO_COMPARE_(address, &expected, value);                                                \
    return expected;                                                                               \
  }
SOLO_ATOMICS_(int)
SOLO_ATOMICS_(unsigned)
SOLO_ATOMICS_(unsigned long long)
SOLO_FETCH_(atomicAdd, add, float)
SOLO_FETCH_(atomicAdd, add, double)
#undef SOLO_ATOMICS_
#undef SOLO_FETCH_
#undef SOLO_ATOMIC_
#undef SOLO_EXCHANGE_
#undef SOLO_COMPARE_

template <typename T> SOLO_IN_KERNEL_ T __ldg(const T *address) {
  return *address;
}
SOLO_IN_KERNEL_ int __popc(unsigned bits) {
  return __builtin_popcount(bits);
}

#ifdef __HIP__
SOLO_IN_KERNEL_ void __threadfence() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}
SOLO_IN_KERNEL_ int solo_other_lane_(int value, int lane) {
  return __builtin_amdgcn_ds_bpermute(lane << 2, value);
}
SOLO_IN_KERNEL_ int solo_lane_() {
  return (int)__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
#define SOLO_SHUFFLE_(name, lane)                                                                  \
  SOLO_IN_KERNEL_ int name(int value, int by, int width = 64) {                                    \
    int self = solo_lane_(), from = lane;                                                          \
    return solo_other_lane_(value, (from ^ self) & ~(width - 1) ? self : from);                    \
  }                                                                                                \
  SOLO_IN_KERNEL_ float name(float value, int by, int width = 64) {                                \
    return __builtin_bit_cast(float, name(__builtin_bit_cast(int, value), by, width));             \
  }
SOLO_SHUFFLE_(__shfl_down, self + by)
SOLO_SHUFFLE_(__shfl_up, self - by)
SOLO_SHUFFLE_(__shfl_xor, self ^ by)
SOLO_SHUFFLE_(__shfl, (self & ~(width - 1)) | (by & (width - 1)))
#undef SOLO_SHUFFLE_
#else
SOLO_IN_KERNEL_ void __threadfence() {
  __nvvm_membar_gl();
}
SOLO_IN_KERNEL_ void __syncwarp(unsigned mask = 0xffffffff) {
  __nvvm_bar_warp_sync(mask);
}
#define SOLO_SHUFFLE_(name, builtin, clamp)                                                        \
  SOLO_IN_KERNEL_ int name(unsigned mask, int value, int by, int width = 32) {                     \
    return __nvvm_shfl_sync_##builtin##_i32(mask, value, by, (32 - width) << 8 | clamp);           \
  }                                                                                                \
  SOLO_IN_KERNEL_ float name(unsigned mask, float value, int by, int width = 32) {                 \
    return __nvvm_shfl_sync_##builtin##_f32(mask, value, by, (32 - width) << 8 | clamp);           \
  }
SOLO_SHUFFLE_(__shfl_down_sync, down, 31)
SOLO_SHUFFLE_(__shfl_up_sync, up, 0)
SOLO_SHUFFLE_(__shfl_xor_sync, bfly, 31)
SOLO_SHUFFLE_(__shfl_sync, idx, 31)
#undef SOLO_SHUFFLE_
#endif

#define SOLO_MATH_1_(name, double_call, float_call)                                                \
  SOLO_IN_KERNEL_ double name(double x) {                                                          \
    return double_call(x);                                                                         \
  }                                                                                                \
  SOLO_IN_KERNEL_ float name(float x) {                                                            \
    return float_call(x);                                                                          \
  }                                                                                                \
  SOLO_IN_KERNEL_ float name##f(float x) {                                                         \
    return float_call(x);                                                                          \
  }
#define SOLO_BUILTIN_1_(name) SOLO_MATH_1_(name, __builtin_##name, __builtin_##name##f)
SOLO_BUILTIN_1_(sqrt)
SOLO_BUILTIN_1_(fabs)
SOLO_BUILTIN_1_(floor)
SOLO_BUILTIN_1_(ceil)
#ifdef __HIP__
#define SOLO_LIBRARY_1_(name) SOLO_BUILTIN_1_(name)
#else
#define SOLO_LIBRARY_1_(name)                                                                      \
  extern "C" __device__ double __nv_##name(double);                                                \
  extern "C" __device__ float __nv_##name##f(float);                                               \
  SOLO_MATH_1_(name, __nv_##name, __nv_##name##f)
#endif
SOLO_LIBRARY_1_(exp)
SOLO_LIBRARY_1_(log)
SOLO_LIBRARY_1_(sin)
SOLO_LIBRARY_1_(cos)
#undef SOLO_MATH_1_
#undef SOLO_BUILTIN_1_
#undef SOLO_LIBRARY_1_
#define SOLO_MATH_2_(name, type, call)                                                             \
  SOLO_IN_KERNEL_ type name(type x, type y) {                                                      \
    return call(x, y);                                                                             \
  }
SOLO_MATH_2_(fmin, double, __builtin_fmin)
SOLO_MATH_2_(fmax, double, __builtin_fmax)
SOLO_MATH_2_(fminf, float, __builtin_fminf)
SOLO_MATH_2_(fmaxf, float, __builtin_fmaxf)
#ifndef __HIP__
extern "C" __device__ double __nv_pow(double, double);
extern "C" __device__ float __nv_powf(float, float);
SOLO_MATH_2_(pow, double, __nv_pow)
SOLO_MATH_2_(powf, float, __nv_powf)
#else
SOLO_MATH_2_(pow, double, __builtin_pow)
SOLO_MATH_2_(powf, float, __builtin_powf)
#endif
#undef SOLO_MATH_2_
SOLO_IN_KERNEL_ float rsqrtf(float x) {
  return 1.0f / __builtin_sqrtf(x);
}
SOLO_IN_KERNEL_ float fmaf(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
SOLO_IN_KERNEL_ double fma(double x, double y, double z) {
  return __builtin_fma(x, y, z);
}
#define SOLO_LEAST_(type)                                                                          \
  SOLO_ANYWHERE_ type min(type x, type y) {                                                        \
    return y < x ? y : x;                                                                          \
  }                                                                                                \
  SOLO_ANYWHERE_ type max(type x, type y) {                                                        \
    return x < y ? y : x;                                                                          \
  }
SOLO_LEAST_(int)
SOLO_LEAST_(unsigned)
SOLO_LEAST_(long long)
SOLO_LEAST_(unsigned long long)
SOLO_LEAST_(float)
SOLO_LEAST_(double)
#undef SOLO_LEAST_
#undef SOLO_ANYWHERE_
#undef SOLO_IN_KERNEL_

#endif
