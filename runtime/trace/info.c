#include "runtime/trace/info.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Atomic uint32_t solo_info_bits;

static void print(const char *part, int device, const char *format, va_list args) {
  char text[600];
  vsnprintf(text, sizeof text, format, args);
  solo_print_line("%s device %d info: %s", part, device, text);
}

void solo_info_print(int device, const char *format, ...) {
  va_list args;
  va_start(args, format);
  print("omptarget", device, format, args);
  va_end(args);
}

void solo_info_print_launch(int device, const char *format, ...) {
  va_list args;
  va_start(args, format);
  print("\"PluginInterface\"", device, format, args);
  va_end(args);
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
  if (!name) return "unknown";
  const char *variable = solo_info_field(name, solo_info_variable_field(name), &length);
  if (!length) return name;
  snprintf(out->text, sizeof out->text, "%.*s", length, variable);
  return out->text;
}
