/* Lines on stderr: warnings, debug lines (debug.h) and INFO lines (runtime/trace). Each line is one
 * write(2) without allocation. Errors are recorded in the error record instead (status.h). */
#ifndef SOLO_BASE_LOG_H
#define SOLO_BASE_LOG_H

#include "runtime/base/platform.h"
#include <stdarg.h>

void solo_warn(const char *format, ...) SOLO_PRINTF(1, 2) SOLO_COLD;

/* Writes the line without a prefix. */
void solo_print_line(const char *format, ...) SOLO_PRINTF(1, 2) SOLO_COLD;

/* Like the functions above, truncates lines at 1 KiB. */
void solo_print_line_of(const char *prefix, const char *format, va_list args) SOLO_COLD;

#endif
