/* Generic atomic operations (`__atomic_load` ...) for programs without libatomic. Clang calls them
 * for long double and complex variables. The object's address selects one of 64 locks. */
#include "runtime/base/lock.h"

#include <string.h>

enum { LOCKS = 64 };
static solo_lock locks[LOCKS];

static solo_lock *lock_of(const void *object) {
  return &locks[((uintptr_t)object >> 4) % LOCKS];
}

void solo_kmp_atomic_load(size_t size, const void *object, void *out,
                          int order) __asm__("__atomic_load");
SOLO_EXPORT void solo_kmp_atomic_load(size_t size, const void *object, void *out, int order) {
  (void)order;
  solo_lock *lock = lock_of(object);
  solo_lock_acquire(lock);
  memcpy(out, object, size);
  solo_lock_release(lock);
}

void solo_kmp_atomic_store(size_t size, void *object, const void *value,
                           int order) __asm__("__atomic_store");
SOLO_EXPORT void solo_kmp_atomic_store(size_t size, void *object, const void *value, int order) {
  (void)order;
  solo_lock *lock = lock_of(object);
  solo_lock_acquire(lock);
  memcpy(object, value, size);
  solo_lock_release(lock);
}

void solo_kmp_atomic_exchange(size_t size, void *object, const void *value, void *out,
                              int order) __asm__("__atomic_exchange");
SOLO_EXPORT void solo_kmp_atomic_exchange(size_t size, void *object, const void *value, void *out,
                                          int order) {
  (void)order;
  solo_lock *lock = lock_of(object);
  solo_lock_acquire(lock);
  memcpy(out, object, size);
  memcpy(object, value, size);
  solo_lock_release(lock);
}

int solo_kmp_atomic_cas(size_t size, void *object, void *expected, const void *value, int success,
                        int failure) __asm__("__atomic_compare_exchange");
SOLO_EXPORT int solo_kmp_atomic_cas(size_t size, void *object, void *expected, const void *value,
                                    int success, int failure) {
  (void)success, (void)failure;
  solo_lock *lock = lock_of(object);
  solo_lock_acquire(lock);
  int equal = memcmp(object, expected, size) == 0;
  if (equal)
    memcpy(object, value, size);
  else
    memcpy(expected, object, size);
  solo_lock_release(lock);
  return equal;
}
