/* Reads the environment into the table of settings.h, once. */
#include "runtime/base/settings.h"

#include "runtime/base/atomic.h"
#include "runtime/base/lock.h"
#include "runtime/base/log.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static solo_settings_table table = {
#define XX(field, variable, kind, initial, meaning) .field = initial,
    SOLO_SETTINGS_MAP(XX)
#undef XX
};
static _Atomic int table_is_read;
static solo_lock table_lock = SOLO_LOCK_INIT; /* guards the one reading of the environment */

static bool equals(const char *a, const char *b) {
  return strcasecmp(a, b) == 0;
}

/* Each reader returns false when the text is not a value of its kind. */
static bool read_int(const char *text, int64_t *out) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 0);
  if (end == text || *end || errno) return false;
  *out = value;
  return true;
}

static bool read_size(const char *text, uint64_t *out) {
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 0);
  if (end == text || *text == '-' || errno) return false;
  unsigned shift = 0;
  switch (*end | 0x20) {
  case 'k':
    shift = 10;
    break;
  case 'm':
    shift = 20;
    break;
  case 'g':
    shift = 30;
    break;
  case 'b':
    break;
  default:
    end--;
  }
  if (end[1] || value > UINT64_MAX >> shift) return false;
  *out = (uint64_t)value << shift;
  return true;
}

static bool read_flag(const char *text, int *out) {
  if (equals(text, "1") || equals(text, "on") || equals(text, "true") || equals(text, "yes"))
    *out = 1;
  else if (equals(text, "0") || equals(text, "off") || equals(text, "false") || equals(text, "no"))
    *out = 0;
  else
    return false;
  return true;
}

static bool read_policy(const char *text, solo_offload_policy *out) {
  if (equals(text, "default"))
    *out = SOLO_OFFLOAD_DEFAULT;
  else if (equals(text, "disabled"))
    *out = SOLO_OFFLOAD_DISABLED;
  else if (equals(text, "mandatory"))
    *out = SOLO_OFFLOAD_MANDATORY;
  else
    return false;
  return true;
}

static bool read_memory(const char *text, int *out) {
  if (equals(text, "separate"))
    *out = 0;
  else if (equals(text, "shared"))
    *out = 1;
  else
    return false;
  return true;
}

static bool read_text(const char *text, const char **out) {
  *out = text;
  return true;
}

extern char **environ;

/* The value, when entry is NAME=VALUE of that name; else NULL. */
static const char *value_of(const char *entry, const char *name, size_t length) {
  return !strncmp(entry, name, length) && entry[length] == '=' ? entry + length + 1 : NULL;
}

static int may_be_ours(const char *entry) {
  switch (entry[0]) { /* few entries begin with one of these: no call for the others */
  case 'L':
    return !strncmp(entry, "LIBOMPTARGET_", 13);
  case 'O':
    return !strncmp(entry, "OMP", 3); /* OMP_ and OMPX_ */
  case 'S':
    return !strncmp(entry, "SOLO_", 5);
  default:
    return 0;
  }
}

static void read_entry(const char *entry) {
  const char *text;
#define XX(field, variable, kind, initial, meaning)                                                \
  if ((text = value_of(entry, variable, sizeof variable - 1))) {                                   \
    if (*text && !read_##kind(text, &table.field))                                                 \
      solo_warn(variable "=%s is not understood and ignored: %s", text, meaning);                  \
    return;                                                                                        \
  }
  SOLO_SETTINGS_MAP(XX)
#undef XX
}

/* One pass: a getenv(3) per setting would be most of the instructions of a short process (bench:
 * startup). From the end, so that of equal names the first counts, as it does for getenv. */
static void read_environment(void) {
  size_t count = 0;
  while (environ && environ[count]) count++;
  while (count > 0) {
    const char *entry = environ[--count];
    if (may_be_ours(entry)) read_entry(entry);
  }
}

const solo_settings_table *solo_settings(void) {
  if (SOLO_UNLIKELY(!solo_load_acquire(&table_is_read))) { /* pairs with the release below */
    solo_lock_acquire(&table_lock);
    if (!solo_load_relaxed(&table_is_read)) { /* the lock orders it */
      read_environment();
      solo_store_release(&table_is_read, 1); /* pairs with the acquire above */
    }
    solo_lock_release(&table_lock);
  }
  return &table;
}

static void print_int(FILE *out, int64_t value) {
  fprintf(out, "%lld", (long long)value);
}

static void print_size(FILE *out, uint64_t value) {
  fprintf(out, "%llu", (unsigned long long)value);
}

static void print_flag(FILE *out, int value) {
  fputs(value ? "on" : "off", out);
}

static void print_policy(FILE *out, solo_offload_policy value) {
  static const char *const words[] = {"default", "disabled", "mandatory"};
  fputs(words[value], out);
}

static void print_memory(FILE *out, int value) {
  fputs(value ? "shared" : "separate", out);
}

static void print_text(FILE *out, const char *value) {
  fputs(value ? value : "(none)", out);
}

void solo_settings_print(FILE *out) {
  const solo_settings_table *settings = solo_settings();
#define XX(field, variable, kind, initial, meaning)                                                \
  fprintf(out, "%-45s ", variable);                                                                \
  print_##kind(out, settings->field);                                                              \
  fprintf(out, "  [%s]  %s\n", getenv(variable) ? "environment" : "default", meaning);
  SOLO_SETTINGS_MAP(XX)
#undef XX
}
