#include "runtime/base/debug.h"

#include "runtime/base/log.h"
#include "runtime/base/settings.h"

void solo_debug(int level, const char *format, ...) {
  if (solo_settings()->debug < level) return;
  va_list args;
  va_start(args, format);
  solo_print_line_of("solo: ", format, args);
  va_end(args);
}
