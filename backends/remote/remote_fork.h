/* A child of fork(2) forgets what its parent had of servers (remote_fork.c).
 *
 * Threads: the caller holds the lock of remote_servers.c. Errors: none. */
#ifndef SOLO_REMOTE_FORK_H
#define SOLO_REMOTE_FORK_H

/* Before a server is used; in a process that has forgotten already, or has no parent with servers: nothing. */
void solo_remote_leave_parent(void);

#endif
