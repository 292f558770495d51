/* Device code: the lock of `omp critical` on NVIDIA GPUs. Clang 19's device runtime, as Debian builds
 * it, calls these two and defines them for AMD's only. The compiler lets the threads of a warp
 * in one after the other, so a lock that spins is enough. The names are those that C++ gives
 * impl::setCriticalLock(omp_lock_t *) and impl::unsetCriticalLock(omp_lock_t *).
 */
typedef unsigned int u32;

#define CALLED __attribute__((weak, visibility("hidden")))

CALLED void _ZN4impl15setCriticalLockEP10omp_lock_t(u32 *lock);
CALLED void _ZN4impl17unsetCriticalLockEP10omp_lock_t(u32 *lock);

enum { FREE, HELD };

void _ZN4impl15setCriticalLockEP10omp_lock_t(u32 *lock) {
  u32 expected = FREE;
  while (!__atomic_compare_exchange_n(lock, &expected, HELD, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
    expected = FREE;
  __nvvm_membar_gl();
}

void _ZN4impl17unsetCriticalLockEP10omp_lock_t(u32 *lock) {
  __nvvm_membar_gl(); /* atomic operations of this back end are relaxed */
  (void)__atomic_exchange_n(lock, FREE,
                            __ATOMIC_SEQ_CST); /* a store of that order it cannot make */
}
