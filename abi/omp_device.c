#include "abi/include/omp.h"
#include "abi/policy.h"
#include "abi/tgt.h"
#include "runtime/base/log.h"
#include "runtime/device/devices.h"
#include "runtime/device/fork.h"
#include "runtime/device/registry.h"
#include "runtime/host_threads.h"
#include "runtime/trace/observer.h"
#include <string.h>

SOLO_EXPORT int solo_program_has_images(void);
SOLO_EXPORT int solo_program_has_images(void) {
  solo_library *first = solo_registry_next(NULL);
  if (first) solo_registry_release(first);
  return first != NULL;
}

/* For abi/gomp. Returns whether the device is a CPU device. */
SOLO_EXPORT int solo_device_is_cpu(int number);
SOLO_EXPORT int solo_device_is_cpu(int number) {
  const solo_device *device = solo_device_at(number);
  return device && strcmp(device->backend->name, "host") == 0;
}

/* Weak: abi/gomp/presence.c replaces it in static programs that have objects of GCC. */
SOLO_EXPORT SOLO_WEAK int omp_get_num_devices(void) {
  return __tgt_get_num_devices();
}

SOLO_EXPORT int omp_get_initial_device(void) {
  return omp_get_num_devices();
}

int tgt_is_host(int number) {
  return number == omp_initial_device || number == omp_get_initial_device();
}

SOLO_EXPORT int omp_get_device_num(void) {
  int inside = &solo_host_threads ? solo_host_threads.device() : solo_target_current.device;
  return inside >= 0 ? inside : omp_get_initial_device();
}

SOLO_EXPORT const char *omp_get_uid_from_device(int number) {
  solo_device *device;
  if (tgt_is_host(number)) return "HOST";
  if (tgt_get_device(number, &device) != SOLO_OK) return NULL;
  const solo_device_info *info = solo_device_describe(device);
  return info->uid[0] ? info->uid : NULL;
}

SOLO_EXPORT int omp_get_device_from_uid(const char *uid) {
  if (!uid) return -2;
  int count = omp_get_num_devices();
  if (strcmp(uid, "HOST") == 0) return count;
  for (int i = 0; i < count; i++) {
    const char *have = omp_get_uid_from_device(i);
    if (have && strcmp(have, uid) == 0) return i;
  }
  return -2;
}

SOLO_EXPORT int omp_target_is_accessible(const void *host, size_t bytes, int number) {
  if (!host) return 0;
  if (tgt_is_host(number)) return 1;
  solo_device *device;
  (void)bytes; /* ignored: a device can access either all host memory or none */
  if (tgt_get_device(number, &device) != SOLO_OK) return 0;
  return device->unified || (solo_device_is_synchronous(device) &&
                             (device->info.flags & SOLO_DEVICE_UNIFIED_ADDRESSES));
}

static int fail(solo_status status) {
  tgt_failed(status, TGT_SETUP, NULL);
  return -1;
}

static int reject_on_host(const char *routine) {
  (void)solo_fail(SOLO_INVALID, "%s: pointers cannot be associated on the host device", routine);
  tgt_failed(SOLO_INVALID, TGT_REFUSED, NULL);
  return -1;
}

SOLO_EXPORT int omp_target_associate_ptr(const void *host, const void *device_ptr, size_t bytes,
                                         size_t offset, int number) {
  if (!host || !device_ptr || !bytes || bytes > UINTPTR_MAX - (uintptr_t)host)
    return fail(solo_fail(
        SOLO_INVALID, "omp_target_associate_ptr: invalid argument: host %p, device %p, %zu bytes",
        host, device_ptr, bytes));
  if (tgt_is_host(number)) return reject_on_host(__func__);
  tgt_report_call(__builtin_return_address(0));
  solo_device *device;
  solo_status status = tgt_get_device(number, &device);
  if (status != SOLO_OK) return fail(status);
  uintptr_t begin = (uintptr_t)host;
  solo_mapping_new what = {.begin = begin,
                           .end = begin + bytes,
                           .base = begin,
                           .device = (uintptr_t)device_ptr + offset,
                           .counts = SOLO_COUNT_DYNAMIC,
                           .flags = SOLO_MAPPING_ASSOCIATED};
  solo_mapping *m;
  uint64_t version; /* unused, because omp_target_disassociate_ptr releases the reference */
  solo_index_range clash;
  solo_fork_begin_thread();
  status = solo_mapping_insert(&device->mappings, &what, &m, &version, &clash);
  if (status == SOLO_OK) {
    if (solo_is_observed())
      solo_observe_moment(&(solo_trace_event){.kind = SOLO_TRACE_ASSOCIATE,
                                              .device = number,
                                              .bytes = bytes,
                                              .to = what.device,
                                              .from = begin});
    return 0;
  }
  if (status == SOLO_OVERLAP) {
    solo_mapping *old = solo_mapping_containing(&device->mappings, begin, bytes);
    if (old && clash.begin == begin && clash.end == begin + bytes &&
        (old->flags & SOLO_MAPPING_ASSOCIATED) &&
        solo_load_relaxed(&old->device) == what.device) /* relaxed: constant while associated */
      return 0;
    status = solo_fail(SOLO_OVERLAP,
                       "omp_target_associate_ptr: %p, %zu bytes: %p to %p is already mapped on "
                       "device %d",
                       host, bytes, (void *)clash.begin, (void *)clash.end, number);
  }
  return fail(status);
}

SOLO_EXPORT int omp_target_disassociate_ptr(const void *host, int number) {
  if (!host) return fail(solo_fail(SOLO_INVALID, "omp_target_disassociate_ptr: ptr is NULL"));
  if (tgt_is_host(number)) return reject_on_host(__func__);
  tgt_report_call(__builtin_return_address(0));
  solo_device *device;
  solo_status status = tgt_get_device(number, &device);
  if (status != SOLO_OK) return fail(status);
  status = solo_mapping_disassociate(&device->mappings, (uintptr_t)host);
  if (status == SOLO_OK) {
    if (solo_is_observed())
      solo_observe_moment(&(solo_trace_event){
          .kind = SOLO_TRACE_DISASSOCIATE, .device = number, .from = (uintptr_t)host});
    return 0;
  }
  solo_fail(status, "%s: omp_target_disassociate_ptr: %p on device %d %s",
            status == SOLO_NOT_FOUND
                ? "Trying to disassociate a pointer which was not mapped via "
                  "omp_target_associate_ptr"
                : "Trying to disassociate a pointer with a non-zero hold reference count",
            host, number, status == SOLO_NOT_FOUND ? "was not associated" : "is still in use");
  tgt_failed(status, TGT_REFUSED, NULL);
  return -1;
}

SOLO_EXPORT void ompx_dump_mapping_tables(void) {
  if (!tgt_is_disabled()) tgt_print_tables(";libomptarget;libomptarget;0;0;;");
}
