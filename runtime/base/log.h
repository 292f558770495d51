/* Messages on stderr, each one write(2), no allocation: "solo: ..." lines.
 *
 * Only three kinds exist: warnings (a wrong setting, the first fall-back), debug lines (SOLO_DEBUG)
 * and the INFO lines of runtime/trace. Errors are not logged here: they are recorded (status.h).
 */
#ifndef SOLO_BASE_LOG_H
#define SOLO_BASE_LOG_H

#include "runtime/base/platform.h"

void solo_warn(const char *format, ...) SOLO_PRINTF(1, 2) SOLO_COLD;

/* Writes one line as it stands, newline added. For lines whose shape users know. */
void solo_print_line(const char *format, ...) SOLO_PRINTF(1, 2) SOLO_COLD;

/* Printed when SOLO_DEBUG >= level. Not for hot paths. */
void solo_debug(int level, const char *format, ...) SOLO_PRINTF(2, 3) SOLO_COLD;

#endif
