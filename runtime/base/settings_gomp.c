#include "runtime/base/settings_row.h"

typedef solo_gomp_settings_table setting_table;
static setting_table table = {SOLO_GOMP_SETTINGS_MAP(SOLO_SETTING_INITIAL)};
static const solo_setting_row rows[] = {SOLO_GOMP_SETTINGS_MAP(SOLO_SETTING_ROW)};
static solo_setting_once once = SOLO_SETTING_ONCE_INIT;
enum { ROWS = sizeof rows / sizeof *rows };

const solo_gomp_settings_table *solo_gomp_settings(void) {
  solo_setting_read_once(&once, rows, ROWS, &table);
  return &table;
}

void solo_gomp_settings_print(FILE *out) {
  solo_setting_print_rows(out, rows, ROWS, solo_gomp_settings());
}
