/* Devices around fork(2). The forking thread holds their locks. A device with
 * SOLO_DEVICE_SURVIVES_FORK works in the child and has its mappings, except those that other
 * threads were changing. Each use of another device fails. The wait for a lock is limited, because
 * drivers may fork under a device's lock; after a timeout the device is lost in the child. */
#ifndef SOLO_FORK_H
#define SOLO_FORK_H

#include "runtime/base/fork.h"

void solo_fork_devices(void);

/* Returns whether the calling thread created the construct. NULL before the first construct. */
extern _Atomic(int (*)(uint64_t id)) solo_fork_construct_is_of_thread;

#endif
