/* INFO lines. */
#include "runtime/trace/info.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Atomic uint32_t solo_info_bits;

void solo_info_print(int device, const char *format, ...) {
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  solo_print_line("omptarget device %d info: %s", device, text);
}

const char *solo_info_field(const char *text, int n, int *out_length) {
  while (text && n-- > 0) {
    text = strchr(text, ';');
    if (text) text++;
  }
  const char *end = text ? strchr(text, ';') : NULL;
  *out_length = end ? (int)(end - text) : text ? (int)strlen(text) : 0;
  return text ? text : "";
}

const char *solo_info_variable_of(const char *name, solo_info_variable *out) {
  int length;
  const char *variable = solo_info_field(name, 1, &length);
  if (!name) return "unknown";
  if (!length) return name; /* a symbol */
  snprintf(out->text, sizeof out->text, "%.*s", length, variable);
  return out->text;
}
