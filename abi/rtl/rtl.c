#include "abi/include/tgt_rtl.h"

#include "abi/policy.h"
#include "abi/rtl/load.h"
#include "runtime/device/devices.h"
#include "runtime/device/fptr.h"
#include "runtime/device/transfer.h"
#include "runtime/launch/launch.h"
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(__omp_offloading_fptr_map_ty) == sizeof(solo_fptr_pair),
               "pairs are the runtime's");

solo_status tgt_rtl_device(int32_t number, solo_device **out_device) {
  if (tgt_is_disabled()) return solo_fail(SOLO_DISABLED, "OMP_TARGET_OFFLOAD=disabled: no devices");
  return solo_device_get(number, out_device);
}

SOLO_EXPORT int32_t __tgt_rtl_number_of_devices(void) {
  return tgt_is_disabled() ? 0 : solo_device_count();
}

SOLO_EXPORT int32_t __tgt_rtl_init_device(int32_t device_id) {
  solo_device *device;
  return (int32_t)tgt_rtl_device(device_id, &device);
}

SOLO_EXPORT int32_t __tgt_init_device(int32_t device_id) {
  return __tgt_rtl_init_device(device_id);
}

SOLO_EXPORT tgt_target_table *__tgt_rtl_load_binary(int32_t device_id, __tgt_device_image *image) {
  solo_device *device;
  tgt_target_table *table;
  if (tgt_rtl_device(device_id, &device) != SOLO_OK) return NULL;
  return tgt_rtl_load(device, image, &table) == SOLO_OK ? table : NULL;
}

static solo_status recognise(void *context, const solo_image *image) {
  int *recognised = context;
  for (int b = 0; b < solo_backend_count && !*recognised; b++)
    if (solo_backends[b]) *recognised = SOLO_OP(solo_backends[b], image_recognise)(image);
  return SOLO_OK;
}

SOLO_EXPORT int32_t __tgt_rtl_is_valid_binary(__tgt_device_image *image) {
  int recognised = 0;
  if (!image || !image->ImageStart || (char *)image->ImageEnd < (char *)image->ImageStart) return 0;
  solo_span bytes = solo_span_of(image->ImageStart,
                                 (size_t)((char *)image->ImageEnd - (char *)image->ImageStart));
  return solo_image_visit(bytes, recognise, &recognised) == SOLO_OK && recognised;
}

SOLO_EXPORT void *__tgt_rtl_data_alloc(int32_t device_id, int64_t size) {
  solo_device *device;
  void *address = NULL;
  if (size <= 0) {
    (void)solo_fail(SOLO_INVALID, "__tgt_rtl_data_alloc: size %lld is not positive",
                    (long long)size);
    return NULL;
  }
  if (tgt_rtl_device(device_id, &device) != SOLO_OK ||
      solo_memory_alloc(device, (uint64_t)size, SOLO_MEMORY_DEVICE, &address) != SOLO_OK)
    return NULL;
  return address;
}

SOLO_EXPORT int32_t __tgt_rtl_data_delete(int32_t device_id, void *target_ptr) {
  solo_device *device;
  SOLO_TRY(tgt_rtl_device(device_id, &device));
  if (!target_ptr) return SOLO_OK;
  return (int32_t)solo_memory_free(device, target_ptr, SOLO_MEMORY_DEVICE);
}

solo_status tgt_rtl_check_range(const void *target, const void *host, int64_t size) {
  if (size < 0 || (size > 0 && (!target || !host)))
    return solo_fail(SOLO_INVALID, "copy of %lld bytes between host %p and target %p",
                     (long long)size, host, target);
  return SOLO_OK;
}

SOLO_EXPORT int32_t __tgt_rtl_data_submit(int32_t device_id, void *target_ptr, void *host_ptr,
                                          int64_t size) {
  solo_device *device;
  SOLO_TRY(tgt_rtl_device(device_id, &device));
  SOLO_TRY(tgt_rtl_check_range(target_ptr, host_ptr, size));
  return (int32_t)solo_transfer_copy((solo_location){device, (uintptr_t)target_ptr},
                                     (solo_location){NULL, (uintptr_t)host_ptr}, (uint64_t)size);
}

SOLO_EXPORT int32_t __tgt_rtl_data_retrieve(int32_t device_id, void *host_ptr, void *target_ptr,
                                            int64_t size) {
  solo_device *device;
  SOLO_TRY(tgt_rtl_device(device_id, &device));
  SOLO_TRY(tgt_rtl_check_range(target_ptr, host_ptr, size));
  return (int32_t)solo_transfer_copy((solo_location){NULL, (uintptr_t)host_ptr},
                                     (solo_location){device, (uintptr_t)target_ptr},
                                     (uint64_t)size);
}

int tgt_rtl_has_hidden(const solo_kernel *kernel) {
  static const char prefix[] = "__omp_offloading_";
  return kernel->mode != SOLO_MODE_BARE || strncmp(kernel->name, prefix, sizeof prefix - 1) == 0;
}

solo_status tgt_rtl_run(solo_device *device, const solo_kernel *kernel, void **vars, int32_t count,
                        const solo_launch_request *shape) {
  enum { FEW = 16 };
  int64_t few[2 * FEW], *words = few;
  if (count > FEW) words = malloc((size_t)count * 2 * sizeof *words);
  if (!words) return solo_fail(SOLO_NOMEM, "no host memory for %d kernel arguments", count);
  for (int32_t i = 0; i < count; i++) {
    words[i] = 8;
    words[count + i] = (int64_t)(SOLO_MAP_LITERAL | SOLO_MAP_TARGET_PARAM);
  }
  solo_launch_request request = *shape;
  if (!tgt_rtl_has_hidden(kernel)) request.flags |= SOLO_LAUNCH_NO_HIDDEN;
  /* relaxed: constant while the image is loaded */
  request.key = (const void *)solo_load_relaxed(&kernel->key);
  request.list = (solo_map_list){
      .count = count, .bases = vars, .begins = vars, .sizes = words, .types = words + count};
  solo_status status = solo_launch(device, &request);
  if (words != few) free(words);
  return status;
}

solo_status tgt_rtl_check_launch(const void *entry, void *const *vars, int32_t count) {
  if (!entry || count < 0 || (count > 0 && !vars))
    return solo_fail(SOLO_INVALID, "target region %p with %d arguments at %p", entry, count,
                     (const void *)vars);
  return SOLO_OK;
}

solo_launch_request tgt_rtl_shape(int32_t teams, int32_t threads) {
  return (solo_launch_request){.teams = {teams > 0 ? (uint32_t)teams : 0, 0, 0},
                               .threads = {threads > 0 ? (uint32_t)threads : 0, 0, 0}};
}

static int32_t run(int32_t device_id, const void *entry, void **vars, int32_t count,
                   const solo_launch_request *shape) {
  solo_device *device;
  SOLO_TRY(tgt_rtl_device(device_id, &device));
  SOLO_TRY(tgt_rtl_check_launch(entry, vars, count));
  return (int32_t)tgt_rtl_run(device, entry, vars, count, shape);
}

SOLO_EXPORT int32_t __tgt_rtl_run_target_region(int32_t device_id, void *target_entry_ptr,
                                                void **target_vars_ptr, int32_t arg_num) {
  solo_launch_request shape = tgt_rtl_shape(1, 0);
  return run(device_id, target_entry_ptr, target_vars_ptr, arg_num, &shape);
}

SOLO_EXPORT int32_t __tgt_rtl_run_target_team_region(int32_t device_id, void *target_entry_ptr,
                                                     void **target_vars_ptr, int32_t arg_num,
                                                     int32_t num_teams, int32_t thread_limit) {
  solo_launch_request shape = tgt_rtl_shape(num_teams, thread_limit);
  return run(device_id, target_entry_ptr, target_vars_ptr, arg_num, &shape);
}

static solo_status set_map(int32_t number, uint64_t size,
                           const __omp_offloading_fptr_map_ty *table) {
  solo_device *device;
  SOLO_TRY(tgt_rtl_device(number, &device));
  if (size > SIZE_MAX / sizeof *table || (size && !table))
    return solo_fail(SOLO_INVALID, "__tgt_rtl_set_function_ptr_map: %llu pairs at %p",
                     (unsigned long long)size, (const void *)table);
  return solo_fptr_set(device, (const solo_fptr_pair *)(const void *)table, (size_t)size);
}

SOLO_EXPORT void __tgt_rtl_set_function_ptr_map(int32_t device_id, uint64_t table_size,
                                                __omp_offloading_fptr_map_ty *table_host_ptr) {
  solo_error_clear(); /* so that solo_last_error() shows the result of this call */
  (void)set_map(device_id, table_size, table_host_ptr);
}
