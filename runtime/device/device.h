/* One device: what the rest of the runtime keeps of it, and the list of all of them. devices.h numbers
 * and opens them.
 *
 * Threads: as each member says. Ownership: devices are made once and never freed.
 */
#ifndef SOLO_DEVICE_H
#define SOLO_DEVICE_H

#include "runtime/backend_call.h"
#include "runtime/base/lock.h"
#include "runtime/device/block.h"
#include "runtime/device/fptr_table.h"
#include "runtime/device/registry.h"
#include "runtime/table/mapping.h"

enum { SOLO_MAX_DEVICES = 1024 };

typedef struct solo_kernel_table solo_kernel_table; /* kernel.h */

typedef struct solo_device {
  /* constant once numbered */
  int number, ordinal;
  const solo_backend *backend;
  /* constant once OPEN */
  solo_bdevice *handle;
  solo_bqueue
      *shared_queue;     /* SOLO_DEVICE_SYNCHRONOUS: every thread's; else for loading, with lock */
  solo_device_info info; /* complete after solo_device_describe */
  uint64_t pool_threshold, pool_large; /* blocks that the pool keeps (pool.h) */
  uint32_t unified; /* mapping copies nothing: shared memory, or the program requires USM */
  uint32_t synchronous;
  _Atomic int asks_host;            /* an image has LLVM's connection to the host (rtl.h) */
  _Atomic int teams, teams_threads; /* omp_set_device_num_teams and its like; 0: not said */
  /* hot, read-mostly */
  _Atomic uint64_t ready_generation; /* registry generation this device is prepared for; 0: never */
  _Atomic(solo_kernel_table *) kernels;
  _Atomic(solo_fptr_table *) fptr; /* fptr.h; NULL: no indirect function */
  solo_mapping_table mappings;
  solo_pool pool;
  /* guarded by lock */
  SOLO_ALIGNED(SOLO_CACHE_PAIR)
  solo_lock lock;          /* open, load, unload: held across driver calls, never on the hot path */
  uint32_t described;      /* info is complete (solo_device_describe) */
  solo_status open_status; /* of the one attempt to open it */
  uint32_t openings;       /* how often it was closed: queues of an earlier opening are stale */
  solo_kept_error *open_error; /* solo_error_kept, when open_status says so */
  solo_module *modules;
  struct solo_kernel *all_kernels, *free_kernels;
  solo_block *fptr_block;    /* the device's copy of fptr */
  solo_fptr_list fptr_added; /* pairs that the program gave (solo_fptr_add) */
  struct solo_fptr_retired *fptr_retired;
  struct solo_queue_lease *open_queues,
      *idle_queues; /* queue_pool.h: all open ones; those that nobody has leased */
  struct solo_thread_cache *caches,
      *idle_caches; /* thread_cache.h: all; those that no thread has */
  /* Of construct/nowait.c, which sets the functions before the pointer; NULL: no construct has ended
   * later yet. */
  _Atomic(struct solo_nowait_device *) nowait;
  void (*nowait_drain)(struct solo_device *device);
  void (*nowait_close)(struct solo_device *device);
} solo_device;

/* The devices that are numbered. Entries do not change once they are known. */
extern solo_device *solo_devices[SOLO_MAX_DEVICES];
extern _Atomic int solo_devices_known; /* entries of solo_devices in use */

/* Guards the numbering; held across drivers' first calls. */
extern solo_lock solo_device_numbering;

/* Takes the device's lock; lets a thread that forks go first (fork.h). */
void solo_device_lock(solo_device *device);

/* Nonzero: a thread is about to fork and wants the devices' locks. */
extern _Atomic uint32_t solo_device_fork_pending;

/* Is all work done when the call that enqueues it returns? In a library for the CPU alone the
 * answer is a constant, so that the compiler drops the code for other devices. */
SOLO_INLINE int solo_device_is_synchronous(const solo_device *device) {
#ifdef SOLO_CPU_ONLY
  return (void)device, 1;
#else
  return device->synchronous;
#endif
}

/* Does the device run Clang's device runtime (rtl.h)? */
SOLO_INLINE int solo_device_has_rtl(const solo_device *device) {
#ifdef SOLO_CPU_ONLY
  return (void)device, 0;
#else
  return (device->info.flags & SOLO_DEVICE_HAS_RTL) != 0;
#endif
}

#endif
