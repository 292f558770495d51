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

/* Puts the handlers in place; again is harmless. For devices that do not survive a fork. */
void solo_fork_watch(void);

/* Called by a thread before it takes a lock of the core for the first time (again is harmless). A
 * program whose one thread forks needs no handlers, and with musl they cost the first use of the
 * heap, a third of a short process (bench: startup): they are put in place for the second thread.
 */
void solo_fork_thread(void);

#endif
