/* Reads the environment into the table of settings.h, once. */
#include "runtime/base/settings.h"

#include "runtime/base/atomic.h"
#include "runtime/base/fork.h"
#include "runtime/base/lock.h"
#include "runtime/base/log.h"
#include "runtime/base/settings_row.h"
#include <string.h>
#include <sys/auxv.h>

static solo_settings_table table = {
#define XX(field, variable, kind, words, least, most, initial, spoken, meaning) .field = initial,
    SOLO_SETTINGS_MAP(XX)
#undef XX
};
static _Atomic int table_is_read;
static solo_lock table_lock = SOLO_LOCK_INIT(SOLO_RANK_SETTINGS); /* guards the one reading */

static const solo_setting_row rows[] = {
#define XX(field, variable, kind, words, least, most, initial, spoken, meaning)                    \
  SOLO_SETTING_ROW(solo_settings_table, field, variable, kind, words, least, most, spoken, meaning),
    SOLO_SETTINGS_MAP(XX)
#undef XX
};
enum { ROWS = sizeof rows / sizeof *rows };

extern char **environ;

/* Of libomp, which starts when it is asked the first; the second is libomp's alone. */
extern int __kmpc_get_target_offload(void) SOLO_WEAK;
extern void ompt_libomp_connect(void) SOLO_WEAK;

/* Few entries begin like one of ours: no search for the others. */
static bool may_be_ours(const char *entry, bool secure) {
  switch (entry[0]) {
  case 'K':
    return !strncmp(entry, "KMP_", 4);
  case 'L':
    return !secure && !strncmp(entry, "LIBOMPTARGET_", 13);
  case 'O':
    return !strncmp(entry, "OMP_", 4) || (!secure && !strncmp(entry, "OMPX_", 5));
  case 'S':
    return !secure && !strncmp(entry, "SOLO_", 5);
  default:
    return false;
  }
}

/* Beside libomp a wrong value is not reported twice: libomp reads this variable, too, and tells. */
static bool is_told_by_libomp(const char *variable) {
  if (!ompt_libomp_connect || !__kmpc_get_target_offload ||
      strcmp(variable, "OMP_TARGET_OFFLOAD") != 0)
    return false;
  __kmpc_get_target_offload();
  return true;
}

static void read_entry(const char *entry, const solo_setting_row *from, size_t count, void *out) {
  for (size_t i = 0; i < count; i++) {
    size_t length = strlen(from[i].variable);
    if (strncmp(entry, from[i].variable, length) != 0 || entry[length] != '=') continue;
    const char *text = entry + length + 1;
    if (text[strspn(text, " \t")] &&
        !solo_setting_parse(&from[i], text, (char *)out + from[i].offset) &&
        !is_told_by_libomp(from[i].variable))
      solo_warn("%s=\"%s\" is not understood (%s); used instead: %s", from[i].variable, text,
                from[i].meaning, from[i].spoken);
    return;
  }
}

/* One pass: a getenv(3) per setting would be most of the instructions of a short process (bench:
 * startup). From the end, so that of equal names the first counts, as it does for getenv. */
void solo_setting_read_rows(const solo_setting_row *from, size_t count, void *out) {
  bool secure = getauxval(AT_SECURE) != 0;
  size_t entries = 0;
  while (environ && environ[entries]) entries++;
  while (entries > 0) {
    const char *entry = environ[--entries];
    if (may_be_ours(entry, secure)) read_entry(entry, from, count, out);
  }
}

/* Stock's name, which only its debug builds know. */
static void use_alias(void) {
  if (table.debug) return;
  table.debug = table.debug_alias < 9 ? table.debug_alias : 9;
  solo_print_line("solo: LIBOMPTARGET_DEBUG is read as SOLO_DEBUG=%d", (int)table.debug);
}

const solo_settings_table *solo_settings(void) {
  if (SOLO_UNLIKELY(!solo_load_acquire(&table_is_read))) { /* pairs with the release below */
    solo_fork_thread(); /* the first lock of a thread's first construct */
    solo_lock_acquire(&table_lock);
    if (!solo_load_relaxed(&table_is_read)) { /* the lock orders it */
      solo_setting_read_rows(rows, ROWS, &table);
      if (SOLO_UNLIKELY(table.debug_alias)) use_alias();
      solo_store_release(&table_is_read, 1); /* pairs with the acquire above */
    }
    solo_lock_release(&table_lock);
  }
  return &table;
}

void solo_settings_print(FILE *out) {
  solo_setting_print_rows(out, rows, ROWS, solo_settings());
  solo_thread_settings_print(out);
}
