/* Warnings and errors. Each message is one write(2), so that messages of several threads do not
 * mix. */
#include "abi/kmpc/kmpc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static void print(const char *prefix, const char *format, va_list args) {
  char line[1024];
  size_t used = strlen(prefix);
  memcpy(line, prefix, used);
  int wanted = vsnprintf(line + used, sizeof line - used - 1, format, args);
  if (wanted > 0)
    used += (size_t)wanted < sizeof line - used - 2 ? (size_t)wanted : sizeof line - used - 2;
  line[used++] = '\n';
  if (write(STDERR_FILENO, line, used) < 0) return;
}

void solo_kmp_line(const char *text) {
  const struct iovec parts[] = {{(void *)(uintptr_t)text, strlen(text)},
                                {(void *)(uintptr_t) "\n", 1}};
  if (writev(STDERR_FILENO, parts, 2) < 0) return;
}

static _Atomic int warnings = 1;

void solo_kmp_set_warnings(int on) {
  solo_store_relaxed(&warnings, on); /* relaxed: a setting */
}

void solo_kmp_warn(const char *format, ...) {
  if (!solo_load_relaxed(&warnings)) return;
  va_list args;
  va_start(args, format);
  print("solo: warning: ", format, args);
  va_end(args);
}

void solo_kmp_fatal(const char *format, ...) {
  va_list args;
  va_start(args, format);
  print("solo: error: ", format, args);
  va_end(args);
  exit(EXIT_FAILURE);
}
