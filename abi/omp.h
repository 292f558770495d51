/* Prototypes of the omp_* and llvm_omp_* functions that belong to the target runtime (OpenMP 5.2,
 * chapter 18.8; abi-facts 4.4). Users include build/include/omp.h; this header keeps definitions
 * and the core together without it.
 *
 * Threads: any. They work before any image is registered. Functions that return int return 0 on
 * success unless stated; a failure is told to the error callback and kept in the thread's record.
 */
#ifndef SOLO_ABI_OMP_H
#define SOLO_ABI_OMP_H

#include "runtime/base/platform.h"

SOLO_EXPORT int omp_get_num_devices(void);
SOLO_EXPORT int omp_get_initial_device(void);
SOLO_EXPORT int omp_get_device_num(void);
SOLO_EXPORT const char *omp_get_uid_from_device(int device);
SOLO_EXPORT int omp_get_device_from_uid(const char *uid);

SOLO_EXPORT void *omp_target_alloc(size_t bytes, int device);
SOLO_EXPORT void omp_target_free(void *address, int device);
SOLO_EXPORT int omp_target_is_present(const void *host, int device);
SOLO_EXPORT int omp_target_is_accessible(const void *host, size_t bytes, int device);
SOLO_EXPORT void *omp_get_mapped_ptr(const void *host, int device);
SOLO_EXPORT int omp_target_associate_ptr(const void *host, const void *device_ptr, size_t bytes,
                                         size_t offset, int device);
SOLO_EXPORT int omp_target_disassociate_ptr(const void *host, int device);

SOLO_EXPORT int omp_target_memcpy(void *dst, const void *src, size_t bytes, size_t dst_offset,
                                  size_t src_offset, int dst_device, int src_device);
SOLO_EXPORT int omp_target_memcpy_async(void *dst, const void *src, size_t bytes, size_t dst_offset,
                                        size_t src_offset, int dst_device, int src_device,
                                        int count, void **depend_objects);
#define OMP_RECT_PARAMETERS                                                                        \
  void *dst, const void *src, size_t element_bytes, int dimensions, const size_t *volume,          \
      const size_t *dst_offsets, const size_t *src_offsets, const size_t *dst_dimensions,          \
      const size_t *src_dimensions, int dst_device, int src_device
SOLO_EXPORT int omp_target_memcpy_rect(OMP_RECT_PARAMETERS);
SOLO_EXPORT int omp_target_memcpy_rect_async(OMP_RECT_PARAMETERS, int count, void **depend_objects);
SOLO_EXPORT void *omp_target_memset(void *address, int value, size_t bytes, int device);
SOLO_EXPORT void *omp_target_memset_async(void *address, int value, size_t bytes, int device,
                                          int count, void **depend_objects);

SOLO_EXPORT void *llvm_omp_target_alloc_device(size_t bytes, int device);
SOLO_EXPORT void *llvm_omp_target_alloc_host(size_t bytes, int device);
SOLO_EXPORT void *llvm_omp_target_alloc_shared(size_t bytes, int device);
SOLO_EXPORT void llvm_omp_target_free_device(void *address, int device);
SOLO_EXPORT void llvm_omp_target_free_host(void *address, int device);
SOLO_EXPORT void llvm_omp_target_free_shared(void *address, int device);
SOLO_EXPORT void *llvm_omp_target_lock_mem(void *host, size_t bytes, int device);
SOLO_EXPORT void llvm_omp_target_unlock_mem(void *host, int device);
SOLO_EXPORT void *llvm_omp_target_dynamic_shared_alloc(void);
SOLO_EXPORT void ompx_dump_mapping_tables(void);

#endif
