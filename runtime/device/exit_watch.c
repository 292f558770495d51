#include "runtime/device/exit_watch.h"

#include "runtime/base/atomic.h"
#include "runtime/base/platform.h"
#include <stddef.h>

_Atomic int solo_exit_begun;
static _Atomic int is_watched;

/* The function that implements atexit(3). Weak, so that this file does not add it to static
 * programs. */
extern int __cxa_atexit(void (*function)(void *), void *argument, void *library) SOLO_WEAK;
extern void *__dso_handle __attribute__((weak, visibility("hidden")));

static void note_exit(void *unused) {
  (void)unused;
  solo_store_relaxed(&solo_exit_begun, 1); /* relaxed: an independent flag */
}

void solo_exit_watch(void) {
  /* relaxed: only decides which call registers the handler */
  if (&__cxa_atexit && !solo_exchange_relaxed(&is_watched, 1))
    (void)__cxa_atexit(note_exit, NULL, (void *)&__dso_handle);
}
