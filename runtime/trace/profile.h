/* LIBOMPTARGET_PROFILE: writes a Chrome trace (docs/design/observers.md) in a destructor. Programs
 * with linked images contain this code only with solo-cc --profile. */
#ifndef SOLO_PROFILE_H
#define SOLO_PROFILE_H

#include "runtime/trace/observer.h"

typedef struct solo_profile_order {
  const char *path;
  int64_t granularity_us; /* shorter events are not recorded */
  void (*warn)(const char *format, ...) SOLO_PRINTF(1, 2);
  const char *(*status_name)(solo_status status);
  void (*collect)(void); /* reports work of other processes; NULL: none */
} solo_profile_order;

/* Called once. Returns NULL after a failure, with a warning. */
extern SOLO_EXPORT const solo_observer *
solo_profile_start(const solo_profile_order *order) SOLO_WEAK;

#endif
