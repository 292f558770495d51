/* Counting, failing, delaying the calls of a simulated driver, and counting its live objects.
 *
 * Every entry point of a driver begins with sim_call(name): it counts, traces, and says which
 * failure, if any, the test has ordered for this very call. The driver returns that code at once.
 *
 * Environment, for programs that cannot call in:
 *   SIM_FAIL=NAME:N:CODE    the N-th call (from 1) of NAME ("*": any) fails with CODE
 *   SIM_DELAY_US=N          every piece of queued work first sleeps N us
 *   SIM_TRACE=1             each call's name on stderr
 *   SIM_COUNT=FILE          at exit, "name count" lines are appended to FILE
 *   SIM_LEAKS=1             at exit, live objects are listed on stderr and the exit status is 70;
 *                           so are violations (sim_device.h)
 * Threads: any. Errors: none.
 */
#ifndef SIM_CALLS_H
#define SIM_CALLS_H

/* 0: go on; else the code to fail with. name is a literal (kept). */
int sim_call(const char *name);

/* Calls of name (NULL: all) since the last reset. */
unsigned sim_call_count(const char *name);
void sim_call_reset(void);
/* Orders a failure: the nth call of name (NULL: any) from now on fails with code; nth 0: takes an order back. */
void sim_call_fail(const char *name, unsigned nth, int code);
/* The name of the call that the last order made fail; NULL: none yet. */
const char *sim_call_failed(void);
/* What a device that fails has done before must not depend on the schedule: from an order on work whose end the host
 * would see is held back, until somebody asks for the end of what was queued by then (and was not told that it
 * failed). ticket: when it was queued; 0: not held. */
unsigned sim_hold_ticket(void);
void sim_hold(unsigned ticket);
void sim_hold_end(void);
/* Prints "name count" lines to stderr. */
void sim_call_print(void);

void sim_delay_set(unsigned us);
/* Sleeps as ordered: before each piece of queued work. */
void sim_delay(void);

/* Live objects by kind ("stream", "module"): +1 when made, -1 when destroyed. kind is a literal. */
void sim_live(const char *kind, int change);
int sim_live_count(const char *kind); /* NULL: all */

#endif
