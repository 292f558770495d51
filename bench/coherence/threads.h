/* Runs the program's threads one at a time, always the one with the lowest clock. Threads yield at
 * memory accesses, pauses, futex calls and measure_*(). The linker option --wrap replaces
 * pthread_create. Errors: a deadlock ends the program. */
#ifndef SOLO_COHERENCE_THREADS_H
#define SOLO_COHERENCE_THREADS_H

#include "bench/coherence/model.h"

/* Registers the calling thread. */
void threads_begin(void);
/* Returns NULL for a thread that is not simulated. */
flow *thread_flow(void);
/* Runs a thread with a lower clock, if there is one. */
void thread_step(void);
/* Waits for a write to a line that the thread has read since its last pause. */
void thread_pause(void);

/* Waits until all others wait, then resets the counts. */
void measure_begin(void);
tally measure_end(void);
/* The same pair for `size` threads, each of which calls both functions. */
void measure_begin_together(int size);
tally measure_end_together(int size);

#endif
