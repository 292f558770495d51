/* Explores the executions of up to three threads under the C11 memory model. The code under test
 * uses explore_atomic.h instead of runtime/base/atomic.h. No execution may fail, except with a
 * planted bug, which weakens a function's operations to relaxed.
 *
 * Threads are coroutines. At each operation the search tries each runnable thread and, for each
 * load, each permitted value:
 * - The stores of a location are ordered as they execute. A thread's view is the newest store of
 *   each location that it must observe. A load reads this store or a newer one.
 * - A release store, or a store after a release fence, carries its thread's view. An acquire load,
 *   or an acquire fence after a load, joins this view. A read-modify-write reads the newest store
 *   and carries its view, too.
 * - Sequentially consistent operations are ordered as they execute. A fence observes the views of
 *   earlier fences and all earlier sequentially consistent stores; a load observes these stores of
 *   its location.
 *
 * Bounds: scenario.switches preemptions, loads of the STALE newest values, STEPS operations. After
 * a pause a thread reads the newest values until its next store, because stores become visible
 * eventually. A compare-and-swap fails only with the newest value. Each store is the newest of its
 * location, although C11 permits other orders.
 *
 * A run fails if explore_check() fails, plain data is accessed without order, or no thread can
 * continue. Planted bugs: "name", "name/load", "name/store", "name/fence", joined by "+". */
#ifndef SOLO_EXPLORE_H
#define SOLO_EXPLORE_H

#include "tests/explore/explore_atomic.h"

enum { EXPLORE_THREADS = 3 };

typedef struct explore_scenario {
  const char *name;
  void (*begin)(void); /* before each run: initializes the data */
  void (*thread[EXPLORE_THREADS])(void);
  void (*end)(void); /* after each run; NULL: nothing */
  int switches;
  int switches_wide; /* switches if the argument is "wide"; 0: the value of `switches` */
} explore_scenario;

/* Selects the bounds of the soak test if an argument is "wide". */
void explore_bounds(int count, char **arguments);

/* planted: function to weaken, or NULL. Returns 1 if no run failed. */
int explore(const explore_scenario *scenario, const char *planted);
/* Checks the scenario without a bug, then with each planted bug of a NULL-terminated list, which
 * must make a run fail. Returns an exit status. */
int explore_all(const explore_scenario *scenario, const char *const *planted);

void explore_check(int is_true, const char *what);
/* Like explore_check(), but called by end(); ignores a run that exceeded STEPS. */
void explore_finished(int is_true, const char *what);
/* Plain data. Initial values are visible to all threads. */
void explore_write(uint64_t *p, uint64_t value);
uint64_t explore_read(const uint64_t *p);
/* Declares memory that is thread-local in the code under test. */
void explore_private(void *p, size_t bytes);
int explore_self(void);

#endif
