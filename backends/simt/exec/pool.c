/* Helper threads that run blocks. They are created on demand and never end. One grid at a time uses
 * them. */
#include "backends/simt/exec/internal.h"

#include <pthread.h>

enum { MOST = 63 };

/* Guards all variables below; its owner acquires no other lock. Not a solo_lock, because that has
 * no condition variable. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER, back = PTHREAD_COND_INITIALIZER;
static void (*work)(void *);
static void *argument;
static unsigned places; /* helpers that may still join the grid */
static unsigned at_work;
static unsigned made;
static int busy; /* a grid uses the helpers */

static void *help(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!work || !places) pthread_cond_wait(&wanted, &lock);
    void (*share)(void *) = work;
    void *of = argument;
    places--;
    at_work++;
    pthread_mutex_unlock(&lock);
    share(of);
    pthread_mutex_lock(&lock);
    if (--at_work == 0) pthread_cond_signal(&back);
  }
  return NULL;
}

/* Creates helpers until `helpers` exist or creation fails. The caller holds the lock. */
static void make(unsigned helpers) {
  pthread_attr_t detached;
  if (made >= helpers || pthread_attr_init(&detached)) return;
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  for (pthread_t thread; made < helpers; made++)
    if (pthread_create(&thread, &detached, help, NULL)) break;
  pthread_attr_destroy(&detached);
}

void simt_pool_run(void (*share)(void *), void *of, unsigned helpers) {
  if (!helpers) {
    share(of);
    return;
  }
  pthread_mutex_lock(&lock);
  int has_helpers = !busy;
  if (has_helpers) {
    busy = 1;
    make(helpers < MOST ? helpers : MOST);
    work = share;
    argument = of;
    places = helpers;
    pthread_cond_broadcast(&wanted);
  }
  pthread_mutex_unlock(&lock);
  share(of);
  if (!has_helpers) return;
  pthread_mutex_lock(&lock);
  work = NULL;
  while (at_work) pthread_cond_wait(&back, &lock);
  busy = 0;
  pthread_mutex_unlock(&lock);
}
