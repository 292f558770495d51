/* Fork, join and barrier over the tree of a large team (tree.h).
 *
 * Threads: see each function. Errors: none. */
#ifndef SOLO_KMPC_TREE_SYNC_H
#define SOLO_KMPC_TREE_SYNC_H

#include "abi/kmpc/team/worker_team.h"

/* Makes the tree for this team size. No thread is in a region. package: package of each place, or
 * NULL. */
void solo_kmp_tree_make(kmpc_worker_team *worker_team, int32_t size, const int32_t *package);
/* Copies the work of the node to its children and wakes them. */
void solo_kmp_tree_pass_on(kmpc_node *node);
/* Primary thread: begins the region in the root's work. */
void solo_kmp_tree_fork(kmpc_worker_team *worker_team, int32_t size);
/* Pauses before a thread searches for other threads' teams. If all threads have equal work, the
 * region ends within this time, and no thread searches. */
enum { KMPC_LEAGUE_PATIENCE = 64 };

/* Nonzero if a child is still at work after KMPC_LEAGUE_PATIENCE pauses. */
int solo_kmp_tree_lags(kmpc_node *node);
/* Worker: its part of the region is done. */
void solo_kmp_tree_arrive(kmpc_thread *self, kmpc_worker_team *worker_team);
/* Primary thread: waits until all threads have arrived and no task is left. */
void solo_kmp_tree_join(kmpc_thread *self, kmpc_worker_team *worker_team);
void solo_kmp_tree_barrier(kmpc_thread *self, kmpc_worker_team *worker_team);

#endif
