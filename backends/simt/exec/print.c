/* printf of device code: CUDA's vprintf, with its arguments packed one behind the other, each
 * aligned to its size (CUDA C++ Programming Guide, "Formatted Output"; NVPTX's vprintf). */
#include "backends/simt/exec/inside.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 4096, SPECIFIER = 64 };

typedef struct arguments {
  const char *at;
} arguments;

static uint64_t take(arguments *a, unsigned bytes) {
  uint64_t value = 0;
  uintptr_t at = ((uintptr_t)a->at + bytes - 1) / bytes * bytes;
  memcpy(&value, (const void *)at, bytes);
  a->at = (const char *)at + bytes;
  return value;
}

typedef struct line {
  char text[LINE];
  size_t used;
} line;

static void add(line *l, const char *text, size_t n) {
  if (n > LINE - 1 - l->used) n = LINE - 1 - l->used;
  memcpy(l->text + l->used, text, n);
  l->used += n;
}

/* One conversion: *format is behind its %. Its flags, width and precision are copied; a * becomes
 * the number it stands for; the length is replaced by one that says what was passed. */
static const char *convert(line *l, const char *f, arguments *a) {
  char spec[SPECIFIER] = "%", text[LINE];
  size_t n = 1;
  int is_long = 0;
  for (; *f && strchr("-+ #0123456789.*", *f); f++) {
    if (*f == '*')
      n += (size_t)snprintf(spec + n, sizeof spec - n, "%d", (int)take(a, 4));
    else if (n < SPECIFIER - 8)
      spec[n++] = *f;
  }
  for (; *f && strchr("hlLjztq", *f); f++)
    is_long += *f == 'l' || *f == 'j' || *f == 'z' || *f == 't' || *f == 'q';
  char kind = *f ? *f++ : '%';
  spec[n] = 0;
  if (kind == '%') {
    add(l, "%", 1);
    return f;
  }
  if (strchr("aAeEfFgG", kind)) {
    double value;
    uint64_t bits = take(a, 8);
    memcpy(&value, &bits, sizeof value);
    snprintf(spec + n, sizeof spec - n, "%c", kind);
    snprintf(text, sizeof text, spec, value);
  } else if (kind == 's' || kind == 'p') {
    uint64_t value = take(a, 8);
    snprintf(spec + n, sizeof spec - n, "%c", kind);
    snprintf(text, sizeof text, spec, (void *)(uintptr_t)value);
  } else if (is_long) {
    snprintf(spec + n, sizeof spec - n, "ll%c", kind);
    snprintf(text, sizeof text, spec, (unsigned long long)take(a, 8));
  } else {
    snprintf(spec + n, sizeof spec - n, "%c", kind);
    snprintf(text, sizeof text, spec, (unsigned)take(a, 4));
  }
  add(l, text, strlen(text));
  return f;
}

int32_t simt_print(const char *format, const void *packed) {
  line l = {.used = 0};
  arguments a = {packed};
  int32_t count = 0;
  for (const char *f = format; *f;) {
    if (*f == '%') {
      f = convert(&l, f + 1, &a);
      count++;
    } else {
      add(&l, f++, 1);
    }
  }
  const simt_launch *launch = simt_block_here->launch;
  if (launch->print)
    launch->print(l.text, l.used);
  else
    fwrite(l.text, 1, l.used, stdout);
  return count;
}
