/* The rows of settings.h as data, and what reads and prints them. Private to settings*.c. */
#ifndef SOLO_BASE_SETTINGS_ROW_H
#define SOLO_BASE_SETTINGS_ROW_H

#include "runtime/base/settings.h"

typedef enum solo_setting_kind {
  SOLO_KIND_int,
  SOLO_KIND_word,
  SOLO_KIND_size,
  SOLO_KIND_ksize,
  SOLO_KIND_time,
  SOLO_KIND_list,
  SOLO_KIND_binds,
  SOLO_KIND_schedule,
  SOLO_KIND_text
} solo_setting_kind;

/* Data, not code per setting, which would be 2 KB of every static program; and few pointers and wide
 * numbers, which were another one. */
typedef struct solo_setting_row {
  const char *texts; /* solo_setting_text's, one behind the other */
  const char *words;
  int64_t most;
  int32_t least;
  uint16_t kind, offset; /* offset: in the table */
} solo_setting_row;

#define SOLO_SETTING_ROW(table, field, variable, kind, words, least, most, spoken, meaning)        \
  {                                                                                                \
    variable "\0" spoken "\0" meaning, words, most, least, SOLO_KIND_##kind,                       \
        offsetof(table, field)                                                                     \
  }

typedef enum solo_setting_part {
  SOLO_SETTING_VARIABLE, /* its name begins row->texts */
  SOLO_SETTING_SPOKEN,   /* the initial value in words */
  SOLO_SETTING_MEANING
} solo_setting_part;
const char *solo_setting_text(const solo_setting_row *row, solo_setting_part part);

/* Reads the environment for these rows into the table, which holds the initial values. */
void solo_setting_read_rows(const solo_setting_row *rows, size_t count, void *table);

/* False when the text is not a value of the row; out is the field. */
bool solo_setting_parse(const solo_setting_row *row, const char *text, void *out);

void solo_setting_print_rows(FILE *out, const solo_setting_row *rows, size_t count,
                             const void *table);

/* Those of host threads. */
void solo_thread_settings_print(FILE *out);

#endif
