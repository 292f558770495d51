/* The settings of programs that REX lowered, for solo-info. */
#define _GNU_SOURCE
#include "runtime/base/settings_row.h"

#include <stdlib.h>

typedef solo_rex_settings_table setting_table;
static const solo_setting_row rows[] = {SOLO_REX_SETTINGS_MAP(SOLO_SETTING_ROW)};
enum { ROWS = sizeof rows / sizeof *rows };

void solo_rex_settings_print(FILE *out) {
  setting_table settings = {.image = secure_getenv(SOLO_REX_IMAGE_VARIABLE)};
  solo_setting_print_rows(out, rows, ROWS, &settings);
}
