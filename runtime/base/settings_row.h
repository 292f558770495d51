/* The rows of settings.h as data, and what reads and prints them. Private to settings*.c. */
#ifndef SOLO_BASE_SETTINGS_ROW_H
#define SOLO_BASE_SETTINGS_ROW_H

#include "runtime/base/atomic.h"
#include "runtime/base/lock.h"
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

/* What a map of settings.h makes in the file that has its table, whose type is called setting_table there:
 * the initial values, and the rows. */
#define SOLO_SETTING_INITIAL(field, variable, kind, words, least, most, initial, spoken, meaning)  \
  .field = initial,
#define SOLO_SETTING_ROW(field, variable, kind, words, least, most, initial, spoken, meaning)      \
  {variable "\0" spoken "\0" meaning, words, most, least, SOLO_KIND_##kind,                        \
   offsetof(setting_table, field)},

typedef enum solo_setting_part {
  SOLO_SETTING_VARIABLE, /* its name begins row->texts */
  SOLO_SETTING_SPOKEN,   /* the initial value in words */
  SOLO_SETTING_MEANING
} solo_setting_part;
const char *solo_setting_text(const solo_setting_row *row, solo_setting_part part);

/* Reads the environment for these rows into the table, which holds the initial values. */
void solo_setting_read_rows(const solo_setting_row *rows, size_t count, void *table);

/* The same once for a table that is kept. */
typedef struct solo_setting_once {
  _Atomic int is_read;
  solo_lock lock; /* guards the one reading */
} solo_setting_once;
#define SOLO_SETTING_ONCE_INIT                                                                     \
  { 0, SOLO_LOCK_INIT(SOLO_RANK_SETTINGS) }

SOLO_INLINE void solo_setting_read_once(solo_setting_once *once, const solo_setting_row *rows,
                                        size_t count, void *table) {
  /* acquire: pairs with the store below */
  if (SOLO_LIKELY(solo_load_acquire(&once->is_read))) return;
  solo_lock_acquire(&once->lock);
  if (!solo_load_relaxed(&once->is_read)) { /* the lock orders it */
    solo_setting_read_rows(rows, count, table);
    solo_store_release(&once->is_read, 1); /* pairs with the load above */
  }
  solo_lock_release(&once->lock);
}

/* False when the text is not a value of the row; out is the field. */
bool solo_setting_parse(const solo_setting_row *row, const char *text, void *out);

void solo_setting_print_rows(FILE *out, const solo_setting_row *rows, size_t count,
                             const void *table);

/* Those of host threads. */
void solo_thread_settings_print(FILE *out);

#endif
