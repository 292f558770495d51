/* Reset after fork(2). The caller holds table_lock (remote_servers.c). */
#ifndef SOLO_REMOTE_FORK_H
#define SOLO_REMOTE_FORK_H

/* Called before each use of a server. Acts once in each child of a client. */
void solo_remote_reset_after_fork(void);

#endif
