/* The list of devices, and their locks (device.h). */
#include "runtime/device/device.h"

#include "runtime/base/fork.h"
#include <sched.h>

solo_device *solo_devices[SOLO_MAX_DEVICES];
_Atomic int solo_devices_known;
solo_lock solo_device_numbering = SOLO_LOCK_INIT(SOLO_RANK_NUMBERING);
_Atomic uint32_t solo_device_fork_pending;

/* Waits at most PATIENCE_NS (fork.c) for a fork: the forking thread may be this thread's own driver. */
void solo_device_lock(solo_device *device) {
  solo_fork_thread();
  while (SOLO_UNLIKELY(solo_load_relaxed(&solo_device_fork_pending)))
    sched_yield(); /* relaxed: only a hint */
  solo_lock_acquire(&device->lock);
}
