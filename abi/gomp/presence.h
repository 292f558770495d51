/* A file that includes this header links presence.c. */
#ifndef SOLO_GOMP_PRESENCE_H
#define SOLO_GOMP_PRESENCE_H

#include "runtime/base/platform.h"

SOLO_EXPORT extern const char solo_gomp_is_linked;
SOLO_EXPORT int solo_program_has_images(void);
SOLO_EXPORT int solo_device_is_cpu(int number);

static const char *const solo_gomp_presence __attribute__((used)) = &solo_gomp_is_linked;

#endif
