/* Where host data is on a device: omp_get_mapped_ptr and omp_target_is_present.
 *
 * A program asks for array after array, and where there are many of them two cache misses for each, of
 * its hint and of its mapping, take the time. A processor begins the misses of the next look-ups while it
 * waits for one, as far as it looks ahead: some hundreds of instructions. So the common case, the address
 * where a mapping begins and a device that is open, is a straight line of some 60 instructions. With 155,
 * in functions of which each asked again what was known already, a look-up of one of 100,000 mappings
 * took half as long again (bench: mapping_scale).
 *
 * Under unified_shared_memory nothing else holds: as in stock.
 */
#include "abi/include/omp.h"
#include "abi/policy.h"
#include "runtime/device/devices.h"

/* The device, if it is open and offloading is not disabled: then the number is not the host's. */
SOLO_INLINE int is_open(int number, solo_device **out_device) {
  /* relaxed: the settings it came from are immutable */
  return SOLO_LIKELY(!(solo_load_relaxed(&tgt_state) & (TGT_UNREAD | TGT_DISABLED))) &&
         solo_device_is_ready(number, out_device);
}

/* relaxed: the program keeps it mapped while it asks */
SOLO_INLINE void *address_in(const solo_mapping *m, const void *host) {
  return (void *)(solo_load_relaxed(&m->device) + ((uintptr_t)host - solo_load_relaxed(&m->begin)));
}

static SOLO_NOINLINE solo_mapping *find(solo_device *device, const void *host) {
  return solo_mapping_containing(&device->mappings, (uintptr_t)host, 1);
}

static SOLO_NOINLINE void *find_address(solo_device *device, const void *host) {
  solo_mapping *m = solo_mapping_containing(&device->mappings, (uintptr_t)host, 1);
  return m ? address_in(m, host) : NULL;
}

/* Nearly as straight where there are shards. */
static SOLO_NOINLINE void *find_address_in_shards(solo_device *device, const void *host) {
  solo_mapping *m = solo_mapping_look_in_shards(&device->mappings, (uintptr_t)host, 1);
  return SOLO_LIKELY(m != NULL) ? address_in(m, host) : find_address(device, host);
}

/* What needs more than an open device. */
static SOLO_COLD int is_present_slow(const void *host, int number) {
  if (!host) return 0;
  if (tgt_is_host(number)) return 1;
  solo_device *device;
  solo_status status = tgt_get_device(number, &device);
  if (status == SOLO_OK) return find(device, host) != NULL;
  tgt_failed(status, TGT_SETUP, NULL);
  return 0;
}

static SOLO_COLD void *mapped_ptr_slow(const void *host, int number) {
  if (!host) return NULL;
  if (tgt_is_host(number)) return (void *)(uintptr_t)host;
  solo_device *device;
  return tgt_get_device(number, &device) == SOLO_OK ? find_address(device, host) : NULL;
}

SOLO_EXPORT int omp_target_is_present(const void *host, int number) {
  solo_device *device;
  if (SOLO_UNLIKELY(!is_open(number, &device))) return is_present_slow(host, number);
  return SOLO_LIKELY(solo_mapping_look(&device->mappings, (uintptr_t)host, 1) != NULL) ||
         find(device, host);
}

SOLO_EXPORT void *omp_get_mapped_ptr(const void *host, int number) {
  solo_device *device;
  if (SOLO_UNLIKELY(!is_open(number, &device))) return mapped_ptr_slow(host, number);
  solo_mapping *m = solo_mapping_look(&device->mappings, (uintptr_t)host, 1);
  if (SOLO_LIKELY(m != NULL)) return address_in(m, host);
  return solo_mapping_has_shards(&device->mappings) ? find_address_in_shards(device, host)
                                                    : find_address(device, host);
}
