#include "runtime/base/format.h"

#include <stdio.h>
#include <string.h>

/* WIDEST, MOST_DIGITS: limits of width and precision, because printf(3) is slow for larger values. */
enum { LINE = 4096, SPECIFIER = 64, WIDEST = 99999, MOST_DIGITS = 6 };

typedef struct line {
  char *text;
  size_t used, size;
} line;

static void add(line *l, const char *text, size_t n) {
  if (n > l->size - 1 - l->used) n = l->size - 1 - l->used;
  memcpy(l->text + l->used, text, n);
  l->used += n;
}

static void add_value(line *l, char *spec, const char *kind, uint64_t value) {
  char text[LINE];
  int wrote;
  strcat(spec, kind); /* convert() leaves 20 bytes of spec free */
  if (strchr("aAeEfFgG", kind[0])) {
    double number;
    memcpy(&number, &value, sizeof number);
    wrote = snprintf(text, sizeof text, spec, number);
  } else if (kind[0] == 's' || kind[0] == 'p') {
    wrote = snprintf(text, sizeof text, spec, (void *)(uintptr_t)value);
  } else if (kind[0] == 'l') {
    wrote = snprintf(text, sizeof text, spec, (unsigned long long)value);
  } else {
    wrote = snprintf(text, sizeof text, spec, (unsigned)value);
  }
  if (wrote > 0) add(l, text, strlen(text)); /* wrote is negative for an invalid %lc */
}

/* Prints one conversion; f points behind the %. Replaces `*` by its argument, and the length
 * modifier by that of the host type of 4 or 8 bytes. */
static const char *convert(line *l, const char *f, const solo_format_arguments *a) {
  char spec[SPECIFIER] = "%", kind[] = {0, 0, 0, 0};
  size_t n = 1, digits = 0;
  int is_long = 0;
  for (; *f && strchr("-+ #0123456789.*", *f); f++) {
    if (*f == '*') {
      int number = (int)a->next(a->context, 4);
      if (number > WIDEST || number < -WIDEST) number = number > 0 ? WIDEST : -WIDEST;
      if (n < SPECIFIER - 20 && !digits)
        n += (size_t)snprintf(spec + n, SPECIFIER - n, "%d", number);
      digits = MOST_DIGITS; /* skips digits that follow `*` */
      continue;
    }
    digits = *f >= '0' && *f <= '9' ? digits + 1 : 0;
    if (n < SPECIFIER - 20 && digits <= MOST_DIGITS) spec[n++] = *f;
  }
  spec[n] = 0;
  for (; *f && strchr("hlLjztq", *f); f++)
    is_long += *f == 'l' || *f == 'j' || *f == 'z' || *f == 't' || *f == 'q';
  kind[0] = *f ? *f++ : '%';
  if (kind[0] == '%') {
    add(l, "%", 1);
  } else if (kind[0] == 's') {
    add_value(l, spec, kind, (uintptr_t)a->text(a->context));
  } else if (strchr("aAeEfFgGp", kind[0])) {
    add_value(l, spec, kind, a->next(a->context, 8));
  } else if (kind[0] == 'n') {
    (void)a->next(a->context, 8); /* %n writes nothing */
  } else if (!strchr("diouxXc", kind[0])) {
    /* printed as text: %S and %m would read memory of this process */
    add(l, spec, n);
    add(l, kind, 1);
  } else if (is_long) {
    kind[2] = kind[0];
    kind[0] = kind[1] = 'l';
    add_value(l, spec, kind, a->next(a->context, 8));
  } else {
    add_value(l, spec, kind, a->next(a->context, 4));
  }
  return f;
}

size_t solo_format(char *out, size_t size, const char *format,
                   const solo_format_arguments *arguments, int32_t *out_count) {
  line l = {.text = out, .size = size};
  *out_count = 0;
  for (const char *f = format; *f;) {
    if (*f == '%') {
      f = convert(&l, f + 1, arguments);
      ++*out_count;
    } else {
      add(&l, f++, 1);
    }
  }
  out[l.used] = 0;
  return l.used;
}
