#include "runtime/base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 1024 };

void solo_print_line_of(const char *prefix, const char *format, va_list args) {
  char line[LINE_MAX_BYTES];
  size_t used = strlen(prefix);
  memcpy(line, prefix, used);
  int wanted = vsnprintf(line + used, sizeof line - used - 1, format, args);
  size_t space = sizeof line - used - 2;
  used += wanted < 0 ? 0 : (size_t)wanted > space ? space : (size_t)wanted;
  line[used++] = '\n';
  for (size_t done = 0; done < used;) {
    ssize_t n = write(STDERR_FILENO, line + done, used - done);
    if (n <= 0) return; /* stderr is closed: the line is lost */
    done += (size_t)n;
  }
}

void solo_warn(const char *format, ...) {
  va_list args;
  va_start(args, format);
  solo_print_line_of("solo: warning: ", format, args);
  va_end(args);
}

void solo_print_line(const char *format, ...) {
  va_list args;
  va_start(args, format);
  solo_print_line_of("", format, args);
  va_end(args);
}
