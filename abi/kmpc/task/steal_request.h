/* Steal requests of large teams. An idle thread polls one word (steal_request). A thread with more
 * tasks than it needs stores the number of a victim there. Requests affect speed only, because a
 * thread scans all deques before it sleeps. States: docs/design/host-tasks.md. */
#ifndef SOLO_KMPC_TASK_STEAL_REQUEST_H
#define SOLO_KMPC_TASK_STEAL_REQUEST_H

#include "abi/kmpc/task/task.h"

enum { KMPC_STEAL_REQUEST_BUSY, KMPC_STEAL_REQUEST_IDLE, KMPC_STEAL_REQUEST_SENT };

/* Directs an idle thread to the victim's deque. Returns the idle thread's number + 1; 0: none is
 * idle. */
int32_t solo_kmp_steal_request_send(kmpc_thread *self, kmpc_task_team *tasks, int32_t victim);

/* Called before the thread of the slot sleeps: rejects requests. After the thread wakes, it scans
 * all deques. */
SOLO_INLINE void solo_kmp_steal_request_disable(kmpc_task_slot *slot) {
  solo_store_relaxed(&slot->steal_request,
                     KMPC_STEAL_REQUEST_BUSY); /* relaxed: affects speed only */
  slot->must_search = 1;
}

void solo_kmp_steal_request_for_push(kmpc_thread *self, kmpc_task_team *tasks);

#endif
