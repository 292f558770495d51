/* Memory spaces of devices (OpenMP 6.0, 27.1 to 27.5): which memory a handle stands for.
 *
 * A handle is a predefined number, or the address of a space: memory of one device, memory that a
 * device and the host reach, or a part of the host's memory (some of its NUMA nodes). Equal requests
 * give equal handles.
 *
 * Ownership: spaces are never freed; there are as many as there are different requests. Threads: any.
 * Errors: omp_null_mem_space; NULL for memory.
 */
#ifndef SOLO_ABI_MEMSPACE_H
#define SOLO_ABI_MEMSPACE_H

#include "abi/include/omp.h"
#include "runtime/base/atomic.h"

enum { SOLO_MEMSPACE_NODES = 64, SOLO_MEMSPACE_HOST = -1 };

/* omp_default_mem_space of programs that are compiled by LLVM 20 and later, whatever compiles this. Before it is 0. */
#define SOLO_MEMSPACE_DEFAULT ((omp_memspace_handle_t)99)

typedef struct solo_memspace {
  struct solo_memspace *next;
  omp_memspace_handle_t kind; /* the predefined space that it was asked for */
  int device;                 /* SOLO_MEMSPACE_HOST: none, the host's memory on the nodes */
  int shared;                 /* the host and the device reach it; else the device alone */
  uint64_t nodes;
  _Atomic uintptr_t allocator; /* omp_get_device_allocator's; 0: not asked for */
} solo_memspace;

/* The space behind a handle; NULL: a predefined one. */
SOLO_INLINE const solo_memspace *solo_memspace_of(omp_memspace_handle_t handle) {
  enum { PREDEFINED_LAST = 1024 };
  return (uintptr_t)handle <= PREDEFINED_LAST ? NULL : (const solo_memspace *)(uintptr_t)handle;
}

/* The seam with the allocators of static programs (abi/kmpc/api/alloc.c): the only reference in this
 * direction, weak there. */
typedef struct solo_memspace_seam {
  void *(*alloc)(const solo_memspace *space, size_t bytes);
  void (*free)(const solo_memspace *space, void *address, size_t bytes);
  /* Pages of the host's memory (memory_nodes.h). round: rounds up to whole pages; 0: too many. */
  size_t (*round)(size_t bytes);
  void *(*pages)(size_t bytes);
  void (*free_pages)(void *address, size_t bytes);
  /* Asks the partitioner for a partition of so many bytes and puts its parts where it says; 0: done.
   * memory: such pages, or of a space of one resource. */
  int (*place)(const omp_mempartitioner_t *partitioner, omp_uintptr_t argument,
               omp_memspace_handle_t space, void *memory, size_t bytes);
} solo_memspace_seam;
SOLO_EXPORT extern const solo_memspace_seam solo_memspaces SOLO_WEAK;

/* The pages of a range of memory_nodes.h lie on a resource of the space; 0: done. */
int solo_memspace_bind(void *address, size_t bytes, omp_memspace_handle_t space, int resource);
/* place of the seam. */
int solo_mempartition_place(const omp_mempartitioner_t *partitioner, omp_uintptr_t argument,
                            omp_memspace_handle_t space, void *memory, size_t bytes);

#endif
