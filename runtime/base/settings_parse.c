#include "runtime/base/settings_row.h"

#include "runtime/base/log.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>

static const char *skip(const char *text) {
  while (*text == ' ' || *text == '\t') text++;
  return text;
}

/* Compares text with a word of `length` bytes. Ignores case and surrounding blanks. */
static bool is(const char *text, const char *word, size_t length) {
  text = skip(text);
  return length && strncasecmp(text, word, length) == 0 && !*skip(text + length);
}

static int word_of(const char *text, const char *words) {
  for (int i = 0;; i++) {
    size_t length = strcspn(words, "|");
    if (is(text, words, length)) return i;
    if (!words[length]) return -1;
    words += length + 1;
  }
}

static bool number_at(const char *text, char **end, long long *out) {
  const char *digits = skip(text);
  digits += *digits == '-' || *digits == '+';
  errno = 0;
  *out = strtoll(text, end, digits[0] == '0' && (digits[1] | 0x20) == 'x' ? 16 : 10);
  return *end != text && !errno;
}

static bool parse_int(const char *text, int64_t least, int64_t most, int64_t *out) {
  char *end;
  long long value;
  if (!number_at(text, &end, &value) || *skip(end) || value < least || value > most) return false;
  *out = value;
  return true;
}

static bool parse_size(const solo_setting_row *row, const char *text, uint64_t *out) {
  char *end;
  long long value;
  if (!number_at(text, &end, &value) || value < 0) return false;
  const char *unit = skip(end);
  unsigned shift = row->kind == SOLO_KIND_ksize ? 10 : 0;
  static const char letters[] = "bkmg";
  const char *letter = *unit ? strchr(letters, *unit | 0x20) : NULL;
  if (letter) {
    shift = 10 * (unsigned)(letter - letters);
    unit = skip(unit + 1);
  }
  if (*unit || value > row->most >> shift || value << shift < row->least) return false;
  *out = (uint64_t)value << shift;
  return true;
}

static bool parse_time(const char *text, uint64_t *out) {
  static const uint64_t units[] = {1000000, 1000, 1000000000};
  char *end;
  long long value;
  if (word_of(text, "infinite") == 0) {
    *out = SOLO_SETTING_FOREVER;
    return true;
  }
  if (!number_at(text, &end, &value) || value < 0) return false;
  int unit = *skip(end) ? word_of(end, "ms|us|s") : 0;
  if (unit < 0) return false;
  /* unit is 0, 1 or 2. NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
  *out = value > INT32_MAX ? SOLO_SETTING_FOREVER : (uint64_t)value * units[unit];
  return true;
}

/* Checks all items, but stores only as many as *out can contain. */
static bool parse_list(const solo_setting_row *row, const char *text, solo_setting_list *out) {
  static const int32_t binds[] = {2, 2, 3, 4};
  char part[64];
  solo_setting_list list = {0};
  for (;;) {
    size_t length = strcspn(text, ",");
    if (length >= sizeof part) return false;
    memcpy(part, text, length);
    part[length] = 0;
    int64_t value = -1;
    if (row->kind == SOLO_KIND_binds) {
      int word = word_of(part, "primary|master|close|spread");
      if (word < 0) return false;
      value = binds[word];
    } else if (!parse_int(part, row->least, row->most, &value)) {
      return false;
    }
    if (list.count < SOLO_SETTING_LIST) list.item[list.count++] = (int32_t)value;
    if (!text[length]) break;
    text += length + 1;
  }
  *out = list;
  return true;
}

static bool parse_binds(const solo_setting_row *row, const char *text, solo_setting_list *out) {
  int flag = word_of(text, SOLO_WORDS_FLAG);
  if (flag < 0) return parse_list(row, text, out);
  *out = (solo_setting_list){.count = 1, .item = {flag % 2}};
  return true;
}

static bool parse_schedule(const char *text, solo_setting_schedule *out) {
  static const char monotonic[] = "monotonic:", nonmonotonic[] = "nonmonotonic:";
  uint32_t modifier = 0;
  text = skip(text);
  if (strncasecmp(text, monotonic, sizeof monotonic - 1) == 0)
    modifier = 0x80000000u, text += sizeof monotonic - 1;
  else if (strncasecmp(text, nonmonotonic, sizeof nonmonotonic - 1) == 0)
    text += sizeof nonmonotonic - 1;
  size_t length = strcspn(text, ",");
  char kind[32];
  if (length >= sizeof kind) return false;
  memcpy(kind, text, length);
  kind[length] = 0;
  int64_t chunk = 0;
  if (text[length] && !parse_int(text + length + 1, 1, INT32_MAX, &chunk)) return false;
  int word = word_of(kind, "static|dynamic|guided|auto");
  if (word < 0) return false;
  *out = (solo_setting_schedule){(int32_t)((uint32_t)(word + 1) | modifier), (int32_t)chunk};
  return true;
}

bool solo_setting_parse(const solo_setting_row *row, const char *text, void *out) {
  switch ((solo_setting_kind)row->kind) {
  case SOLO_KIND_int:
    return parse_int(text, row->least, row->most, out);
  case SOLO_KIND_size:
  case SOLO_KIND_ksize:
    return parse_size(row, text, out);
  case SOLO_KIND_time:
    return parse_time(text, out);
  case SOLO_KIND_list:
    return parse_list(row, text, out);
  case SOLO_KIND_binds:
    return parse_binds(row, text, out);
  case SOLO_KIND_schedule:
    return parse_schedule(text, out);
  case SOLO_KIND_text:
    *(const char **)out = text;
    return true;
  case SOLO_KIND_word:
    break;
  }
  int word = word_of(text, row->words);
  if (word >= 0) *(int *)out = word % ((int)row->most + 1);
  return word >= 0;
}

extern char **environ;

/* Returns false for most entries, so that these need no search. secure: excludes the variables that
 * AT_SECURE forbids. */
static bool has_known_prefix(const char *entry, bool secure) {
  switch (entry[0]) {
  case 'K':
    return !strncmp(entry, "KMP_", 4);
  case 'L':
    return !secure && !strncmp(entry, "LIBOMPTARGET_", 13);
  case 'O':
    return !strncmp(entry, "OMP_", 4) || (!secure && !strncmp(entry, "OMPX_", 5));
  case 'S':
    return !secure && (entry[1] == 'O' || entry[1] == 'I');
  default:
    return false;
  }
}

/* libomp defines both functions; solo's host threads define only the first. A call of the first
 * starts libomp. */
extern int __kmpc_get_target_offload(void) SOLO_WEAK;
extern void ompt_libomp_connect(void) SOLO_WEAK;

static bool is_reported_by_libomp(const char *variable) {
  if (!ompt_libomp_connect || !__kmpc_get_target_offload ||
      strcmp(variable, "OMP_TARGET_OFFLOAD") != 0)
    return false;
  __kmpc_get_target_offload();
  return true;
}

const char *solo_setting_text(const solo_setting_row *row, solo_setting_part part) {
  const char *text = row->texts;
  for (int i = 0; i < (int)part; i++) text += strlen(text) + 1;
  return text;
}

static void report_wrong(const solo_setting_row *row, const char *text) {
  if (!is_reported_by_libomp(row->texts))
    solo_warn(
        "%s=\"%s\" is not understood (%s); used instead: %s (solo-info --explain wrong-variable)",
        row->texts, text, solo_setting_text(row, SOLO_SETTING_MEANING),
        solo_setting_text(row, SOLO_SETTING_INITIAL_TEXT));
}

static void read_entry(const char *entry, const solo_setting_row *from, size_t count, void *out) {
  for (size_t i = 0; i < count; i++) {
    size_t length = strlen(from[i].texts);
    if (strncmp(entry, from[i].texts, length) != 0 || entry[length] != '=') continue;
    const char *text = entry + length + 1;
    if (text[strspn(text, " \t")] &&
        !solo_setting_parse(&from[i], text, (char *)out + from[i].offset))
      report_wrong(&from[i], text);
    else if (strcmp(from[i].texts, "LIBOMPTARGET_DEBUG") == 0 && *text != '0')
      solo_print_line("solo: LIBOMPTARGET_DEBUG is read as SOLO_DEBUG=%s", text);
    return;
  }
}

/* Reads the environment in one pass, because a getenv(3) per row would dominate the start of a
 * short process. The pass runs backwards: of several entries with one name, the first has effect,
 * as with getenv. */
void solo_setting_read_rows(const solo_setting_row *from, size_t count, void *out) {
  bool secure = getauxval(AT_SECURE) != 0;
  size_t entries = 0;
  while (environ && environ[entries]) entries++;
  while (entries > 0) {
    const char *entry = environ[--entries];
    if (has_known_prefix(entry, secure)) read_entry(entry, from, count, out);
  }
}
