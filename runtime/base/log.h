/* Messages on stderr, each one write(2), no allocation: "solo: ..." lines.
 *
 * Only three kinds exist: warnings (a wrong setting, the first fall-back), debug lines (debug.h) and
 * the INFO lines of runtime/trace. Errors are not logged here: they are recorded (status.h).
 */
#ifndef SOLO_BASE_LOG_H
#define SOLO_BASE_LOG_H

#include "runtime/base/platform.h"
#include <stdarg.h>

void solo_warn(const char *format, ...) SOLO_PRINTF(1, 2) SOLO_COLD;

/* Writes one line as it stands, newline added. For lines whose shape users know. */
void solo_print_line(const char *format, ...) SOLO_PRINTF(1, 2) SOLO_COLD;

/* One line, after the prefix; what is longer than a kilobyte is cut. */
void solo_print_line_of(const char *prefix, const char *format, va_list args) SOLO_COLD;

#endif
