/* The program's threads, one at a time: always the one whose clock is least.
 *
 * A thread gives the turn away at accesses to memory, at pauses that wait for a write, in futex calls and at gates.
 * pthread_create is ours (--wrap), the numbers are given in the order of its calls; thread n is on core n.
 * Errors: a program that waits for itself ends with a message.
 */
#ifndef SOLO_COHERENCE_THREADS_H
#define SOLO_COHERENCE_THREADS_H

#include "bench/coherence/model.h"

/* The calling thread is the first. */
void threads_begin(void);
/* The calling thread's flow; NULL: it is not one of them. */
flow *thread_flow(void);
/* Somebody else runs if that one's clock is behind. */
void thread_step(void);
/* Waits for the next write to a line that the thread has read since its last pause. */
void thread_pause(void);

/* All others wait, then chains, clocks and counts begin anew. */
void measure_begin(void);
/* What has been counted since, with the caller's chain and clock as those of the end. */
tally measure_end(void);
/* The same for size threads that come to it together: each calls the one, then the other. */
void measure_begin_together(int size);
tally measure_end_together(int size);

#endif
