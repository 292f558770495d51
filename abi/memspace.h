/* Memory spaces of devices (OpenMP 6.0, 27.1 to 27.5; docs/design/abi.md). A handle is a predefined
 * number or the address of a space. Spaces are never freed. Failures: omp_null_mem_space or NULL. */
#ifndef SOLO_ABI_MEMSPACE_H
#define SOLO_ABI_MEMSPACE_H

#include "abi/include/omp.h"
#include "runtime/base/atomic.h"

enum { SOLO_MEMSPACE_NODES = 64, SOLO_MEMSPACE_HOST = -1 };

#define SOLO_MEMSPACE_DEFAULT ((omp_memspace_handle_t)99)

typedef struct solo_memspace {
  struct solo_memspace *next;
  omp_memspace_handle_t kind;
  int device;
  int shared;
  uint64_t nodes;
  _Atomic uintptr_t allocator; /* 0: not yet created */
} solo_memspace;

SOLO_INLINE const solo_memspace *solo_memspace_of(omp_memspace_handle_t handle) {
  enum { PREDEFINED_LAST = 1024 };
  return (uintptr_t)handle <= PREDEFINED_LAST ? NULL : (const solo_memspace *)(uintptr_t)handle;
}

/* Functions for abi/kmpc/api/alloc.c, which refers to them weakly, because not all programs use
 * memory spaces. */
typedef struct solo_memspace_seam {
  void *(*alloc)(const solo_memspace *space, size_t bytes);
  void (*free)(const solo_memspace *space, void *address, size_t bytes);
  size_t (*round)(size_t bytes);
  void *(*pages)(size_t bytes);
  void (*free_pages)(void *address, size_t bytes);
  /* Binds whole pages to the resources that the partitioner selects. 0: success. */
  int (*place)(const omp_mempartitioner_t *partitioner, omp_uintptr_t argument,
               omp_memspace_handle_t space, void *memory, size_t bytes);
} solo_memspace_seam;
SOLO_EXPORT extern const solo_memspace_seam solo_memspaces SOLO_WEAK;

/* Binds pages to one resource of the space. 0: success. */
int solo_memspace_bind(void *address, size_t bytes, omp_memspace_handle_t space, int resource);
int solo_mempartition_place(const omp_mempartitioner_t *partitioner, omp_uintptr_t argument,
                            omp_memspace_handle_t space, void *memory, size_t bytes);

#endif
