/* A device, and the list of devices. Devices are never freed. */
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
  /* constant once solo_devices_numbered includes the device */
  int number, ordinal;
  const solo_backend *backend;
  /* constant while the device is open */
  solo_bdevice *handle;
  /* synchronous device: for all threads; other devices: only to load images */
  solo_bqueue *shared_queue;
  solo_device_info info; /* solo_device_describe() completes members that are slow to determine */
  uint64_t pool_threshold, pool_large;
  uint32_t unified; /* 1: host and device share memory, so mappings copy nothing */
  uint32_t synchronous;
  /* 1: a loaded image can call the host, but no thread of this process serves the calls (rpc.c) */
  _Atomic int may_call_host;
  /* omp_set_device_num_teams, omp_set_device_teams_thread_limit; 0: unset */
  _Atomic int teams, teams_threads;
  /* registry generation for which the device is prepared; 0: not prepared */
  _Atomic uint64_t ready_generation;
  _Atomic(solo_kernel_table *) kernels;
  _Atomic(solo_fptr_table *) fptr;
  solo_mapping_table mappings;
  solo_pool pool;
  SOLO_ALIGNED(SOLO_CACHE_PAIR)
  /* guards the members below; held during open, load and unload */
  solo_lock lock;
  uint32_t described;
  solo_status open_status;
  uint32_t openings; /* counts closes; a lease or thread cache with an older value is stale */
  solo_saved_error *open_error;
  solo_module *modules;
  struct solo_kernel *all_kernels, *free_kernels;
  solo_block *fptr_block; /* device copy of the table fptr */
  solo_fptr_list fptr_added;
  struct solo_fptr_retired *fptr_retired;
  struct solo_queue_lease *open_queues, *idle_queues;
  struct solo_thread_cache *caches, *idle_caches;
  /* construct/nowait.c sets nowait_drain and nowait_close before `nowait`, so a thread that reads
   * `nowait` can call them. */
  _Atomic(struct solo_nowait_device *) nowait;
  void (*nowait_drain)(struct solo_device *device);
  void (*nowait_close)(struct solo_device *device);
} solo_device;

extern solo_device *solo_devices[SOLO_MAX_DEVICES];
/* Invariant: the first solo_devices_numbered entries are constant. */
extern _Atomic int solo_devices_numbered;

/* Guards the search for devices; held during the first driver calls. */
extern solo_lock solo_device_numbering;

void solo_device_lock(solo_device *device);

/* nonzero: a forking thread waits for the locks of all devices */
extern _Atomic uint32_t solo_device_fork_pending;

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
