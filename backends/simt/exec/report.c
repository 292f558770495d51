#define _GNU_SOURCE
#include "backends/simt/exec/internal.h"

#include "runtime/base/atomic.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 1024 };

static const char *const kinds[] = {"a warp's barrier", "activemask",    "a vote",
                                    "a shuffle",        "a permutation", "a read of the first lane",
                                    "a match",          "a match",       "a reduction",
                                    "a reduction",      "a reduction",   "a reduction",
                                    "a reduction",      "a reduction",   "a reduction",
                                    "a reduction"};

static int write_where(char *out, size_t size, const simt_thread *t) {
  const simt_lane *l = &t->lane;
  return snprintf(out, size, "block (%u,%u,%u) thread (%u,%u,%u)", l->block[0], l->block[1],
                  l->block[2], l->thread[0], l->thread[1], l->thread[2]);
}

static void print_report(const simt_block *block, const char *text) {
  if (block->launch->report)
    block->launch->report(text);
  else
    fprintf(stderr, "simt: %s\n", text);
}

void simt_report(const simt_block *block, const simt_thread *t, const char *format, ...) {
  char text[TEXT], place[TEXT / 2];
  va_list args;
  int used =
      snprintf(text, sizeof text, "%s: ", block->launch->name ? block->launch->name : "kernel");
  used += write_where(text + used, sizeof text - (size_t)used, t);
  if (simt_place(block, t, place, sizeof place))
    used += snprintf(text + used, sizeof text - (size_t)used, " at %s ", place);
  else
    used += snprintf(text + used, sizeof text - (size_t)used, " at %p (compile with -g) ", t->site);
  va_start(args, format);
  vsnprintf(text + used, sizeof text - (size_t)used, format, args);
  va_end(args);
  print_report(block, text);
}

static int status_of_races;

static void end_with_status(void) {
  fflush(NULL);
  _exit(status_of_races);
}

void simt_count_race(const simt_launch *launch) {
  static _Atomic int found;
  int none = 0;
  if (!solo_cas_relaxed(&found, &none, 1)) return; /* relaxed: a second caller only returns */
  status_of_races = launch->race_status;
  if (status_of_races) atexit(end_with_status);
}

int simt_is_first_report(const void *site) {
  enum { MOST = 64 };
  static _Atomic(const void *) reported[MOST];
  for (int i = 0; i < MOST; i++) {
    const void *none = NULL;
    /* relaxed: only selects the thread that reports */
    if (!solo_load_relaxed(&reported[i]) && solo_cas_relaxed(&reported[i], &none, site)) return 1;
    if (solo_load_relaxed(&reported[i]) == site) return 0;
  }
  return 0;
}

static int waits_alike(const simt_thread *a, const simt_thread *b) {
  return a->state == b->state && a->site == b->site &&
         (a->state != SIMT_AT_BARRIER || (a->barrier == b->barrier && a->count == b->count));
}

/* Reports a deadlock: one line for each source line at which threads wait. */
void simt_report_stuck(const simt_block *block) {
  uint32_t ended = block->threads - block->live;
  for (uint32_t i = 0; i < block->threads; i++) {
    const simt_thread *t = &block->thread[i];
    uint32_t alike = 0, before = 0;
    if (t->state == SIMT_ENDED) continue;
    for (uint32_t k = 0; k < block->threads; k++) {
      if (!waits_alike(t, &block->thread[k])) continue;
      alike++;
      before += k < i;
    }
    if (before) continue;
    if (t->state == SIMT_AT_BARRIER)
      simt_report(
          block, t,
          "and %u more threads wait at barrier %u for %u threads, but the others of the block "
          "cannot arrive (%u have ended)",
          alike - 1, t->barrier, t->count ? t->count : block->live, ended);
    else
      simt_report(block, t, "and %u more threads wait in %s", alike - 1, kinds[t->kind]);
  }
}
