/* How threads of large teams learn of tasks without looking at all deques.
 *
 * A thread that finds nothing says so in its bell, a line of its own, and then looks at that alone. Who has a task to
 * spare calls one such thread, and tells it whose deque to look at; the called thread takes half of what is there
 * (task/steal.c) and calls in turn, one for what it has left there and one for what it has taken. So k tasks
 * wake about k threads in the order of a binary tree, whoever made them, and nobody reads a line per thread.
 *
 *   BUSY --found nothing--> IDLE --called (compare-and-swap)--> CALLED + victim --looked--> BUSY
 *                                                               \--no answer, caller takes it back--> BUSY
 *
 * Calls are for speed alone. One is missed by a thread that looks just before a task is pushed and says IDLE
 * just after; and a thread that has left its wait keeps its bell as it is. So who has called looks whether
 * there was an answer before it calls again, not for ever; an idle thread that spins looks at one other deque now and
 * then, at all of them in turn; and before it sleeps, counted as a sleeper, it looks at all (team/eventcount.h has
 * the proof that this loses no wake-up; it does not rest on bells).
 *
 * Whom to call: thread t begins at 2t + 1 (modulo the size). Each thread is within log2(size) such steps of each other,
 * so that the calls of one producer and of those whom it woke meet few that are busy.
 *
 * Ownership: bells lie in the slots. Threads: any of the team. Errors: none.
 */
#ifndef SOLO_KMPC_TASK_CALL_H
#define SOLO_KMPC_TASK_CALL_H

#include "abi/kmpc/task/task.h"

enum { KMPC_BELL_BUSY, KMPC_BELL_IDLE, KMPC_BELL_CALLED /* plus the victim's number */ };

/* Calls an idle thread, if one of the next few is: to the deque of thread victim. Its number + 1, or 0. */
int32_t solo_kmp_call(kmpc_thread *self, kmpc_task_team *tasks, int32_t victim);

/* The slot's thread is about to sleep: calls do not wake it, and when it is awake it looks everywhere. */
SOLO_INLINE void solo_kmp_call_off(kmpc_task_slot *slot) {
  solo_store_relaxed(&slot->bell, KMPC_BELL_BUSY); /* orders nothing: calls are for speed */
  slot->must_look = 1;
}

/* self has pushed a task: calls a thread unless the last one that it called is on its way. */
void solo_kmp_call_for_push(kmpc_thread *self, kmpc_task_team *tasks);

#endif
