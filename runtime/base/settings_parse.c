/* What the text of an environment variable means, by the kind of its row (settings.h). */
#include "runtime/base/settings_row.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *skip(const char *text) {
  while (*text == ' ' || *text == '\t') text++;
  return text;
}

/* Is text the word of that length, case aside and with blanks around? */
static bool is(const char *text, const char *word, size_t length) {
  text = skip(text);
  return length && strncasecmp(text, word, length) == 0 && !*skip(text + length);
}

/* The position of the text among words between bars; -1: it is none of them. */
static int word_of(const char *text, const char *words) {
  for (int i = 0;; i++) {
    size_t length = strcspn(words, "|");
    if (is(text, words, length)) return i;
    if (!words[length]) return -1;
    words += length + 1;
  }
}

/* A number at the beginning of text; *end: behind it. Octal is never meant. */
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
  *out = value > INT32_MAX ? SOLO_SETTING_FOREVER : (uint64_t)value * units[unit];
  return true;
}

/* What is beyond the list must be right, too, and is left out: so deep regions are like the last
 * level that is kept. */
static bool parse_list(const solo_setting_row *row, const char *text, solo_setting_list *out) {
  static const int32_t binds[] = {2, 2, 3, 4}; /* omp_proc_bind_t */
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
