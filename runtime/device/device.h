/* The devices of all backends under one numbering, each opened when it is first used.
 *
 * A backend takes part when some registered image is of its kind, or when no image is registered at
 * all (explicit use): a program with CPU images never wakes a GPU driver. Numbers follow the order
 * of solo_backends; a backend that comes to take part later (dlopen) gets numbers behind.
 *
 *   UNOPENED --first use--> OPEN --(library added or removed: generation differs)--> prepared again
 *        |                                                                             |
 *        +--open failed--> FAILED (sticky; the reason is kept and told each time)  <---+ no
 *
 * Threads: all functions from any thread. solo_device_ready is the hot path: two loads.
 */
#ifndef SOLO_DEVICE_H
#define SOLO_DEVICE_H

#include "runtime/backend_call.h"
#include "runtime/base/lock.h"
#include "runtime/device/fptr_table.h"
#include "runtime/device/pool.h"
#include "runtime/device/registry.h"
#include "runtime/table/mapping.h"
#include <stdio.h>

enum { SOLO_MAX_DEVICES = 64 };

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
  uint64_t pool_threshold;
  uint32_t unified; /* mapping copies nothing: shared memory, or the program requires USM */
  uint32_t synchronous;
  /* hot, read-mostly */
  _Atomic uint64_t ready_generation; /* registry generation this device is prepared for; 0: never */
  _Atomic(solo_kernel_table *) kernels;
  _Atomic(solo_fptr_table *) fptr; /* fptr.h; NULL: no indirect function */
  solo_mapping_table mappings;
  solo_pool pool;
  /* guarded by lock */
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
  struct solo_queue_node *open_queues, *free_queues; /* thread_queue.h: all; those of no thread */
  /* Of construct/nowait.c, which sets the functions before the pointer; NULL: no construct has ended
   * later yet. */
  _Atomic(struct solo_nowait_device *) nowait;
  void (*nowait_drain)(struct solo_device *device);
  void (*nowait_close)(struct solo_device *device);
} solo_device;

/* Takes the device's lock; lets a thread that forks go first (fork.h). */
void solo_device_lock(solo_device *device);

/* Is all work done when the call that enqueues it returns? A library for the CPU alone knows when
 * it is compiled, and carries none of what is for other devices. */
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

/* Number of devices; finds them at the first call and after registrations. 0 when there are none
 * (solo_device_explain says why). */
int solo_device_count(void);

/* Guards the numbering; held across drivers' first calls. For fork.c. */
extern solo_lock solo_device_numbering;

/* A numbered device, not necessarily open; NULL outside 0 <= number < solo_device_count(). */
solo_device *solo_device_at(int number);

/* The device's info with everything filled in; the device is open. */
const solo_device_info *solo_device_describe(solo_device *device);

/* Opens and prepares: slow path of solo_device_get. */
solo_status solo_device_prepare(solo_device *device) SOLO_MUST_CHECK SOLO_COLD;

/* Called for each open device before it is closed: set by who keeps queues of his own. NULL:
 * nobody.
 */
extern _Atomic(void (*)(solo_device *)) solo_device_closing;

extern solo_device *solo_devices[SOLO_MAX_DEVICES];
extern _Atomic int solo_devices_known; /* entries of solo_devices in use */

/* The device, open, with every registered library's data loaded. NOT_FOUND: no such number. */
SOLO_INLINE SOLO_MUST_CHECK solo_status solo_device_get(int64_t number, solo_device **out_device);
solo_status solo_device_get_slow(int64_t number,
                                 solo_device **out_device) SOLO_MUST_CHECK SOLO_COLD;

SOLO_INLINE int solo_device_ready(const solo_device *device) {
  /* acquire: pairs with the release at the end of solo_device_prepare; the generation's acquire
   * pairs with solo_registry_add and _remove */
  return solo_load_acquire(&device->ready_generation) ==
         solo_load_acquire(&solo_registry_generation);
}

SOLO_INLINE solo_status solo_device_get(int64_t number, solo_device **out_device) {
  /* acquire: pairs with the release in find_devices (device.c) */
  if (SOLO_LIKELY((uint64_t)number < (uint64_t)solo_load_acquire(&solo_devices_known))) {
    solo_device *device = solo_devices[number];
    if (SOLO_LIKELY(solo_device_ready(device))) {
      *out_device = device;
      return SOLO_OK;
    }
  }
  return solo_device_get_slow(number, out_device);
}

/* The calling thread's queue on the device (one per thread, kept; given back when it ends). */
solo_status solo_device_queue_slow(solo_device *device, solo_bqueue **out_queue) SOLO_MUST_CHECK;
SOLO_INLINE solo_status solo_device_queue(solo_device *device, solo_bqueue **out_queue) {
  if (SOLO_LIKELY(solo_device_is_synchronous(device))) {
    *out_queue = device->shared_queue;
    return SOLO_OK;
  }
  return solo_device_queue_slow(device, out_queue);
}

/* Everything that can be said about why there are (no) devices and which image was refused why. */
void solo_device_explain(FILE *out);

/* A library is going: unload it everywhere. The node is disposed of. */
void solo_device_forget_library(solo_library *library);

/* Closes all devices (solo_fini). No other thread may be using solo. */
void solo_device_close_all(void);

#endif
