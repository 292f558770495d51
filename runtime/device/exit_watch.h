/* Detects the exit of the program, after which its own images stay loaded. Functions registered
 * with atexit before the first load run after the detection. */
#ifndef SOLO_EXIT_WATCH_H
#define SOLO_EXIT_WATCH_H

#include "runtime/base/atomic.h"

/* Idempotent. Empty for linked images, which are not unregistered. */
void solo_exit_watch(void);

extern _Atomic int solo_exit_begun;

SOLO_INLINE int solo_exit_has_begun(void) {
  return solo_load_relaxed(&solo_exit_begun); /* relaxed: an independent flag */
}

#endif
