/* Steal requests, for large teams: an idle thread polls one word in its slot (`bell`). A thread
 * that has a spare task claims the word and stores the number of the victim there. Requests affect
 * speed only: before a thread sleeps, it scans all deques. States and proof:
 * docs/design/host-tasks.md. */
#ifndef SOLO_KMPC_TASK_CALL_H
#define SOLO_KMPC_TASK_CALL_H

#include "abi/kmpc/task/task.h"

enum { KMPC_BELL_BUSY, KMPC_BELL_IDLE, KMPC_BELL_CALLED /* plus the number of the victim */ };

/* Sends one request to an idle thread: steal from the deque of thread victim. Returns the number of
 * that thread + 1, or 0 if none of the next few threads is idle. */
int32_t solo_kmp_call(kmpc_thread *self, kmpc_task_team *tasks, int32_t victim);

/* The thread of the slot is about to sleep. It accepts no requests, and scans all deques after it
 * wakes. */
SOLO_INLINE void solo_kmp_call_off(kmpc_task_slot *slot) {
  solo_store_relaxed(&slot->bell, KMPC_BELL_BUSY); /* relaxed: a request affects speed only */
  slot->must_look = 1;
}

/* self has pushed a task. Sends a request unless the previous request is still unanswered. */
void solo_kmp_call_for_push(kmpc_thread *self, kmpc_task_team *tasks);

#endif
