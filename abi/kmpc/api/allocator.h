/* Allocators that omp_init_allocator creates (OpenMP 5.2, 6.2). The program owns them. Units:
 * bytes. */
#ifndef SOLO_KMPC_ALLOCATOR_H
#define SOLO_KMPC_ALLOCATOR_H

#include "abi/include/omp.h"
#include "runtime/base/atomic.h"

enum { KMPC_ALLOCATOR_PREDEFINED = 8 }; /* highest handle of OpenMP's predefined allocators */

typedef struct kmpc_allocator {
  omp_memspace_handle_t space;
  size_t alignment;
  size_t pool;
  _Atomic size_t used;
  omp_alloctrait_value_t fallback;
  omp_allocator_handle_t next;
  int pinned;
  const omp_mempartitioner_t *partitioner;
  omp_uintptr_t partitioner_argument;
  int is_partitioned;
} kmpc_allocator;

SOLO_INLINE int solo_kmp_allocator_is_predefined(omp_allocator_handle_t handle) {
  return (uintptr_t)handle <= KMPC_ALLOCATOR_PREDEFINED ||
         (handle >= llvm_omp_target_host_mem_alloc && handle <= llvm_omp_target_device_mem_alloc);
}

SOLO_INLINE kmpc_allocator *solo_kmp_allocator_of(omp_allocator_handle_t handle) {
  return solo_kmp_allocator_is_predefined(handle) ? NULL : (kmpc_allocator *)(uintptr_t)handle;
}

#endif
