/* A thread that does work in the order given: a stream, a copy engine.
 *
 * Each piece of work is a function and a copy of its argument. Before each piece the thread sleeps
 * as SIM_DELAY_US or sim_delay_set order. Threads: any; stop once, and not from the worker itself.
 */
#ifndef SIM_WORKER_H
#define SIM_WORKER_H

#include <stddef.h>
#include <stdint.h>

typedef struct sim_worker sim_worker;
typedef void sim_work(void *argument);

sim_worker *sim_worker_start(void); /* NULL: no memory or thread */
/* Does all that is queued, then ends. */
void sim_worker_stop(sim_worker *worker);
/* 0, or -1: no memory. */
int sim_worker_add(sim_worker *worker, sim_work *work, const void *argument, size_t size);
int sim_worker_idle(sim_worker *worker);
/* Waits for what is queued at the time of the call. */
void sim_worker_wait(sim_worker *worker);

#endif
