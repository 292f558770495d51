#include "abi/kmpc/api/allocator.h"

#include "abi/memspace.h"
#include <stdlib.h>

static int apply(kmpc_allocator *a, const omp_alloctrait_t *trait) {
  switch (trait->key) {
  case omp_atk_alignment:
    a->alignment = trait->value;
    if (trait->value == omp_atv_default) a->alignment = 1;
    return a->alignment && !(a->alignment & (a->alignment - 1));
  case omp_atk_pool_size:
    a->pool = trait->value;
    return trait->value > 0;
  case omp_atk_fallback:
    a->fallback = (omp_alloctrait_value_t)trait->value;
    if (trait->value == omp_atv_default) a->fallback = omp_atv_default_mem_fb;
    return a->fallback >= omp_atv_default_mem_fb && a->fallback <= omp_atv_allocator_fb;
  case omp_atk_fb_data:
    a->next = (omp_allocator_handle_t)trait->value;
    return 1;
  case omp_atk_pinned:
    a->pinned = trait->value == omp_atv_true;
    return 1;
  case omp_atk_partitioner:
    a->partitioner = (const omp_mempartitioner_t *)trait->value;
    return 1;
  case omp_atk_partitioner_arg:
    a->partitioner_argument = trait->value;
    return 1;
  case omp_atk_partition: /* all other values: the operating system places the memory */
    a->is_partitioned = trait->value == omp_atv_partitioner;
    return 1;
  case omp_atk_sync_hint: /* no effect, because any thread and any device may use any block */
  case omp_atk_access:
  case omp_atk_device_access:
  case omp_atk_target_access:
  case omp_atk_atomic_scope:
  case omp_atk_pin_device:
  case omp_atk_preferred_device:
  case omp_atk_part_size:
    return 1;
  default:
    return 0;
  }
}

SOLO_EXPORT omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t space, int count,
                                                      omp_alloctrait_t traits[]) {
  kmpc_allocator *a = calloc(1, sizeof *a);
  if (!a) return omp_null_allocator;
  a->space = space == omp_null_mem_space ? SOLO_MEMSPACE_DEFAULT : space;
  a->fallback = omp_atv_default_mem_fb;
  a->next = omp_default_mem_alloc;
  for (int i = 0; i < count; i++) {
    if (apply(a, &traits[i])) continue;
    free(a);
    return omp_null_allocator;
  }
  if (a->is_partitioned && (!a->partitioner || !&solo_memspaces)) {
    free(a);
    return omp_null_allocator;
  }
  return (omp_allocator_handle_t)(uintptr_t)a;
}

SOLO_EXPORT void omp_destroy_allocator(omp_allocator_handle_t handle) {
  free(solo_kmp_allocator_of(handle));
}
