/* Device code: the lock of `omp critical` on NVIDIA GPUs, which Clang 19's device runtime calls but
 * defines only for AMD GPUs. The compiler serialises the threads of a warp, so a spin lock
 * suffices. */
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
  (void)__atomic_exchange_n(lock, FREE, __ATOMIC_SEQ_CST); /* it has no store of this order */
}
