/* critical, and the lock of atomic constructs that have no machine instruction. GCC reserves a
 * zeroed pointer for each name; the lock is in the bytes of the pointer. */
#include "abi/gomp/internal.h"

static solo_lock unnamed, atomics;

_Static_assert(sizeof(solo_lock) <= sizeof(void *), "a lock fits in GCC's variable of a name");

SOLO_EXPORT void GOMP_critical_start(void) {
  solo_lock_acquire(&unnamed);
}

SOLO_EXPORT void GOMP_critical_end(void) {
  solo_lock_release(&unnamed);
}

SOLO_EXPORT void GOMP_critical_name_start(void **name) {
  solo_lock_acquire((solo_lock *)(void *)name);
}

SOLO_EXPORT void GOMP_critical_name_end(void **name) {
  solo_lock_release((solo_lock *)(void *)name);
}

SOLO_EXPORT void GOMP_atomic_start(void) {
  solo_lock_acquire(&atomics);
}

SOLO_EXPORT void GOMP_atomic_end(void) {
  solo_lock_release(&atomics);
}
