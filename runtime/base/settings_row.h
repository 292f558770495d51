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

/* A row of settings.h as data. Parsing code for each setting would add 2 KB to every static
 * program. */
typedef struct solo_setting_row {
  const char *texts;
  const char *words;
  int64_t most;
  int32_t least;
  uint16_t kind, offset;
} solo_setting_row;

/* These macros expand a map of settings.h into the initial values of a setting_table, and into
 * rows. */
#define SOLO_SETTING_INITIAL(field, variable, kind, words, least, most, initial, spoken, meaning)  \
  .field = initial,
#define SOLO_SETTING_ROW(field, variable, kind, words, least, most, initial, spoken, meaning)      \
  {variable "\0" spoken "\0" meaning, words, most, least, SOLO_KIND_##kind,                        \
   offsetof(setting_table, field)},

typedef enum solo_setting_part {
  SOLO_SETTING_VARIABLE,
  SOLO_SETTING_INITIAL_TEXT,
  SOLO_SETTING_MEANING
} solo_setting_part;
const char *solo_setting_text(const solo_setting_row *row, solo_setting_part part);

/* Before the call, `table` must contain the initial values. */
void solo_setting_read_rows(const solo_setting_row *rows, size_t count, void *table);

typedef struct solo_setting_once {
  _Atomic int is_read;
  solo_lock lock;
} solo_setting_once;
#define SOLO_SETTING_ONCE_INIT                                                                     \
  { 0, SOLO_LOCK_INIT(SOLO_RANK_SETTINGS) }

SOLO_INLINE void solo_setting_read_once(solo_setting_once *once, const solo_setting_row *rows,
                                        size_t count, void *table) {
  /* acquire: pairs with the store below */
  if (SOLO_LIKELY(solo_load_acquire(&once->is_read))) return;
  solo_lock_acquire(&once->lock);
  if (!solo_load_relaxed(&once->is_read)) { /* relaxed: under the lock */
    solo_setting_read_rows(rows, count, table);
    /* pairs with the load above: the table is complete */
    solo_store_release(&once->is_read, 1);
  }
  solo_lock_release(&once->lock);
}

bool solo_setting_parse(const solo_setting_row *row, const char *text, void *out);

void solo_setting_print_rows(FILE *out, const solo_setting_row *rows, size_t count,
                             const void *table);

void solo_thread_settings_print(FILE *out);

#endif
