/* Description: checks the recorder of LIBOMPTARGET_PROFILE: threads record events until it is full,
 * names need JSON escapes, and name buffers are reused. check_unit.py checks the file. */
#include "runtime/trace/profile.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, EVENTS = 400 };

static const solo_observer *observer;
static char reused[THREADS][16];
static int warnings;

static void warn(const char *format, ...) {
  va_list args;
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  putchar('\n');
  warnings++;
}

static const char *name_of(solo_status status) {
  return status == SOLO_NOMEM ? "\"no\" memory" : "?";
}

static void tell(solo_trace_kind kind, const char *name, solo_status status) {
  uint64_t now = solo_now_ns();
  observer->reported(&(solo_trace_event){.kind = kind,
                                         .name = name,
                                         .where = ";a \"file\".c;f\\n;1;2;;",
                                         .bytes = UINT64_MAX,
                                         .status = status,
                                         .begin_ns = now,
                                         .end_ns = now + 1234567});
}

static void *work(void *argument) {
  char *name = reused[(long)argument];
  for (int i = 0; i < EVENTS; i++) {
    snprintf(name, sizeof reused[0], "reused %d", i % 3);
    tell(SOLO_TRACE_KERNEL, name, SOLO_OK);
  }
  return NULL;
}

static void *work_until_stopped(void *stop) {
  while (!solo_load_relaxed((_Atomic int *)stop)) /* relaxed: the value only ends the loop */
    tell(SOLO_TRACE_WAIT, NULL, SOLO_OK);
  return NULL;
}

int main(int argc, char **argv) {
  static const char *const names[] = {"quote \" backslash \\ slash /",
                                      "tab\t newline\n escape\033 delete\177",
                                      "umlaut \xc3\xa4, \xe2\x82\xac, \xf0\x9f\x98\x80",
                                      "Latin-1 \xe4, cut \xe2\x82",
                                      "too long \xc0\xaf, surrogate \xed\xa0\x80, \xf4\x90\x80\x80",
                                      ""};
  static _Atomic int stop;
  pthread_t thread[THREADS], busy;
  if (argc < 2) return 2;
  const solo_profile_order order = {
      .path = argv[1], .granularity_us = 1, .warn = warn, .status_name = name_of};
  observer = solo_profile_start(&order);
  if (!observer) return 1;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    tell(SOLO_TRACE_KERNEL, names[i], SOLO_OK);
  char *endless = malloc(10001);
  memset(endless, 'x', 10000);
  endless[10000] = 0;
  tell(SOLO_TRACE_KERNEL, endless, SOLO_OK);
  free(endless);
  tell(SOLO_TRACE_COPY_IN, NULL, SOLO_NOMEM);
  tell(SOLO_TRACE_REGION, NULL, SOLO_DISABLED); /* a disabled region must not be recorded */
  observer->reported(
      /* the event is shorter than the granularity and must not be recorded */
      &(solo_trace_event){.kind = SOLO_TRACE_FILL, .begin_ns = 5000, .end_ns = 5999});
  for (long t = 0; t < THREADS; t++) pthread_create(&thread[t], NULL, work, (void *)t);
  for (long t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
  pthread_create(&busy, NULL, work_until_stopped, &stop);
  observer->finish();
  observer->finish(); /* the second call has no effect */
  solo_store_relaxed(&stop, 1);
  pthread_join(busy, NULL);
  return warnings > 1; /* one warning is expected: that of missing events */
}
