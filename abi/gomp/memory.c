/* GCC's handles of predefined allocators equal LLVM's. */
#include "abi/gomp/internal.h"
#include "abi/include/omp.h"

SOLO_EXPORT void *GOMP_alloc(size_t alignment, size_t bytes, uintptr_t allocator) {
  void *block = omp_aligned_alloc(alignment, bytes, (omp_allocator_handle_t)allocator);
  if (!block && bytes)
    solo_kmp_fatal("out of memory for a variable of %zu bytes (allocate)", bytes);
  return block;
}

SOLO_EXPORT void GOMP_free(void *block, uintptr_t allocator) {
  omp_free(block, (omp_allocator_handle_t)allocator);
}
