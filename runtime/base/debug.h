#ifndef SOLO_BASE_DEBUG_H
#define SOLO_BASE_DEBUG_H

#include "runtime/base/platform.h"

void solo_debug(int level, const char *format, ...) SOLO_PRINTF(2, 3) SOLO_COLD;

#endif
