/* Counts, fails and delays the calls of a simulated driver, and counts its live objects. Every
 * entry point of a driver begins with sim_call(name) and returns the code if it is not 0.
 *
 * Environment variables:
 *   SIM_FAIL=NAME:N:CODE    the N-th call (from 1) of NAME ("*": any) fails with CODE
 *   SIM_DELAY_US=N          each piece of queued work first sleeps N us
 *   SIM_TRACE=1             print the name of each call to stderr
 *   SIM_COUNT=FILE          at exit, append "name count" lines to FILE
 *   SIM_LEAKS=1             at exit, print live objects; they and violations (sim_device.h) set exit status 70
 */
#ifndef SIM_CALLS_H
#define SIM_CALLS_H

/* Returns 0, or the code of an injected failure. name is a literal. */
int sim_call(const char *name);

/* Calls of name (NULL: all) since the last reset. */
unsigned sim_call_count(const char *name);
void sim_call_reset(void);
/* The nth call of name (NULL: any) after this call fails with code. nth 0 cancels the request. */
void sim_call_fail(const char *name, unsigned nth, int code);
/* Returns the name of the call that failed by the last request, or NULL. */
const char *sim_call_failed(void);
/* These functions make the set of work that precedes a failure independent of scheduling. After
 * sim_call_fail(), work with an observable completion does not execute until the host waits for (or
 * queries) the work that is queued so far. ticket: the position in the queue; 0: the work executes
 * at any time. */
unsigned sim_hold_ticket(void);
void sim_hold(unsigned ticket);
void sim_hold_end(void);
/* Prints "name count" lines to stderr. */
void sim_call_print(void);

void sim_delay_set(unsigned us);
/* Sleeps before each piece of queued work. */
void sim_delay(void);

/* Changes the number of live objects of a kind ("stream", "module"). kind is a literal. */
void sim_live(const char *kind, int change);
int sim_live_count(const char *kind); /* NULL: all */

#endif
