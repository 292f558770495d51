/* An exhaustive search through what a few threads can do under a weak memory model.
 *
 * The code under test is compiled with explore_atomic.h in the place of the atomic operations. Its threads are
 * coroutines; at each operation the search tries every thread that can go on, and for each load every value that C11
 * lets it see:
 *   - A location's stores have one order, that in which they are made. A thread has a view: of each location the newest
 *     store that it must have seen. A load takes that one or a newer one.
 *   - A release store, and one after a release fence, carries its thread's view; an acquire load of it, or an acquire
 *     fence after a load, joins that. A read-modify-write takes the newest store and passes on what that carried.
 *   - Sequentially consistent operations have one order, that in which they are made; a fence sees what was seen before
 *     earlier fences and all earlier sequentially consistent stores, a load the same of its location.
 * Bounds: so many changes of the running thread where it could go on (scenario.switches), the STALE newest values of a
 * load. A run of more than STEPS is given up: it goes round with old values. After a pause a thread reads the
 * newest values until its next store: what was written arrives some time. A compare-and-swap fails only with the newest value. Stores into the past of a location, which
 * C11 also allows (two threads that write without order), are not tried.
 *
 * A run fails when explore_check does, when plain data is used without order (explore_read, explore_write: a read
 * beside a write, a write beside either), or when nobody can go on. A planted bug weakens the operations of one function to relaxed, all ("name") or some
 * ("name/load", "name/store", "name/fence"), or those of several ("name+name/load"): the search must find it.
 *
 * Threads: one, of the system's. Errors: reported by explore().
 */
#ifndef SOLO_EXPLORE_H
#define SOLO_EXPLORE_H

#include "tests/explore/explore_atomic.h"

enum { EXPLORE_THREADS = 3 };

typedef struct explore_scenario {
  const char *name;
  void (*begin)(void); /* before each run: makes the data as at the start */
  void (*thread[EXPLORE_THREADS])(void);
  void (*end)(void); /* after each run, may be NULL */
  int switches;
  int switches_wide; /* 0: the same */
} explore_scenario;

/* A main's arguments: with "wide" the bounds are those of the soak. */
void explore_bounds(int count, char **arguments);

/* Searches; planted: the function that is weakened, NULL: none. 1: no run failed. Prints what it found. */
int explore(const explore_scenario *scenario, const char *planted);
/* All is well, and each planted bug (a list that NULL ends) is found; returns a main's status. */
int explore_all(const explore_scenario *scenario, const char *const *planted);

void explore_check(int is_true, const char *what);
/* In end(): the same of a run that was not given up. */
void explore_finished(int is_true, const char *what);
/* Plain data. At the start no thread has written it, or all have seen what was. */
void explore_write(uint64_t *p, uint64_t value);
uint64_t explore_read(const uint64_t *p);
/* Memory that each thread has for itself (thread-local in the code under test). */
void explore_private(void *p, size_t bytes);
/* The running thread: 0 .. */
int explore_self(void);

#endif
