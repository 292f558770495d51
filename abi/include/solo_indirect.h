/* solo_indirect.h: calls in device code through function pointers that come from the host: mapped
 * or passed alone, in arrays, in structs; through pointers to members, and virtual. C and C++.
 *
 *   #pragma omp begin declare target indirect
 *   double twice(double x) { return 2 * x; }        // what may be called so
 *   #pragma omp end declare target
 *
 *   #pragma omp target map(from : y) map(to : table)
 *   y = solo_call_indirect(table.function, x);
 *
 * On the device, a pointer to a function of a `declare target indirect` (OpenMP 5.1; Clang wants
 * -fopenmp-version=51 or more for it) becomes that of the device's copy of the function; any other
 * pointer, such as one that was taken on the device, stays what it is. On the host nothing
 * changes, so that a region that falls back needs no second version. Neither Clang 19 nor Clang 22
 * does this by itself.
 *
 *   solo_indirect(pointer)                        the pointer to call with here; take it out of loops
 *   solo_call_indirect(pointer, arguments...)     solo_indirect(pointer)(arguments...)
 *   solo_call_indirect(&C::member, object, arguments...)      C++: object->member(arguments...)
 *
 * The last is a virtual call where the member is virtual: the object may have been made on the host
 * and mapped. The device must know the class. Clang 22 sees to that for classes between `begin
 * declare target indirect` and `end declare target`. Clang 19 does not: there write classes with
 * virtual functions between `begin declare target` and `end declare target`, and call
 * solo_indirect_class(object) once for each before their first use (with Clang 22 it may be called,
 * too).
 *
 * An inline function of a `declare target indirect` that no device code names makes Clang 22 say
 * "the address is invalid" and Clang 19 crash: define it outside of its class and not inline, or
 * give it __attribute__((used)).
 *
 * Linking for GPUs: solo-cc links lib/device/libsolo_device.a, where the translation is; with plain
 * Clang name it on the command line.
 *
 * Threads: any. Errors: what returns int returns 0 or a status (solo_last_error, solo.h).
 */
#ifndef SOLO_INDIRECT_H
#define SOLO_INDIRECT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A function (or table of virtual functions) of the host is target on the device, until the device
 * is closed (solo_fini), for tools that know such pairs; programs need not call it. */
typedef struct solo_indirect_pair {
  int64_t host;
  int64_t target;
} solo_indirect_pair;
int solo_indirect_add(int device, const solo_indirect_pair *pairs, unsigned long count);

#ifdef _OPENMP
#pragma omp begin declare target
/* Of the device's runtime: GPUs', CPUs'. */
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
#elif defined(SOLO_INDIRECT_DEVICE) /* device code that is compiled as such, without OpenMP */
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
/* A pointer to member function, and calls: Itanium C++ ABI 2.3; ARM's form has the mark of virtual
 * members in the adjustment. */
struct member {
  uintptr_t function; /* or offset in the table + 1 */
  ptrdiff_t adjust;
};

/* The function that the member is for this object, which becomes the object of the call. */
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
/* An object of the class, made where it is called: its words are the addresses of that place's
 * tables of virtual functions. Made by the constructor without arguments where there is one: a copy
 * constructor of a class with virtual bases reads the tables of what it copies, and on a device
 * these are the host's. */
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

/* Makes the virtual functions of object's class callable on all devices: the device makes an object
 * of the class and tells where its tables of virtual functions are: the words that differ from those
 * of an object made here, by as much as the first does. The class is not abstract, and has a
 * constructor without arguments or can be copied; with virtual bases it needs the former. */
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
    if (there[0] != here[0]) /* else the region ran on the host */
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
