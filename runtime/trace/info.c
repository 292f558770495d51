/* INFO lines. */
#include "runtime/trace/info.h"

#include <stdarg.h>
#include <stdio.h>

_Atomic uint32_t solo_info_bits;

void solo_info_print(int device, const char *format, ...) {
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  solo_print_line("omptarget device %d info: %s", device, text);
}
