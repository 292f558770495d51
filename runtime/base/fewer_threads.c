#include "runtime/base/fewer_threads.h"

#include "runtime/base/atomic.h"
#include "runtime/base/log.h"
#include "runtime/base/settings.h"

void solo_report_fewer_threads(int requested, int granted) {
  static _Atomic int reported;
  /* relaxed: no dependent data */
  if (!solo_settings()->info || solo_exchange_relaxed(&reported, 1)) return;
  solo_print_line("solo: info: a parallel region on the CPU device requests %d threads and has %d; "
                  "a loop that strides by the requested number skips iterations",
                  requested, granted);
  solo_print_line("  hint: SOLO_HOST_THREADS=exact or solo-cc --host-threads=exact creates all "
                  "threads (documentation: My program was written for a GPU)");
}
