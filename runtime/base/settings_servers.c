/* The settings of device servers (settings.h). Part of backends/remote. */
#include "runtime/base/atomic.h"
#include "runtime/base/lock.h"
#include "runtime/base/settings_row.h"

static solo_server_settings_table table = {
#define XX(field, variable, kind, words, least, most, initial, spoken, meaning) .field = initial,
    SOLO_SERVER_SETTINGS_MAP(XX)
#undef XX
};
static _Atomic int table_is_read;
static solo_lock table_lock = SOLO_LOCK_INIT(SOLO_RANK_SETTINGS); /* guards the one reading */

static const solo_setting_row rows[] = {
#define XX(field, variable, kind, words, least, most, initial, spoken, meaning)                    \
  SOLO_SETTING_ROW(solo_server_settings_table, field, variable, kind, words, least, most, spoken,  \
                   meaning),
    SOLO_SERVER_SETTINGS_MAP(XX)
#undef XX
};
enum { ROWS = sizeof rows / sizeof *rows };

const solo_server_settings_table *solo_server_settings(void) {
  /* acquire: pairs with the store below */
  if (SOLO_LIKELY(solo_load_acquire(&table_is_read))) return &table;
  solo_lock_acquire(&table_lock);
  if (!solo_load_relaxed(&table_is_read)) { /* the lock orders it */
    solo_setting_read_rows(rows, ROWS, &table);
    solo_store_release(&table_is_read, 1); /* pairs with the load above */
  }
  solo_lock_release(&table_lock);
  return &table;
}

void solo_server_settings_print(FILE *out) {
  solo_setting_print_rows(out, rows, ROWS, solo_server_settings());
}
