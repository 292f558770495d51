/* LIBOMPTARGET_PROFILE: what trace/observer.h tells, as a Chrome trace (chrome://tracing, Perfetto).
 *
 * Each thread writes its events to chunks of its own, without a lock; names go to one table that
 * is only ever added to. Memory is bounded (profile_private.h); what does not fit is counted, left
 * out and warned of at the end. The file is written when the process ends: by a destructor, which runs
 * after what the program gave to atexit(3) and after the destructors of its global objects, in an
 * executable, beside it in libsolo.so, and at dlclose. Threads that are still at work then lose
 * what they do from that moment on. A child after fork(2) writes nothing.
 *
 * A program of linked images takes these files from libsolo_linked.a only when its linker was told
 * so (solo-cc --profile); the core asks by a weak name, and hands over all that they need of it.
 *
 * Threads: any.
 */
#ifndef SOLO_PROFILE_H
#define SOLO_PROFILE_H

#include "runtime/trace/observer.h"

typedef struct solo_profile_order {
  const char *path;
  int64_t granularity_us; /* shorter events are left out */
  void (*warn)(const char *format, ...) SOLO_PRINTF(1, 2);
  const char *(*status_name)(solo_status status);
  void (*collect)(void); /* reports what devices did in other processes; NULL: none did */
} solo_profile_order;

/* Called once. NULL: the file cannot be written, and a warning said why. */
extern SOLO_EXPORT const solo_observer *
solo_profile_start(const solo_profile_order *order) SOLO_WEAK;

#endif
