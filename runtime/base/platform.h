/* Interface to the compiler and the operating system; arch.h covers the processor. Threads: any. */
#ifndef SOLO_BASE_PLATFORM_H
#define SOLO_BASE_PLATFORM_H

#include "runtime/base/arch.h"
#include <stddef.h>
#include <stdint.h>

#define SOLO_CACHE_LINE 64
/* Processors prefetch cache lines in pairs. A variable that one thread writes often begins a new
 * pair. */
#define SOLO_CACHE_PAIR 128

#define SOLO_HIDDEN __attribute__((visibility("hidden")))
/* Aligned, because abi/join.c overwrites the begin of an exported function with a jump. */
#define SOLO_EXPORT       __attribute__((visibility("default"), aligned(SOLO_STUB_BYTES)))
#define SOLO_MUST_CHECK   __attribute__((warn_unused_result))
#define SOLO_COLD         __attribute__((cold, noinline))
#define SOLO_NOINLINE     __attribute__((noinline))
#define SOLO_INLINE       static inline __attribute__((always_inline))
#define SOLO_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define SOLO_WEAK         __attribute__((weak))
#define SOLO_ALIGNED(n)   __attribute__((aligned(n)))
#define SOLO_LIKELY(x)    __builtin_expect(!!(x), 1)
#define SOLO_UNLIKELY(x)  __builtin_expect(!!(x), 0)

#if defined(SOLO_COHERENCE) /* has ThreadSanitizer's instrumentation, but not its library */
#define SOLO_TSAN 0
#elif defined(__SANITIZE_THREAD__)
#define SOLO_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SOLO_TSAN 1
#endif
#endif
#ifndef SOLO_TSAN
#define SOLO_TSAN 0
#endif

SOLO_INLINE int solo_is_pair_aligned(const void *memory) {
  return ((uintptr_t)memory & (SOLO_CACHE_PAIR - 1)) == 0;
}

/* Sleeps while *word == expected, until a wake or timeout_ns (0: no limit). May return early. */
void solo_futex_wait(const _Atomic uint32_t *word, uint32_t expected, uint64_t timeout_ns);

int solo_futex_wake(const _Atomic uint32_t *word, int count);

uint64_t solo_now_ns(void);

/* Returns the number of processors in the affinity mask; at least 1. */
uint32_t solo_usable_cpus(void);

uint32_t solo_thread_id(void);

#endif
