/* Replaces runtime/base/atomic.h: each operation is a step of the search and may read old values
 * (explore.h). */
#ifndef SOLO_EXPLORE_ATOMIC_H
#define SOLO_EXPLORE_ATOMIC_H

#include <stddef.h>
#include <stdint.h>

enum { EXPLORE_RELAXED, EXPLORE_ACQUIRE, EXPLORE_RELEASE, EXPLORE_ACQ_REL, EXPLORE_SEQ_CST };

/* where: the calling function. value: points to the `bytes` bytes that are read or written. */
void explore_load(const volatile void *p, size_t bytes, void *value, int order, const char *where);
void explore_store(volatile void *p, size_t bytes, const void *value, int order, const char *where);
/* A read-modify-write reads the newest value and writes its successor in the same step. */
void explore_read_newest(const volatile void *p, size_t bytes, void *value, int order,
                         const char *where);
void explore_write_newest(volatile void *p, size_t bytes, const void *value, int order,
                          const char *where);
int explore_cas(volatile void *p, size_t bytes, void *expected, const void *value, int order,
                int failure, const char *where);
void explore_fence(int order, const char *where);

#define EXPLORE_LOAD(p, order)                                                                     \
  ({                                                                                               \
    __auto_type value_ = __c11_atomic_load((p), __ATOMIC_RELAXED);                                 \
    explore_load((const volatile void *)(p), sizeof value_, &value_, (order), __func__);           \
    value_;                                                                                        \
  })
#define EXPLORE_STORE(p, v, order)                                                                 \
  ({                                                                                               \
    __auto_type value_ = __c11_atomic_load((p), __ATOMIC_RELAXED);                                 \
    value_ = (v);                                                                                  \
    explore_store((volatile void *)(p), sizeof value_, &value_, (order), __func__);                \
    (void)0;                                                                                       \
  })
#define EXPLORE_CHANGE(p, expression, order)                                                       \
  ({                                                                                               \
    __auto_type old_ = __c11_atomic_load((p), __ATOMIC_RELAXED);                                   \
    explore_read_newest((const volatile void *)(p), sizeof old_, &old_, (order), __func__);        \
    __auto_type value_ = old_;                                                                     \
    value_ = (expression);                                                                         \
    explore_write_newest((volatile void *)(p), sizeof old_, &value_, (order), __func__);           \
    old_;                                                                                          \
  })
#define EXPLORE_CAS(p, expected, v, order, failure)                                                \
  ({                                                                                               \
    __auto_type value_ = *(expected);                                                              \
    value_ = (v);                                                                                  \
    explore_cas((volatile void *)(p), sizeof value_, (expected), &value_, (order), (failure),      \
                __func__);                                                                         \
  })

#define solo_load_relaxed(p)     EXPLORE_LOAD(p, EXPLORE_RELAXED)
#define solo_load_acquire(p)     EXPLORE_LOAD(p, EXPLORE_ACQUIRE)
#define solo_load_seq_cst(p)     EXPLORE_LOAD(p, EXPLORE_SEQ_CST)
#define solo_store_relaxed(p, v) EXPLORE_STORE(p, v, EXPLORE_RELAXED)
#define solo_store_release(p, v) EXPLORE_STORE(p, v, EXPLORE_RELEASE)
#define solo_store_seq_cst(p, v) EXPLORE_STORE(p, v, EXPLORE_SEQ_CST)

#define solo_add_relaxed(p, v)      EXPLORE_CHANGE(p, old_ + (v), EXPLORE_RELAXED)
#define solo_add_acquire(p, v)      EXPLORE_CHANGE(p, old_ + (v), EXPLORE_ACQUIRE)
#define solo_add_release(p, v)      EXPLORE_CHANGE(p, old_ + (v), EXPLORE_RELEASE)
#define solo_add_acq_rel(p, v)      EXPLORE_CHANGE(p, old_ + (v), EXPLORE_ACQ_REL)
#define solo_add_seq_cst(p, v)      EXPLORE_CHANGE(p, old_ + (v), EXPLORE_SEQ_CST)
#define solo_sub_relaxed(p, v)      EXPLORE_CHANGE(p, old_ - (v), EXPLORE_RELAXED)
#define solo_sub_release(p, v)      EXPLORE_CHANGE(p, old_ - (v), EXPLORE_RELEASE)
#define solo_sub_acq_rel(p, v)      EXPLORE_CHANGE(p, old_ - (v), EXPLORE_ACQ_REL)
#define solo_sub_seq_cst(p, v)      EXPLORE_CHANGE(p, old_ - (v), EXPLORE_SEQ_CST)
#define solo_or_relaxed(p, v)       EXPLORE_CHANGE(p, old_ | (v), EXPLORE_RELAXED)
#define solo_or_acq_rel(p, v)       EXPLORE_CHANGE(p, old_ | (v), EXPLORE_ACQ_REL)
#define solo_or_seq_cst(p, v)       EXPLORE_CHANGE(p, old_ | (v), EXPLORE_SEQ_CST)
#define solo_and_acq_rel(p, v)      EXPLORE_CHANGE(p, old_ &(v), EXPLORE_ACQ_REL)
#define solo_exchange_relaxed(p, v) EXPLORE_CHANGE(p, (v), EXPLORE_RELAXED)
#define solo_exchange_acquire(p, v) EXPLORE_CHANGE(p, (v), EXPLORE_ACQUIRE)
#define solo_exchange_release(p, v) EXPLORE_CHANGE(p, (v), EXPLORE_RELEASE)
#define solo_exchange_acq_rel(p, v) EXPLORE_CHANGE(p, (v), EXPLORE_ACQ_REL)
#define solo_exchange_seq_cst(p, v) EXPLORE_CHANGE(p, (v), EXPLORE_SEQ_CST)

#define solo_cas_relaxed(p, e, v) EXPLORE_CAS(p, e, v, EXPLORE_RELAXED, EXPLORE_RELAXED)
#define solo_cas_acquire(p, e, v) EXPLORE_CAS(p, e, v, EXPLORE_ACQUIRE, EXPLORE_ACQUIRE)
#define solo_cas_release(p, e, v) EXPLORE_CAS(p, e, v, EXPLORE_RELEASE, EXPLORE_RELAXED)
#define solo_cas_acq_rel(p, e, v) EXPLORE_CAS(p, e, v, EXPLORE_ACQ_REL, EXPLORE_ACQUIRE)
#define solo_cas_seq_cst(p, e, v) EXPLORE_CAS(p, e, v, EXPLORE_SEQ_CST, EXPLORE_SEQ_CST)

#define solo_fence_acquire() explore_fence(EXPLORE_ACQUIRE, __func__)
#define solo_fence_release() explore_fence(EXPLORE_RELEASE, __func__)
#define solo_fence_seq_cst() explore_fence(EXPLORE_SEQ_CST, __func__)

#endif
