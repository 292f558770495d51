/* What devices do around fork(2) (base/fork.h): their locks are held, so that the child finds nothing
 * half changed. In it, a device that is all in this process's memory (SOLO_DEVICE_SURVIVES_FORK: the
 * CPU) works on, with what is mapped; what other threads were just mapping or unmapping is taken out
 * of the table. A device behind a driver does not survive: its use in the child is an error that says
 * so, never a hang.
 *
 * fork waits for a bounded time only: driver calls are made under a device's lock, and some drivers fork to
 * start a helper. A device whose lock cannot be had within PATIENCE_NS (fork.c) is lost in the child.
 */
#ifndef SOLO_FORK_H
#define SOLO_FORK_H

#include "runtime/base/fork.h"

/* Devices take part in forks from now on; again is harmless. */
void solo_fork_devices(void);

/* Was the construct with this id made by the calling thread? Set by runtime/construct with its first
 * construct; NULL: there was none. */
extern _Atomic(int (*)(uint64_t id)) solo_fork_is_mine;

#endif
