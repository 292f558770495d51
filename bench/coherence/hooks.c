/* The functions that code compiled with -fsanitize=thread calls at memory accesses. */
#include "bench/coherence/threads.h"

#include <stddef.h>
#include <string.h>

/* The compiler defines the names and types. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

enum { SEQ_CST = 5 };

static void touch(const void *address, unsigned bytes, enum access kind) {
  flow *t = thread_flow();
  if (!t) return;
  thread_step();
  model_touch(t, address, bytes, kind);
}

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) {
  (void)caller;
}
void __tsan_func_exit(void) {}

#define PLAIN(bytes)                                                                               \
  void __tsan_read##bytes(void *p) {                                                               \
    touch(p, bytes, LOAD);                                                                         \
  }                                                                                                \
  void __tsan_write##bytes(void *p) {                                                              \
    touch(p, bytes, STORE);                                                                        \
  }                                                                                                \
  void __tsan_unaligned_read##bytes(void *p) {                                                     \
    touch(p, bytes, LOAD);                                                                         \
  }                                                                                                \
  void __tsan_unaligned_write##bytes(void *p) {                                                    \
    touch(p, bytes, STORE);                                                                        \
  }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

void __tsan_read_range(void *p, unsigned long bytes) {
  touch(p, (unsigned)bytes, LOAD);
}
void __tsan_write_range(void *p, unsigned long bytes) {
  touch(p, (unsigned)bytes, STORE);
}
void *__tsan_memcpy(void *to, const void *from, size_t bytes) {
  if (bytes) touch(from, (unsigned)bytes, LOAD);
  if (bytes) touch(to, (unsigned)bytes, STORE);
  return memcpy(to, from, bytes);
}
void *__tsan_memmove(void *to, const void *from, size_t bytes) {
  if (bytes) touch(from, (unsigned)bytes, LOAD);
  if (bytes) touch(to, (unsigned)bytes, STORE);
  return memmove(to, from, bytes);
}
void *__tsan_memset(void *to, int value, size_t bytes) {
  if (bytes) touch(to, (unsigned)bytes, STORE);
  return memset(to, value, bytes);
}

#define FETCH(bits, name)                                                                          \
  uint##bits##_t __tsan_atomic##bits##_fetch_##name(volatile uint##bits##_t *p, uint##bits##_t v,  \
                                                    int order) {                                   \
    (void)order;                                                                                   \
    touch((const void *)p, bits / 8, UPDATE);                                                      \
    return __atomic_fetch_##name(p, v, __ATOMIC_SEQ_CST);                                          \
  }
#define ATOMIC(bits)                                                                               \
  uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *p, int order) {         \
    (void)order;                                                                                   \
    touch((const void *)p, bits / 8, LOAD);                                                        \
    return *p;                                                                                     \
  }                                                                                                \
  void __tsan_atomic##bits##_store(volatile uint##bits##_t *p, uint##bits##_t v, int order) {      \
    touch((const void *)p, bits / 8, order == SEQ_CST ? UPDATE : STORE);                           \
    *p = v;                                                                                        \
  }                                                                                                \
  uint##bits##_t __tsan_atomic##bits##_exchange(volatile uint##bits##_t *p, uint##bits##_t v,      \
                                                int order) {                                       \
    (void)order;                                                                                   \
    touch((const void *)p, bits / 8, UPDATE);                                                      \
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                            \
  }                                                                                                \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile uint##bits##_t *p,                    \
                                                    uint##bits##_t *expected, uint##bits##_t v,    \
                                                    int order, int failure) {                      \
    (void)order, (void)failure;                                                                    \
    touch((const void *)p, bits / 8, UPDATE);                                                      \
    return __atomic_compare_exchange_n(p, expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);     \
  }                                                                                                \
  uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                                       \
      volatile uint##bits##_t *p, uint##bits##_t expected, uint##bits##_t v, int order,            \
      int failure) {                                                                               \
    (void)order, (void)failure;                                                                    \
    touch((const void *)p, bits / 8, UPDATE);                                                      \
    (void)__atomic_compare_exchange_n(p, &expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);     \
    return expected;                                                                               \
  }                                                                                                \
  FETCH(bits, add)                                                                                 \
  FETCH(bits, sub)                                                                                 \
  FETCH(bits, and)                                                                                 \
  FETCH(bits, or)
ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)

void __tsan_atomic_thread_fence(int order) {
  flow *t = thread_flow();
  if (t && order == SEQ_CST) model_fence(t); /* weaker fences are no instructions on x86 */
}
void __tsan_atomic_signal_fence(int order) {
  (void)order;
}

/* solo_cpu_relax of the instrumented library (runtime/base/platform.h). */
void solo_coherence_pause(void);
void solo_coherence_pause(void) {
  if (thread_flow()) thread_pause();
}
