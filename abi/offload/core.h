/* The functions of the core that abi/offload calls. Errors: a status, with a record. */
#ifndef SOLO_ABI_OFFLOAD_CORE_H
#define SOLO_ABI_OFFLOAD_CORE_H

#include "abi/include/solo.h"
#include "runtime/device/kernel.h"
#include "runtime/device/queue.h"
#include "runtime/device/queue_pool.h"
#include "runtime/device/transfer.h"

enum { SOLO_OFFLOAD_CORE_VERSION = 1 };

struct tgt_interop;

typedef struct solo_offload_core_table {
  uint32_t version;
  void (*install_fork_handlers)(void);
  /* Includes devices for which the program has no image. */
  int (*device_count)(void);
  solo_device *(*device_at)(int number); /* not necessarily open */
  solo_status (*device_get)(int64_t number, solo_device **out_device);
  const solo_device_info *(*device_describe)(solo_device *device);
  solo_status (*lease_acquire)(solo_device *device, solo_queue_lease **out_lease);
  void (*lease_release)(solo_queue_lease *lease);
  solo_status (*memory_alloc)(solo_device *device, uint64_t bytes, solo_memory_kind kind,
                              void **out_address);
  solo_status (*memory_free)(solo_device *device, void *address, solo_memory_kind kind);
  /* UNSUPPORTED: the backend cannot pin memory. */
  solo_status (*pin)(solo_device *device, void *host, uint64_t bytes, solo_devptr *out_address);
  solo_status (*unpin)(solo_device *device, void *host);
  solo_status (*copy)(const solo_device *device, solo_bqueue *queue, const solo_copy *copy);
  solo_status (*copy_peer)(const solo_device *device, solo_bqueue *queue,
                           const solo_device *to_device, const solo_copy *copy);
  solo_status (*fill)(const solo_device *device, solo_bqueue *queue, solo_devptr to, int value,
                      uint64_t bytes);
  solo_status (*launch)(const solo_device *device, solo_bqueue *queue, const solo_kernel *kernel,
                        const solo_launch_record *record, const char *where);
  solo_status (*wait)(const solo_device *device, solo_bqueue *queue, const char *where);
  solo_status (*transfer)(solo_location to, solo_location from, uint64_t bytes);
  solo_status (*image_fits)(solo_device *device, const void *bytes, size_t size, int *out_fits);
  solo_status (*program_load)(solo_registration *registration, solo_device *device);
  solo_status (*kernel_find)(solo_registration *registration, solo_device *device, const char *name,
                             solo_kernel **out_kernel);
  solo_status (*global_find)(solo_registration *registration, solo_device *device, const char *name,
                             void **out_address, size_t *out_bytes);
  /* interop_queue returns the device and queue of an omp_interop object; interop_make creates one for the caller's queue. */
  solo_status (*interop_queue)(const struct tgt_interop *interop, solo_device **out_device,
                               solo_queue_lease **out_lease);
  solo_status (*interop_make)(solo_device *device, solo_queue_lease *lease,
                              struct tgt_interop **out_interop);
} solo_offload_core_table;

SOLO_EXPORT const solo_offload_core_table *solo_offload_core(void);

#endif
