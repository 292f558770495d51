/* Affinity formats: "%n", "%{thread_num}", "%0.5n" (OpenMP 5.2, 21.2.7 and 18.3.8). */
#define _GNU_SOURCE
#include "abi/include/omp.h"
#include "abi/kmpc/affinity/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct output {
  char *text;
  size_t room, used;
} output;

static void put(output *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++, out->used++)
    if (out->used + 1 < out->room) out->text[out->used] = text[i];
}

/* Writes a field's value; 0: no such field. */
static int value_of(char field, char *value, size_t room) {
  kmpc_mask mask;
  switch (field) {
  case 't':
    snprintf(value, room, "%d", omp_get_team_num());
    return 1;
  case 'T':
    snprintf(value, room, "%d", omp_get_num_teams());
    return 1;
  case 'L':
    snprintf(value, room, "%d", omp_get_level());
    return 1;
  case 'n':
    snprintf(value, room, "%d", omp_get_thread_num());
    return 1;
  case 'N':
    snprintf(value, room, "%d", omp_get_num_threads());
    return 1;
  case 'a':
    snprintf(value, room, "%d", omp_get_ancestor_thread_num(omp_get_level() - 1));
    return 1;
  case 'H':
    if (gethostname(value, room) != 0) *value = 0;
    value[room - 1] = 0;
    return 1;
  case 'P':
    snprintf(value, room, "%d", (int)getpid());
    return 1;
  case 'i':
    snprintf(value, room, "%u", solo_thread_id());
    return 1;
  case 'A':
    if (solo_kmp_mask_get(&mask) < 0)
      *value = 0;
    else
      solo_kmp_mask_text(&mask, value, room);
    return 1;
  default:
    return 0;
  }
}

static char field_named(const char *name, size_t length) {
  static const struct {
    const char *name;
    char field;
  } names[] = {{"team_num", 't'},       {"num_teams", 'T'},   {"nesting_level", 'L'},
               {"thread_num", 'n'},     {"num_threads", 'N'}, {"ancestor_tnum", 'a'},
               {"host", 'H'},           {"process_id", 'P'},  {"native_thread_id", 'i'},
               {"thread_affinity", 'A'}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0)
      return names[i].field;
  return 0;
}

/* %[0][.width]field; "." means right-justified, "0" pads with zeros. Returns what follows. */
static const char *expand(output *out, const char *format) {
  int zero = 0, right = 0;
  size_t width = 0;
  if (*format == '0') zero = 1, format++;
  if (*format == '.') right = 1, format++;
  if (*format >= '1' && *format <= '9') width = (size_t)strtol(format, (char **)&format, 10);
  char field = *format ? *format++ : 0;
  if (field == '{') {
    size_t length = strcspn(format, "}");
    field = field_named(format, length);
    format += length + (format[length] == '}');
  }
  char value[256] = "";
  if (!value_of(field, value, sizeof value)) snprintf(value, sizeof value, "undefined");
  size_t length = strlen(value);
  size_t padding = width > length ? width - length : 0;
  if (right)
    for (size_t i = 0; i < padding; i++) put(out, zero ? "0" : " ", 1);
  put(out, value, length);
  if (!right)
    for (size_t i = 0; i < padding; i++) put(out, " ", 1);
  return format;
}

size_t solo_kmp_affinity_text(char *text, size_t room, const char *format) {
  output out = {text, room, 0};
  if (!format || !*format) format = solo_kmp_config()->affinity_format;
  while (*format) {
    if (*format != '%')
      put(&out, format++, 1);
    else if (format[1] == '%')
      put(&out, "%", 1), format += 2;
    else
      format = expand(&out, format + 1);
  }
  if (room) text[out.used < room ? out.used : room - 1] = 0;
  return out.used;
}
