#include "runtime/device/device.h"

#include "runtime/base/fork.h"
#include <sched.h>

solo_device *solo_devices[SOLO_MAX_DEVICES];
_Atomic int solo_devices_numbered;
solo_lock solo_device_numbering = SOLO_LOCK_INIT(SOLO_RANK_NUMBERING);
_Atomic uint32_t solo_device_fork_pending;

/* Locks the device. If a thread forks, first waits until that thread has locked all devices. The
 * wait ends even if the caller owns the lock of another device, because the forking thread waits at
 * most PATIENCE_NS for each lock (fork.c). */
void solo_device_lock(solo_device *device) {
  solo_fork_begin_thread();
  while (SOLO_UNLIKELY(solo_load_relaxed(&solo_device_fork_pending)))
    sched_yield(); /* relaxed: a hint; the lock orders the accesses */
  solo_lock_acquire(&device->lock);
}
