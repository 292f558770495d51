/* The watch of exit_watch.h. */
#include "runtime/device/exit_watch.h"

#include "runtime/base/atomic.h"
#include <stdlib.h>

static _Atomic int has_begun, is_watched;

static void note_exit(void) {
  solo_store_relaxed(&has_begun, 1); /* asked for in the thread that exits */
}

void solo_exit_watch(void) {
  /* relaxed: only "once" matters */
  if (!solo_exchange_relaxed(&is_watched, 1)) (void)atexit(note_exit);
}

int solo_exit_has_begun(void) {
  return solo_load_relaxed(&has_begun); /* as above */
}
