/* Look-up of mapped addresses. A processor overlaps the cache misses of several look-ups only
 * within a few hundred instructions. Therefore the common case has only about 60 instructions
 * without a loop. */
#include "abi/include/omp.h"
#include "abi/mapped.h"
#include "abi/policy.h"
#include "runtime/device/devices.h"

/* An open device is never the host. */
SOLO_INLINE int is_open(int number, solo_device **out_device) {
  /* relaxed: immutable settings */
  return SOLO_LIKELY(!(solo_load_relaxed(&tgt_state) & (TGT_UNREAD | TGT_DISABLED))) &&
         solo_device_is_ready(number, out_device);
}

/* relaxed: the program must not unmap the memory during the call */
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

static SOLO_NOINLINE void *find_address_in_shards(solo_device *device, const void *host) {
  solo_mapping *m = solo_mapping_find_in_shard_hints(&device->mappings, (uintptr_t)host, 1);
  return SOLO_LIKELY(m != NULL) ? address_in(m, host) : find_address(device, host);
}

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
  return SOLO_LIKELY(solo_mapping_find_by_hint(&device->mappings, (uintptr_t)host, 1) != NULL) ||
         find(device, host);
}

SOLO_EXPORT void *omp_get_mapped_ptr(const void *host, int number) {
  solo_device *device;
  if (SOLO_UNLIKELY(!is_open(number, &device))) return mapped_ptr_slow(host, number);
  solo_mapping *m = solo_mapping_find_by_hint(&device->mappings, (uintptr_t)host, 1);
  if (SOLO_LIKELY(m != NULL)) return address_in(m, host);
  return solo_mapping_has_shards(&device->mappings) ? find_address_in_shards(device, host)
                                                    : find_address(device, host);
}

SOLO_EXPORT solo_mapped solo_mapped_part(int number, const void *begin, size_t size) {
  solo_request request = {(uintptr_t)begin, size, SOLO_REF_NONE, 0};
  solo_device *device;
  solo_mapping *m;
  uint64_t version;
  if (!begin || tgt_get_device(number, &device) != SOLO_OK) return (solo_mapped){0};
  solo_presence presence = solo_mapping_try(&device->mappings, &request, &m, &version);
  if (presence != SOLO_CONTAINED && presence != SOLO_PARTIAL) return (solo_mapped){0};
  /* relaxed: the program must not unmap the range */
  return (solo_mapped){m, (char *)solo_load_relaxed(&m->begin), (char *)solo_load_relaxed(&m->end),
                       solo_load_relaxed(&m->device)};
}

SOLO_EXPORT int solo_pointer_is_attached(int number, const void *pointer) {
  uintptr_t host = (uintptr_t)pointer;
  solo_device *device;
  if (tgt_get_device(number, &device) != SOLO_OK) return 0;
  solo_mapping *m = find(device, pointer);
  if (!m) return 0;
  solo_mapping_table *table = solo_mapping_table_of(&device->mappings, m);
  solo_shadow found = {.value = 0};
  solo_mapping_table_lock(table);
  size_t count = solo_shadow_list(&table->shadows, host, host + sizeof(void *), &found, 1);
  solo_mapping_table_unlock(table);
  return count && found.host == host && found.value;
}
