#include "runtime/base/settings_row.h"

#include <stdlib.h>

typedef solo_thread_settings_table setting_table;
static const solo_setting_row rows[] = {SOLO_THREAD_SETTINGS_MAP(SOLO_SETTING_ROW)};
enum { ROWS = sizeof rows / sizeof *rows };

void solo_thread_settings_read(solo_thread_settings_table *out) {
  *out = (setting_table){SOLO_THREAD_SETTINGS_MAP(SOLO_SETTING_INITIAL)};
  solo_setting_read_rows(rows, ROWS, out);
}

static void print_list(FILE *out, const solo_setting_list *list, const char *none) {
  for (int32_t i = 0; i < list->count; i++) fprintf(out, "%s%d", i ? "," : "", list->item[i]);
  if (!list->count) fputs(none, out);
}

static void print_value(FILE *out, const solo_setting_row *row, const void *value) {
  const solo_setting_schedule *schedule = value;
  switch ((solo_setting_kind)row->kind) {
  case SOLO_KIND_int:
    fprintf(out, "%lld", (long long)*(const int64_t *)value);
    break;
  case SOLO_KIND_size:
  case SOLO_KIND_ksize:
  case SOLO_KIND_time:
    fprintf(out, "%llu", (unsigned long long)*(const uint64_t *)value);
    break;
  case SOLO_KIND_list:
  case SOLO_KIND_binds:
    print_list(out, value, solo_setting_text(row, SOLO_SETTING_INITIAL_TEXT));
    break;
  case SOLO_KIND_schedule:
    fprintf(out, "%d,%d", schedule->kind & 7, schedule->chunk);
    break;
  case SOLO_KIND_text:
    fputs(*(const char *const *)value ? *(const char *const *)value : "(none)", out);
    break;
  case SOLO_KIND_word: {
    const char *word = row->words;
    for (int i = *(const int *)value; i > 0; i--)
      while (*word++ != '|') continue;
    int length = 0;
    while (word[length] && word[length] != '|') length++;
    fprintf(out, "%.*s", length, word);
    break;
  }
  }
}

void solo_setting_print_rows(FILE *out, const solo_setting_row *from, size_t count,
                             const void *table) {
  for (size_t i = 0; i < count; i++) {
    int is_set = getenv(from[i].texts) != NULL;
    fprintf(out, "%-45s ", from[i].texts);
    if (is_set)
      print_value(out, &from[i], (const char *)table + from[i].offset);
    else
      fputs(solo_setting_text(&from[i], SOLO_SETTING_INITIAL_TEXT), out);
    fprintf(out, "  [%s]  %s\n", is_set ? "environment" : "default",
            solo_setting_text(&from[i], SOLO_SETTING_MEANING));
  }
}

void solo_thread_settings_print(FILE *out) {
  setting_table settings;
  solo_thread_settings_read(&settings);
  solo_setting_print_rows(out, rows, ROWS, &settings);
}
