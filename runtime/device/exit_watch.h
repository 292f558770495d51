/* Detects program exit with an atexit handler. After the handler has run, no image is unloaded,
 * because other threads may use it. */
#ifndef SOLO_EXIT_WATCH_H
#define SOLO_EXIT_WATCH_H

#include "runtime/base/atomic.h"

/* Registers the handler once. Does nothing in programs with linked images, which are never
 * unregistered. */
void solo_exit_watch(void);

extern _Atomic int solo_exit_begun;

SOLO_INLINE int solo_exit_has_begun(void) {
  return solo_load_relaxed(&solo_exit_begun); /* relaxed: an independent flag */
}

#endif
