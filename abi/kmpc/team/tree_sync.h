/* Fork, join and barrier of large teams, over their tree (tree.h).
 *
 * Threads: the master of a worker team makes its tree and begins, passes on and joins its regions; its workers pass on
 * and arrive; barriers are for all. Errors: none.
 */
#ifndef SOLO_KMPC_TREE_SYNC_H
#define SOLO_KMPC_TREE_SYNC_H

#include "abi/kmpc/team/worker_team.h"

/* The worker team's tree for regions of this size; nobody is in a region. package: of each place; NULL: not known. */
void solo_kmp_tree_make(kmpc_worker_team *worker_team, int32_t size, const int32_t *package);
/* What is in the node's work goes to its children. */
void solo_kmp_tree_pass_on(kmpc_node *node);
/* The master begins the region that is in the root's work. */
void solo_kmp_tree_fork(kmpc_worker_team *worker_team, int32_t size);
/* Pauses, some us, before a thread of a league looks at all others for teams that they have left: where all have the
 * same to do, the region is over by then, and nobody has looked. */
enum { KMPC_LEAGUE_PATIENCE = 64 };

/* Is a child of the thread still at work after a little while? */
int solo_kmp_tree_lags(kmpc_node *node);
/* A worker has run its part. */
void solo_kmp_tree_arrive(kmpc_thread *self, kmpc_worker_team *worker_team);
/* The master waits until all threads are through and no task is left. */
void solo_kmp_tree_join(kmpc_thread *self, kmpc_worker_team *worker_team);
void solo_kmp_tree_barrier(kmpc_thread *self, kmpc_worker_team *worker_team);

#endif
