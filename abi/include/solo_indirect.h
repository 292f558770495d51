/* solo_indirect.h: indirect and virtual calls in device code through host addresses, for C and C++
 * (docs/design/function-pointers.md).
 *
 *   #pragma omp begin declare target indirect      // -fopenmp-version=51 or later
 *   double twice(double x) { return 2 * x; }
 *   #pragma omp end declare target
 *
 *   #pragma omp target map(from : y) map(to : table)
 *   y = solo_call_indirect(table.function, x);
 *
 *   solo_indirect(pointer)                      the device function; call it outside of loops
 *   solo_call_indirect(pointer, arguments...)
 *   solo_call_indirect(&C::member, object, arguments...)   C++; also virtual
 *
 * If the device's table lacks an address, the address is returned unchanged. The host returns all
 * addresses unchanged.
 *
 * Classes with virtual functions: for Clang 22, declare them as above. For Clang 19, omit
 * `indirect`, and call solo_indirect_class(object) before the first use; this call is also
 * permitted with Clang 22.
 *
 * Clang rejects an inline indirect function that device code does not use. Add
 * __attribute__((used)), or define the function outside of its class.
 *
 * GPU programs need lib/device/libsolo_device.a, which solo-cc links.
 *
 * Threads: any. Results: 0 or a status (solo_last_error, solo.h).
 */
#ifndef SOLO_INDIRECT_H
#define SOLO_INDIRECT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For tools: adds functions or vtables to the device's table until the device is closed. A pair
 * replaces an earlier pair with the same host address. */
typedef struct solo_indirect_pair {
  int64_t host;
  int64_t target;
} solo_indirect_pair;
int solo_indirect_add(int device, const solo_indirect_pair *pairs, unsigned long count);

#ifdef _OPENMP
#pragma omp begin declare target
void *__kmpc_target_translate_fptr(void *host);
void *solo_function_in_kernel(void *host);

static inline void *solo_translate(void *host) {
#if defined(__NVPTX__) || defined(__AMDGPU__)
  return __kmpc_target_translate_fptr(host);
#else
  return solo_function_in_kernel(host);
#endif
}
#pragma omp begin declare variant match(device = {kind(host)})
static inline void *solo_translate(void *host) {
  return host;
}
#pragma omp end declare variant
#pragma omp end declare target
#elif defined(SOLO_INDIRECT_DEVICE) /* device code without OpenMP */
void *__kmpc_target_translate_fptr(void *host);
static inline void *solo_translate(void *host) {
  return __kmpc_target_translate_fptr(host);
}
#else
static inline void *solo_translate(void *host) {
  return host;
}
#endif

#ifdef __cplusplus
}
#endif

#ifndef __cplusplus

#define solo_indirect(f)           ((__typeof__(&*(f)))(uintptr_t)solo_translate((void *)(uintptr_t)(f)))
#define solo_call_indirect(f, ...) (solo_indirect(f)(__VA_ARGS__))

#else

#include <stddef.h>

#ifdef _OPENMP
#pragma omp begin declare target
#endif

template <class F> inline F *solo_indirect(F *f) {
  return (F *)(uintptr_t)solo_translate((void *)(uintptr_t)f);
}

template <class R, class... A, class... P> inline R solo_call_indirect(R (*f)(A...), P &&...p) {
  return solo_indirect(f)((P &&) p...);
}

namespace solo_detail {
/* A pointer to member function (Itanium C++ ABI 2.3). On ARM, bit 0 of `adjust` marks a virtual
 * function. */
struct member {
  /* address of the function; for a virtual function, offset in the vtable + 1 (on ARM without + 1) */
  uintptr_t function;
  ptrdiff_t adjust;
};

/* Returns the device function for *object, and adjusts *object to the subobject of the call. */
template <class M> inline void *resolve(M pointer, const volatile void **object) {
  member m;
  static_assert(sizeof m == sizeof pointer, "pointers to members are as in the Itanium C++ ABI");
  __builtin_memcpy(&m, &pointer, sizeof m);
#if defined(__aarch64__) || defined(__arm__)
  bool is_virtual = m.adjust & 1;
  uintptr_t offset = m.function;
  m.adjust >>= 1;
#else
  bool is_virtual = m.function & 1;
  uintptr_t offset = m.function - 1;
#endif
  *object = (const volatile char *)*object + m.adjust;
  if (!is_virtual) return solo_translate((void *)m.function);
  void *table = *(void *const volatile *)*object;
  return *(void **)((char *)solo_translate(table) + offset);
}

template <class R, class... A> struct method {
  template <class M, class... P>
  static inline R call(M pointer, const volatile void *object, P &&...p) {
    typedef R function(const volatile void *, A...);
    void *f = resolve(pointer, &object);
    return ((function *)(uintptr_t)f)(object, (P &&) p...);
  }
};
} // namespace solo_detail

template <class R, class C, class... A, class... P>
inline R solo_call_indirect(R (C::*m)(A...), C *object, P &&...p) {
  return solo_detail::method<R, A...>::call(m, object, (P &&) p...);
}

template <class R, class C, class... A, class... P>
inline R solo_call_indirect(R (C::*m)(A...) const, const C *object, P &&...p) {
  return solo_detail::method<R, A...>::call(m, object, (P &&) p...);
}

#ifdef _OPENMP
#pragma omp end declare target
#endif

#if defined(_OPENMP) && !defined(SOLO_NO_OPENMP)
extern "C" int omp_get_num_devices(void);

namespace solo_detail {
/* Writes the bytes of a new object, with vtable addresses of the device or host that executes this function. Prefers the
 * default constructor: for a class with virtual bases, a copy constructor would read the host's vtables through its
 * argument. */
template <bool is_default_constructible> struct specimen {
  template <class T> static inline void words(uintptr_t *out, unsigned long bytes, const T &) {
    const T made{};
    __builtin_memcpy(out, (const void *)&made, bytes);
  }
};

template <> struct specimen<false> {
  template <class T> static inline void words(uintptr_t *out, unsigned long bytes, const T &from) {
    const T made(from);
    __builtin_memcpy(out, (const void *)&made, bytes);
  }
};
} // namespace solo_detail

/* Makes the virtual functions of T callable on all devices. Compares an object of the host with an object of the device. The
 * first word is a vtable pointer; each word that differs by the same distance is a vtable pointer, too. T is not abstract. T
 * has a default constructor or, if it has no virtual bases, a copy constructor. */
template <class T> int solo_indirect_class(const T &object) {
  enum { words = sizeof(T) / sizeof(uintptr_t) };
  uintptr_t here[words], there[words];
  const unsigned char *bytes = (const unsigned char *)&object;
  typedef solo_detail::specimen<__is_constructible(T)> specimen;
  specimen::words(here, sizeof here, object);
  for (int device = 0; device < omp_get_num_devices(); device++) {
#pragma omp target device(device) map(to : bytes [0:sizeof(T)]) map(from : there)
    specimen::words(there, sizeof there, *(const T *)bytes);
    solo_indirect_pair pairs[words];
    unsigned long count = 0;
    if (there[0] != here[0]) /* equal if the host executed the region */
      for (int i = 0; i < words; i++)
        if (there[i] - here[i] == there[0] - here[0])
          pairs[count++] = {(int64_t)here[i], (int64_t)there[i]};
    int status = count ? solo_indirect_add(device, pairs, count) : 0;
    if (status) return status;
  }
  return 0;
}
#endif

#endif

#endif
