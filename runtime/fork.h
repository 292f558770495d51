/* fork(2) in a program with threads: what the child may go on with.
 *
 * Around fork the locks of the core are held, so that the child finds nothing half changed. In it,
 * a device that is all in this process's memory (SOLO_DEVICE_SURVIVES_FORK: the CPU) works on, with
 * what is mapped; what other threads were just making or ending is taken out of the table. A device
 * behind a driver does not survive: its use in the child is an error that says so, never a hang.
 *
 * fork waits for nobody long: driver calls are made under a device's lock, and some drivers fork to
 * start a helper. A device whose lock cannot be had within a fifth of a second is lost in the
 * child.
 */
#ifndef SOLO_FORK_H
#define SOLO_FORK_H

/* Called before the first device is opened; again is harmless. */
void solo_fork_watch(void);

#endif
