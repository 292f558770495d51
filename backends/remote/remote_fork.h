#ifndef SOLO_REMOTE_FORK_H
#define SOLO_REMOTE_FORK_H

/* Resets the state once in each child of a client. Called before each use of a server, with
 * table_lock (remote_servers.c). */
void solo_remote_reset_after_fork(void);

#endif
