/* Lines of SOLO_DEBUG on stderr.
 *
 * Threads: any.
 */
#ifndef SOLO_BASE_DEBUG_H
#define SOLO_BASE_DEBUG_H

#include "runtime/base/platform.h"

/* Printed when SOLO_DEBUG >= level. Not for hot paths. */
void solo_debug(int level, const char *format, ...) SOLO_PRINTF(2, 3) SOLO_COLD;

#endif
