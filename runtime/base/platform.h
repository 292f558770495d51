/* What solo expects of the compiler and the operating system: attributes, cache lines, futex. What differs
 * between processors is in arch.h.
 *
 * Everything that a port to another kernel or compiler must answer stands in this pair of files.
 * Threads: every function here may be called from any thread. Errors: none unless stated.
 */
#ifndef SOLO_BASE_PLATFORM_H
#define SOLO_BASE_PLATFORM_H

#include "runtime/base/arch.h"
#include <stddef.h>
#include <stdint.h>

#define SOLO_CACHE_LINE 64
/* Processors fetch lines in pairs, so that two threads that write to the halves of one hold each other up as if it were
 * one line: what one thread writes often and others use something beside begins a pair (ARCHITECTURE.md has the list). */
#define SOLO_CACHE_PAIR 128

#define SOLO_HIDDEN __attribute__((visibility("hidden")))
/* On functions. Aligned, cold ones too, so that abi/join.c can put a jump in their place. */
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

#if defined(SOLO_COHERENCE) /* that compiler pass without its library: bench/coherence */
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

/* Does memory begin a pair of lines? */
SOLO_INLINE int solo_begins_pair(const void *memory) {
  return ((uintptr_t)memory & (SOLO_CACHE_PAIR - 1)) == 0;
}

/* Sleeps while *word == expected, until woken or timeout_ns (0: no limit) is over. May wake
 * spuriously; callers re-check. The word is the futex itself (futex(2), private). */
void solo_futex_wait(const _Atomic uint32_t *word, uint32_t expected, uint64_t timeout_ns);

/* Wakes at most count sleepers on word; how many there were. */
int solo_futex_wake(const _Atomic uint32_t *word, int count);

/* Monotonic time in ns (CLOCK_MONOTONIC). */
uint64_t solo_now_ns(void);

/* Processors that this process may run on: what taskset, cpusets and batch systems left. At least 1. */
uint32_t solo_usable_cpus(void);

/* Kernel id of the calling thread (gettid(2)). */
uint32_t solo_thread_id(void);

#endif
