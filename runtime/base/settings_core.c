#include "runtime/base/settings.h"

#include "runtime/base/atomic.h"
#include "runtime/base/fork.h"
#include "runtime/base/lock.h"
#include "runtime/base/log.h"
#include "runtime/base/settings_row.h"

typedef solo_settings_table setting_table;
static setting_table table = {SOLO_SETTINGS_MAP(SOLO_SETTING_INITIAL)
                                  SOLO_DEVICE_SETTINGS_MAP(SOLO_SETTING_INITIAL)};
static _Atomic int table_is_read;

/* defined with solo-cc --host-threads=exact (abi/exact_threads.c) */
extern const char solo_exact_host_threads SOLO_WEAK;
static solo_lock table_lock = SOLO_LOCK_INIT(SOLO_RANK_SETTINGS);

static const solo_setting_row rows[] = {SOLO_SETTINGS_MAP(SOLO_SETTING_ROW)
#ifndef SOLO_CPU_ONLY
                                            SOLO_DEVICE_SETTINGS_MAP(SOLO_SETTING_ROW)
#endif
};
enum { ROWS = sizeof rows / sizeof *rows };

/* LIBOMPTARGET_DEBUG, LLVM's variable for SOLO_DEBUG. */
static void use_alias(void) {
  if (!table.debug) table.debug = table.debug_alias < 9 ? table.debug_alias : 9;
}

/* Not inlined: otherwise solo_settings() would save registers even if the table was already read. */
static SOLO_COLD void read_table(void) {
  solo_fork_begin_thread(); /* before the first lock of this thread */
  solo_lock_acquire(&table_lock);
  if (!solo_load_relaxed(&table_is_read)) { /* relaxed: under the lock */
    if (&solo_exact_host_threads) table.host_threads = 1;
    solo_setting_read_rows(rows, ROWS, &table);
    if (SOLO_UNLIKELY(table.debug_alias)) use_alias();
    solo_store_release(&table_is_read, 1); /* pairs with solo_settings: the table is complete */
  }
  solo_lock_release(&table_lock);
}

const solo_settings_table *solo_settings(void) {
  if (SOLO_UNLIKELY(!solo_load_acquire(&table_is_read))) read_table(); /* pairs with read_table */
  return &table;
}

void solo_settings_print(FILE *out) {
  solo_setting_print_rows(out, rows, ROWS, solo_settings());
  solo_thread_settings_print(out);
}
