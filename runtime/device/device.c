#include "runtime/device/device.h"

#include "runtime/base/fork.h"
#include <sched.h>

solo_device *solo_devices[SOLO_MAX_DEVICES];
_Atomic int solo_devices_numbered;
solo_lock solo_device_numbering = SOLO_LOCK_INIT(SOLO_RANK_NUMBERING);
_Atomic uint32_t solo_device_fork_pending;

/* Lets a forking thread, which needs all locks, acquire them first. If a driver forks in a call of
 * this thread, the fork times out after PATIENCE_NS (fork.c), so the loop ends. */
void solo_device_lock(solo_device *device) {
  solo_fork_begin_thread();
  while (SOLO_UNLIKELY(solo_load_relaxed(&solo_device_fork_pending)))
    sched_yield(); /* relaxed: the flag is only a hint; the lock orders the accesses */
  solo_lock_acquire(&device->lock);
}
