/* A thread that executes work in order: a stream or a copy engine. Threads: any, but only one
 * thread may call stop, once, and not the worker itself. */
#ifndef SIM_WORKER_H
#define SIM_WORKER_H

#include <stddef.h>
#include <stdint.h>

typedef struct sim_worker sim_worker;
typedef void sim_work(void *argument);

sim_worker *sim_worker_start(void); /* returns NULL without memory or a thread */
/* Completes the queued work, ends the thread and frees the worker. */
void sim_worker_stop(sim_worker *worker);
/* Adds work with a copy of the argument. Returns 0, or -1 without memory. */
int sim_worker_add(sim_worker *worker, sim_work *work, const void *argument, size_t size);
int sim_worker_idle(sim_worker *worker);
/* Waits for the work queued at the time of the call. */
void sim_worker_wait(sim_worker *worker);

#endif
