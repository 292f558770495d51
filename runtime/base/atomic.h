/* The atomic operations. No other file names a memory order (tests/lint/atomics.sh). Each acquire
 * or release use has a comment "pairs with <function>"; each relaxed use has a reason.
 * ThreadSanitizer does not model fences; in its builds, a fence is a read-modify-write of one
 * shared word. */
#ifndef SOLO_BASE_ATOMIC_H
#define SOLO_BASE_ATOMIC_H

#include "runtime/base/platform.h"
#include <stdatomic.h>
#include <stdbool.h>

#ifdef SOLO_ATOMIC_LAYER /* tests/explore replaces the operations by steps of its search for interleavings */
#include SOLO_ATOMIC_LAYER
#else

#define solo_load_relaxed(p)        atomic_load_explicit((p), memory_order_relaxed)
#define solo_load_acquire(p)        atomic_load_explicit((p), memory_order_acquire)
#define solo_load_seq_cst(p)        atomic_load_explicit((p), memory_order_seq_cst)
#define solo_store_relaxed(p, v)    atomic_store_explicit((p), (v), memory_order_relaxed)
#define solo_store_release(p, v)    atomic_store_explicit((p), (v), memory_order_release)
#define solo_store_seq_cst(p, v)    atomic_store_explicit((p), (v), memory_order_seq_cst)

/* The following operations return the previous value. */
#define solo_add_relaxed(p, v)      atomic_fetch_add_explicit((p), (v), memory_order_relaxed)
#define solo_add_acquire(p, v)      atomic_fetch_add_explicit((p), (v), memory_order_acquire)
#define solo_add_release(p, v)      atomic_fetch_add_explicit((p), (v), memory_order_release)
#define solo_add_acq_rel(p, v)      atomic_fetch_add_explicit((p), (v), memory_order_acq_rel)
#define solo_add_seq_cst(p, v)      atomic_fetch_add_explicit((p), (v), memory_order_seq_cst)
#define solo_sub_relaxed(p, v)      atomic_fetch_sub_explicit((p), (v), memory_order_relaxed)
#define solo_sub_release(p, v)      atomic_fetch_sub_explicit((p), (v), memory_order_release)
#define solo_sub_acq_rel(p, v)      atomic_fetch_sub_explicit((p), (v), memory_order_acq_rel)
#define solo_sub_seq_cst(p, v)      atomic_fetch_sub_explicit((p), (v), memory_order_seq_cst)
#define solo_or_relaxed(p, v)       atomic_fetch_or_explicit((p), (v), memory_order_relaxed)
#define solo_or_acq_rel(p, v)       atomic_fetch_or_explicit((p), (v), memory_order_acq_rel)
#define solo_or_seq_cst(p, v)       atomic_fetch_or_explicit((p), (v), memory_order_seq_cst)
#define solo_and_acq_rel(p, v)      atomic_fetch_and_explicit((p), (v), memory_order_acq_rel)
#define solo_exchange_relaxed(p, v) atomic_exchange_explicit((p), (v), memory_order_relaxed)
#define solo_exchange_acquire(p, v) atomic_exchange_explicit((p), (v), memory_order_acquire)
#define solo_exchange_release(p, v) atomic_exchange_explicit((p), (v), memory_order_release)
#define solo_exchange_acq_rel(p, v) atomic_exchange_explicit((p), (v), memory_order_acq_rel)
#define solo_exchange_seq_cst(p, v) atomic_exchange_explicit((p), (v), memory_order_seq_cst)

/* On failure *expected receives the current value. */
#define solo_cas_relaxed(p, expected, v)                                                           \
  atomic_compare_exchange_strong_explicit((p), (expected), (v), memory_order_relaxed,              \
                                          memory_order_relaxed)
#define solo_cas_acquire(p, expected, v)                                                           \
  atomic_compare_exchange_strong_explicit((p), (expected), (v), memory_order_acquire,              \
                                          memory_order_acquire)
#define solo_cas_release(p, expected, v)                                                           \
  atomic_compare_exchange_strong_explicit((p), (expected), (v), memory_order_release,              \
                                          memory_order_relaxed)
#define solo_cas_acq_rel(p, expected, v)                                                           \
  atomic_compare_exchange_strong_explicit((p), (expected), (v), memory_order_acq_rel,              \
                                          memory_order_acquire)
#define solo_cas_seq_cst(p, expected, v)                                                           \
  atomic_compare_exchange_strong_explicit((p), (expected), (v), memory_order_seq_cst,              \
                                          memory_order_seq_cst)

#if SOLO_TSAN
extern _Atomic uint32_t solo_tsan_fence_word;
#define solo_fence_acquire() ((void)solo_add_acq_rel(&solo_tsan_fence_word, 0))
#define solo_fence_release() ((void)solo_add_acq_rel(&solo_tsan_fence_word, 0))
#define solo_fence_seq_cst()                                                                       \
  ((void)atomic_fetch_add_explicit(&solo_tsan_fence_word, 0, memory_order_seq_cst))
#else
#define solo_fence_acquire() atomic_thread_fence(memory_order_acquire)
#define solo_fence_release() atomic_thread_fence(memory_order_release)
#define solo_fence_seq_cst() atomic_thread_fence(memory_order_seq_cst)
#endif
/* Orders the accesses for the compiler, not for the processor. */
#define solo_fence_compiler() atomic_signal_fence(memory_order_seq_cst)

#endif

#endif
