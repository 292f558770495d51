/* The watch of exit_watch.h. */
#include "runtime/device/exit_watch.h"

#include "runtime/base/atomic.h"
#include "runtime/base/platform.h"
#include <stddef.h>

_Atomic int solo_exit_begun;
static _Atomic int is_watched;

/* What atexit(3) calls. Weak, so that static programs do not get it for this file's sake: there only code that
 * registers images at run time refers to it. */
extern int __cxa_atexit(void (*function)(void *), void *argument, void *library) SOLO_WEAK;
extern void *__dso_handle __attribute__((weak, visibility("hidden")));

static void note_exit(void *unused) {
  (void)unused;
  solo_store_relaxed(&solo_exit_begun, 1); /* a flag by itself */
}

void solo_exit_watch(void) {
  /* relaxed: only "once" matters */
  if (&__cxa_atexit && !solo_exchange_relaxed(&is_watched, 1))
    (void)__cxa_atexit(note_exit, NULL, (void *)&__dso_handle);
}
