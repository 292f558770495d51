/* Memory partitioners (OpenMP 6.0, 27.5). A partition is computed for each allocation; the declared
 * lifetime is ignored (abi/kmpc/api/alloc.c). */
#include "abi/memspace.h"

#include <stdlib.h>

typedef struct part {
  int resource;
  size_t size;
} part;

SOLO_EXPORT void omp_init_mempartitioner(omp_mempartitioner_t *partitioner,
                                         omp_mempartitioner_lifetime_t lifetime,
                                         omp_mempartitioner_compute_proc_t compute,
                                         omp_mempartitioner_release_proc_t release) {
  *partitioner = (omp_mempartitioner_t){lifetime, compute, release};
}

SOLO_EXPORT void omp_destroy_mempartitioner(const omp_mempartitioner_t *partitioner) {
  *(omp_mempartitioner_t *)(uintptr_t)partitioner = (omp_mempartitioner_t){0};
}

SOLO_EXPORT void omp_init_mempartition(omp_mempartition_t *partition, size_t count,
                                       const void *user_data) {
  partition->_parts = calloc(count ? count : 1, sizeof(part));
  partition->_count = partition->_parts ? count : 0;
  partition->_user_data = user_data;
}

SOLO_EXPORT void omp_destroy_mempartition(const omp_mempartition_t *partition) {
  omp_mempartition_t *p = (omp_mempartition_t *)(uintptr_t)partition;
  free(p->_parts);
  p->_parts = NULL;
  p->_count = 0;
}

SOLO_EXPORT int omp_mempartition_set_part(omp_mempartition_t *partition, size_t index, int resource,
                                          size_t size) {
  size_t page = omp_get_memspace_pagesize(partition->_space);
  if (index >= partition->_count || !page) return -1;
  if (resource < 0 || resource >= omp_get_memspace_num_resources(partition->_space)) return -1;
  if (index + 1 < partition->_count && size % page) return -1;
  ((part *)partition->_parts)[index] = (part){resource, size};
  return 0;
}

SOLO_EXPORT void *omp_mempartition_get_user_data(const omp_mempartition_t *partition) {
  return (void *)(uintptr_t)partition->_user_data;
}

static int bind_parts(const omp_mempartition_t *partition, char *memory, size_t bytes) {
  const part *parts = partition->_parts;
  size_t at = 0;
  for (size_t i = 0; i < partition->_count; at += parts[i++].size) {
    if (parts[i].size > bytes - at) return -1;
    if (parts[i].size &&
        solo_memspace_bind(memory + at, parts[i].size, partition->_space, parts[i].resource) != 0)
      return -1;
  }
  return at == bytes ? 0 : -1;
}

int solo_mempartition_place(const omp_mempartitioner_t *partitioner, omp_uintptr_t argument,
                            omp_memspace_handle_t space, void *memory, size_t bytes) {
  omp_mempartition_t partition = {._space = space};
  partitioner->_compute(space, bytes, (omp_alloctrait_val_t)argument, &partition);
  int status = partition._parts ? bind_parts(&partition, memory, bytes) : -1;
  if (partitioner->_release)
    partitioner->_release(&partition);
  else
    omp_destroy_mempartition(&partition);
  return status;
}
