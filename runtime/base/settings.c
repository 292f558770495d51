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
static solo_lock table_lock = SOLO_LOCK_INIT(SOLO_RANK_SETTINGS); /* guards the one reading of the environment */

/* Each reader returns false when the text is not a value of its kind; out is the field. */
static bool read_int(const char *text, void *out) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 0);
  if (end == text || *end || errno) return false;
  *(int64_t *)out = value;
  return true;
}

static bool read_size(const char *text, void *out) {
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
  *(uint64_t *)out = (uint64_t)value << shift;
  return true;
}

/* Which of the words (NULL behind the last) the text is; -1: none. */
static int word_of(const char *text, const char *const *words) {
  for (int i = 0; words[i]; i++)
    if (strcasecmp(text, words[i]) == 0) return i;
  return -1;
}

static bool read_flag(const char *text, void *out) {
  static const char *const words[] = {"0", "1", "off", "on", "false", "true", "no", "yes", NULL};
  int word = word_of(text, words);
  if (word >= 0) *(int *)out = word & 1;
  return word >= 0;
}

static bool read_policy(const char *text, void *out) {
  static const char *const words[] = {"default", "disabled", "mandatory", NULL};
  int word = word_of(text, words);
  if (word >= 0) *(solo_offload_policy *)out = (solo_offload_policy)word;
  return word >= 0;
}

static bool read_memory(const char *text, void *out) {
  static const char *const words[] = {"separate", "shared", NULL};
  int word = word_of(text, words);
  if (word >= 0) *(int *)out = word;
  return word >= 0;
}

static bool read_text(const char *text, void *out) {
  *(const char **)out = text;
  return true;
}

/* One row per setting: code per setting would be 2 KB of every static program. */
static const struct {
  const char *variable, *meaning;
  bool (*read)(const char *text, void *out);
  size_t offset;
} settings[] = {
#define XX(field, variable, kind, initial, meaning)                                                \
  {variable, meaning, read_##kind, offsetof(solo_settings_table, field)},
    SOLO_SETTINGS_MAP(XX)
#undef XX
};

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
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    const char *variable = settings[i].variable;
    const char *text = value_of(entry, variable, strlen(variable));
    if (!text) continue;
    if (*text && !settings[i].read(text, (char *)&table + settings[i].offset))
      solo_warn("%s=%s is not understood and ignored: %s", variable, text, settings[i].meaning);
    return;
  }
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
