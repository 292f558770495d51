/* The lock of `omp critical` on NVIDIA GPUs, which Clang 19's device runtime lacks. In Clang's code the threads of a warp
 * enter a critical region one after another, so a spin lock does not deadlock. */
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
  /* LLVM's atomic operations for NVIDIA are relaxed */
  __nvvm_membar_gl();
  /* NVPTX has no seq_cst store */
  (void)__atomic_exchange_n(lock, FREE, __ATOMIC_SEQ_CST);
}
