/* Whether the program is at exit, from the first load of an image on. Functions that were given to atexit
 * before that load, among them those that unregister the program's own images, are called later.
 *
 * Threads: all functions from any thread.
 */
#ifndef SOLO_EXIT_WATCH_H
#define SOLO_EXIT_WATCH_H

#include "runtime/base/atomic.h"

/* Starts the watch; calling it again is harmless. Does nothing where images were linked in: those are not unregistered. */
void solo_exit_watch(void);

extern _Atomic int solo_exit_begun; /* by solo_exit_has_begun */

SOLO_INLINE int solo_exit_has_begun(void) {
  return solo_load_relaxed(&solo_exit_begun); /* a flag by itself; other threads see it soon */
}

#endif
