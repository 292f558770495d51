/* Fork, join and barrier over the tree of a large team (tree.h). */
#ifndef SOLO_KMPC_TREE_SYNC_H
#define SOLO_KMPC_TREE_SYNC_H

#include "abi/kmpc/team/worker_team.h"

/* Builds the tree while no thread is in a region. */
void solo_kmp_tree_make(kmpc_worker_team *worker_team, int32_t size, const int32_t *package);
void solo_kmp_tree_forward_work(kmpc_node *node);
void solo_kmp_tree_fork(kmpc_worker_team *worker_team, int32_t size);
/* Number of pauses before a thread searches for teams of other threads. Threads with equal work
 * finish within this time. */
enum { KMPC_LEAGUE_PATIENCE = 64 };

/* Returns whether a child has not arrived after KMPC_LEAGUE_PATIENCE pauses. */
int solo_kmp_tree_has_late_child(kmpc_node *node);
void solo_kmp_tree_arrive(kmpc_thread *self, kmpc_worker_team *worker_team);
void solo_kmp_tree_join(kmpc_thread *self, kmpc_worker_team *worker_team);
void solo_kmp_tree_barrier(kmpc_thread *self, kmpc_worker_team *worker_team);

#endif
