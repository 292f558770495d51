#include "abi/memspace.h"

#pragma weak omp_init_allocator
#pragma weak omp_destroy_allocator

static omp_allocator_handle_t allocator_of(omp_memspace_handle_t handle) {
  static const struct {
    omp_memspace_handle_t space;
    omp_allocator_handle_t allocator;
  } predefined[] = {{SOLO_MEMSPACE_DEFAULT, omp_default_mem_alloc},
                    {omp_large_cap_mem_space, omp_large_cap_mem_alloc},
                    {omp_const_mem_space, omp_const_mem_alloc},
                    {omp_high_bw_mem_space, omp_high_bw_mem_alloc},
                    {omp_low_lat_mem_space, omp_low_lat_mem_alloc},
                    {llvm_omp_target_shared_mem_space, llvm_omp_target_shared_mem_alloc},
                    {llvm_omp_target_device_mem_space, llvm_omp_target_device_mem_alloc}};
  for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++)
    if (predefined[i].space == handle) return predefined[i].allocator;
  solo_memspace *space = (solo_memspace *)(uintptr_t)handle;
  if (!space || !omp_init_allocator) return omp_null_allocator;
  /* Invariant: a nonzero allocator is initialised and never replaced.
   * Ordering:  this acquire load pairs with the compare-and-swap below.
   * Otherwise: a thread could use an allocator before its members are written.
   */
  uintptr_t known = solo_load_acquire(&space->allocator);
  if (known) return (omp_allocator_handle_t)known;
  /* a failed allocation returns NULL, not memory of another space */
  omp_alloctrait_t none = {omp_atk_fallback, omp_atv_null_fb};
  omp_allocator_handle_t made = omp_init_allocator(handle, 1, &none);
  /* pairs with the acquire load above */
  if (solo_cas_acq_rel(&space->allocator, &known, (uintptr_t)made)) return made;
  omp_destroy_allocator(made);
  return (omp_allocator_handle_t)known;
}

#define DEFINE(name, parameters, arguments)                                                        \
  SOLO_EXPORT omp_allocator_handle_t omp_get_##name##_allocator parameters {                       \
    if (kind == omp_null_mem_space) kind = SOLO_MEMSPACE_DEFAULT; /* Clang 19's default */         \
    return allocator_of(omp_get_##name##_memspace arguments);                                      \
  }
DEFINE(devices, (int count, const int *devices, omp_memspace_handle_t kind), (count, devices, kind))
DEFINE(device, (int device, omp_memspace_handle_t kind), (device, kind))
DEFINE(devices_and_host, (int count, const int *devices, omp_memspace_handle_t kind),
       (count, devices, kind))
DEFINE(device_and_host, (int device, omp_memspace_handle_t kind), (device, kind))
DEFINE(devices_all, (omp_memspace_handle_t kind), (kind))
