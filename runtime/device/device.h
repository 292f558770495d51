/* A device and the list of devices, which are never freed. */
#ifndef SOLO_DEVICE_H
#define SOLO_DEVICE_H

#include "runtime/backend_call.h"
#include "runtime/base/lock.h"
#include "runtime/device/block.h"
#include "runtime/device/fptr_table.h"
#include "runtime/device/registry.h"
#include "runtime/table/mapping.h"

enum { SOLO_MAX_DEVICES = 1024 };

typedef struct solo_kernel_table solo_kernel_table;

typedef struct solo_device {
  /* constant after numbering */
  int number, ordinal;
  const solo_backend *backend;
  /* constant after opening */
  solo_bdevice *handle;
  solo_bqueue *shared_queue; /* of all threads, or for loading */
  solo_device_info info;     /* complete after solo_device_describe */
  uint64_t pool_threshold, pool_large;
  uint32_t unified; /* mappings copy nothing */
  uint32_t synchronous;
  _Atomic int may_call_host;         /* an image calls the host (rtl.h) */
  _Atomic int teams, teams_threads;  /* omp_set_device_num_teams and similar; 0: unset */
  _Atomic uint64_t ready_generation; /* generation of the last preparation; 0: none */
  _Atomic(solo_kernel_table *) kernels;
  _Atomic(solo_fptr_table *) fptr; /* NULL: no indirect function */
  solo_mapping_table mappings;
  solo_pool pool;
  SOLO_ALIGNED(SOLO_CACHE_PAIR)
  solo_lock lock; /* guards the rest; held during open, load, unload */
  uint32_t described;
  solo_status open_status;
  uint32_t openings; /* number of closes */
  solo_saved_error *open_error;
  solo_module *modules;
  struct solo_kernel *all_kernels, *free_kernels;
  solo_block *fptr_block; /* the device's copy of fptr */
  solo_fptr_list fptr_added;
  struct solo_fptr_retired *fptr_retired;
  struct solo_queue_lease *open_queues, *idle_queues;
  struct solo_thread_cache *caches, *idle_caches;
  /* The functions are set before the pointer. */
  _Atomic(struct solo_nowait_device *) nowait;
  void (*nowait_drain)(struct solo_device *device);
  void (*nowait_close)(struct solo_device *device);
} solo_device;

extern solo_device *solo_devices[SOLO_MAX_DEVICES];
/* Invariant: the first solo_devices_numbered entries are constant. */
extern _Atomic int solo_devices_numbered;

/* Held across the first driver calls. */
extern solo_lock solo_device_numbering;

/* Locks the device after a pending fork. */
void solo_device_lock(solo_device *device);

/* Nonzero: a forking thread needs the devices' locks. */
extern _Atomic uint32_t solo_device_fork_pending;

/* Nonzero: work is complete when the call returns. */
SOLO_INLINE int solo_device_is_synchronous(const solo_device *device) {
#ifdef SOLO_CPU_ONLY
  return (void)device, 1;
#else
  return device->synchronous;
#endif
}

SOLO_INLINE int solo_device_has_rtl(const solo_device *device) {
#ifdef SOLO_CPU_ONLY
  return (void)device, 0;
#else
  return (device->info.flags & SOLO_DEVICE_HAS_RTL) != 0;
#endif
}

#endif
