#include "abi/depend.h"
#include "abi/include/omp.h"
#include "abi/policy.h"
#include "runtime/device/transfer.h"
#include <limits.h>
#include <stdlib.h>

static solo_status location_of(int number, uint64_t address, solo_location *out) {
  out->device = NULL;
  out->address = address;
  if (tgt_is_host(number)) return SOLO_OK;
  return tgt_get_device(number, &out->device);
}

static void *allocate(size_t bytes, int number, solo_memory_kind kind) {
  if (!bytes) return NULL;
  if (tgt_is_host(number)) return malloc(bytes);
  solo_device *device;
  void *address = NULL;
  solo_status status = tgt_get_device(number, &device);
  if (status == SOLO_OK) status = solo_memory_alloc(device, bytes, kind, &address);
  if (status != SOLO_OK) tgt_failed(status, TGT_SETUP, NULL);
  return address;
}

static void release(void *address, int number, solo_memory_kind kind) {
  if (!address) return;
  if (tgt_is_host(number)) {
    free(address);
    return;
  }
  solo_device *device;
  solo_status status = tgt_get_device(number, &device);
  if (status == SOLO_OK) status = solo_memory_free(device, address, kind);
  if (status != SOLO_OK) tgt_failed(status, TGT_SETUP, NULL);
}

SOLO_EXPORT void *omp_target_alloc(size_t bytes, int device) {
  tgt_report_call(__builtin_return_address(0));
  return allocate(bytes, device, SOLO_MEMORY_DEVICE);
}

SOLO_EXPORT void omp_target_free(void *address, int device) {
  tgt_report_call(__builtin_return_address(0));
  release(address, device, SOLO_MEMORY_DEVICE);
}

SOLO_EXPORT void *llvm_omp_target_alloc_device(size_t bytes, int device) {
  tgt_report_call(__builtin_return_address(0));
  return allocate(bytes, device, SOLO_MEMORY_DEVICE);
}

SOLO_EXPORT void *llvm_omp_target_alloc_host(size_t bytes, int device) {
  tgt_report_call(__builtin_return_address(0));
  return allocate(bytes, device, SOLO_MEMORY_HOST);
}

SOLO_EXPORT void *llvm_omp_target_alloc_shared(size_t bytes, int device) {
  tgt_report_call(__builtin_return_address(0));
  return allocate(bytes, device, SOLO_MEMORY_SHARED);
}

SOLO_EXPORT void llvm_omp_target_free_device(void *address, int device) {
  tgt_report_call(__builtin_return_address(0));
  release(address, device, SOLO_MEMORY_DEVICE);
}

SOLO_EXPORT void llvm_omp_target_free_host(void *address, int device) {
  tgt_report_call(__builtin_return_address(0));
  release(address, device, SOLO_MEMORY_HOST);
}

SOLO_EXPORT void llvm_omp_target_free_shared(void *address, int device) {
  tgt_report_call(__builtin_return_address(0));
  release(address, device, SOLO_MEMORY_SHARED);
}

SOLO_EXPORT void *llvm_omp_target_lock_mem(void *host, size_t bytes, int number) {
  if (!host || !bytes || tgt_is_host(number)) return host;
  solo_device *device;
  solo_devptr address = 0;
  solo_status status = tgt_get_device(number, &device);
  if (status == SOLO_OK)
    status = solo_backend_mem_pin(device->backend, device->handle, host, bytes, &address);
  if (status == SOLO_UNSUPPORTED && (device->info.flags & SOLO_DEVICE_UNIFIED_ADDRESSES))
    return host; /* the device can access the memory without pinning */
  if (status == SOLO_OK) return (void *)address;
  tgt_failed(status, TGT_SETUP, NULL);
  return NULL;
}

SOLO_EXPORT void llvm_omp_target_unlock_mem(void *host, int number) {
  if (!host || tgt_is_host(number)) return;
  solo_device *device;
  solo_status status = tgt_get_device(number, &device);
  if (status == SOLO_OK) status = solo_backend_mem_unpin(device->backend, device->handle, host);
  if (status == SOLO_UNSUPPORTED && (device->info.flags & SOLO_DEVICE_UNIFIED_ADDRESSES)) return;
  if (status != SOLO_OK) tgt_failed(status, TGT_SETUP, NULL);
}

SOLO_EXPORT void *llvm_omp_target_dynamic_shared_alloc(void) {
  return NULL;
}

static int reported(solo_status status) {
  if (status == SOLO_OK) return 0;
  tgt_failed(status, TGT_SETUP, NULL);
  return -1;
}

SOLO_EXPORT int omp_target_memcpy(void *dst, const void *src, size_t bytes, size_t dst_offset,
                                  size_t src_offset, int dst_device, int src_device) {
  if (!bytes) return 0;
  tgt_report_call(__builtin_return_address(0));
  if (!dst || !src)
    return reported(solo_fail(SOLO_INVALID, "omp_target_memcpy: %s is NULL", dst ? "src" : "dst"));
  solo_location to, from;
  solo_status status = location_of(dst_device, (uintptr_t)dst + dst_offset, &to);
  if (status == SOLO_OK) status = location_of(src_device, (uintptr_t)src + src_offset, &from);
  if (status == SOLO_OK) status = solo_transfer_copy(to, from, bytes);
  return reported(status);
}

SOLO_EXPORT int omp_target_memcpy_async(void *dst, const void *src, size_t bytes, size_t dst_offset,
                                        size_t src_offset, int dst_device, int src_device,
                                        int count, void **depend_objects) {
  tgt_wait_depend_objects(count, depend_objects);
  return omp_target_memcpy(dst, src, bytes, dst_offset, src_offset, dst_device, src_device);
}

#define RECT_PARAMETERS                                                                            \
  void *dst, const void *src, size_t element_bytes, int dimensions, const size_t *volume,          \
      const size_t *dst_offsets, const size_t *src_offsets, const size_t *dst_dimensions,          \
      const size_t *src_dimensions, int dst_device, int src_device

SOLO_EXPORT int omp_target_memcpy_rect(RECT_PARAMETERS) {
  /* returns the maximum number of dimensions (OpenMP 5.2, 18.8.6) */
  if (!dst && !src) return SOLO_MAX_RECT_DIMENSIONS;
  tgt_report_call(__builtin_return_address(0));
  if (!dst || !src)
    return reported(
        solo_fail(SOLO_INVALID, "omp_target_memcpy_rect: %s is NULL", dst ? "src" : "dst"));
  const solo_rect rect = {.element_bytes = element_bytes,
                          .dimensions = dimensions,
                          .volume = volume,
                          .to_offsets = dst_offsets,
                          .from_offsets = src_offsets,
                          .to_dimensions = dst_dimensions,
                          .from_dimensions = src_dimensions};
  solo_location to, from;
  solo_status status = location_of(dst_device, (uintptr_t)dst, &to);
  if (status == SOLO_OK) status = location_of(src_device, (uintptr_t)src, &from);
  if (status == SOLO_OK) status = solo_transfer_rect(to, from, &rect);
  return reported(status);
}

SOLO_EXPORT int omp_target_memcpy_rect_async(RECT_PARAMETERS, int count, void **depend_objects) {
  tgt_wait_depend_objects(count, depend_objects);
  return omp_target_memcpy_rect(dst, src, element_bytes, dimensions, volume, dst_offsets,
                                src_offsets, dst_dimensions, src_dimensions, dst_device,
                                src_device);
}

SOLO_EXPORT void *omp_target_memset(void *address, int value, size_t bytes, int device) {
  if (!address || !bytes) return address;
  solo_location to;
  solo_status status = location_of(device, (uintptr_t)address, &to);
  if (status == SOLO_OK) status = solo_transfer_fill(to, value, bytes);
  (void)reported(status);
  return address;
}

SOLO_EXPORT void *omp_target_memset_async(void *address, int value, size_t bytes, int device,
                                          int count, void **depend_objects) {
  tgt_wait_depend_objects(count, depend_objects);
  return omp_target_memset(address, value, bytes, device);
}
