/* Expands affinity formats: "%n", "%{thread_num}", "%0.5n" (OpenMP 5.2, 21.2.7 and 18.3.8). */
#define _GNU_SOURCE
#include "abi/include/omp.h"
#include "abi/kmpc/affinity/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct output {
  char *text;
  size_t size, used;
} output;

static void put(output *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++, out->used++)
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign) */
    if (out->used + 1 < out->size) out->text[out->used] = text[i];
}

static void write_value(char field, char *value, size_t size) {
  static const char numbers[] = "tTLnNaPi";
  const char *at = field ? strchr(numbers, field) : NULL;
  kmpc_mask mask;
  if (at) {
    int level = omp_get_level();
    int number[] = {
        omp_get_team_num(),   omp_get_num_teams(),   level,
        omp_get_thread_num(), omp_get_num_threads(), omp_get_ancestor_thread_num(level - 1),
        (int)getpid(),        (int)solo_thread_id()};
    snprintf(value, size, "%d", number[at - numbers]);
  } else if (field == 'H') {
    if (gethostname(value, size) != 0) *value = 0;
    value[size - 1] = 0;
  } else if (field == 'A') {
    *value = 0;
    if (solo_kmp_mask_get(&mask) >= 0) solo_kmp_mask_text(&mask, value, size);
  } else {
    strcpy(value, "undefined");
  }
}

static char field_named(const char *name, size_t length) {
  static const char names[] = "tteam_num\0Tnum_teams\0Lnesting_level\0nthread_num\0Nnum_threads\0"
                              "aancestor_tnum\0Hhost\0Pprocess_id\0inative_thread_id\0"
                              "Athread_affinity\0";
  /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Branch) */
  for (const char *one = names; *one; one += strlen(one) + 1)
    if (strlen(one + 1) == length && memcmp(one + 1, name, length) == 0) return *one;
  return 0;
}

/* Expands one field, "[0][.][width]field" after the "%". ".": right-justified, "0": padded with
 * zeros. Returns the rest of the format. */
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
  char value[256];
  write_value(field, value, sizeof value);
  size_t length = strlen(value);
  size_t padding = width > length ? width - length : 0;
  const char *rest = value, *fill = zero && right ? "0" : " ";
  if (*fill == '0' && *rest == '-') put(out, rest++, 1), length--;
  if (!right) put(out, rest, length);
  while (padding--) put(out, fill, 1);
  if (right) put(out, rest, length);
  return format;
}

size_t solo_kmp_affinity_text(char *text, size_t size, const char *format) {
  output out = {text, size, 0};
  if (!format || !*format) format = solo_kmp_affinity_format(solo_kmp_config());
  while (*format) {
    if (*format != '%')
      put(&out, format++, 1);
    else if (format[1] == '%')
      put(&out, "%", 1), format += 2;
    else
      format = expand(&out, format + 1);
  }
  if (size) text[out.used < size ? out.used : size - 1] = 0;
  return out.used;
}

void solo_kmp_affinity_show(const char *format) {
  char line[1024];
  (void)solo_kmp_affinity_text(line, sizeof line - 1, format);
  /* one call, so that the lines of several threads do not mix */
  (void)fputs(strcat(line, "\n"), stdout);
}
