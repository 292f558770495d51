/* What task_depend.c and task/depend_table.c share. Nobody else includes it. */
#ifndef SOLO_KMPC_TASK_DEPEND_TABLE_H
#define SOLO_KMPC_TASK_DEPEND_TABLE_H

#include "abi/kmpc/task/depend.h"

/* to waits for from, unless from is NULL, done, or to itself. Threads: of to's generating task. */
void solo_kmp_depend_edge(kmpc_cache *cache, kmpc_node *from, kmpc_node *to);

/* One thing less to wait for; nonzero: it was the last. */
int solo_kmp_depend_arrive(kmpc_node *node);

void solo_kmp_depend_release_exclusion(kmpc_cache *cache, kmpc_exclusion *exclusion);

#endif
