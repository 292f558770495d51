/* Lines on stderr: warnings, debug lines (debug.h) and INFO lines (runtime/trace). Each line is one
 * write(2), without allocation. */
#ifndef SOLO_BASE_LOG_H
#define SOLO_BASE_LOG_H

#include "runtime/base/platform.h"
#include <stdarg.h>

void solo_warn(const char *format, ...) SOLO_PRINTF(1, 2) SOLO_COLD;

void solo_print_line(const char *format, ...) SOLO_PRINTF(1, 2) SOLO_COLD;

/* Truncates lines at 1 KiB, as do the functions above. */
void solo_print_line_of(const char *prefix, const char *format, va_list args) SOLO_COLD;

#endif
