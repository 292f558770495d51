#define _GNU_SOURCE
#include "abi/policy.h"

#include "abi/include/solo.h"
#include "abi/info.h"
#include "abi/ompt.h"
#include "runtime/base/lock.h"
#include "runtime/base/log.h"
#include "runtime/device/devices.h"
#include "runtime/map/map.h"
#include "runtime/trace/observer.h"
#include "runtime/trace/profile.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MESSAGES_BEFORE_SILENCE = 20 };

extern int omp_get_default_device(void) SOLO_WEAK;

_Atomic uint32_t tgt_state = TGT_UNREAD;

static _Atomic uint32_t messages;
/* Immutable after publication and never freed, because a failing thread can still use an old record. */
typedef struct callback_record {
  solo_error_callback *function;
  void *context;
  struct callback_record *next;
} callback_record;

static callback_record *callback_records;
static solo_lock callback_lock = SOLO_LOCK_INIT(SOLO_RANK_LEAF);
static _Atomic(callback_record *) callback;

static SOLO_COLD const solo_observer *start_profile(void) {
  const solo_settings_table *settings = solo_settings();
  if (!settings->profile) return NULL;
  if (!solo_profile_start) {
    solo_warn("LIBOMPTARGET_PROFILE: link this program with solo-cc --profile");
    return NULL;
  }
  const solo_profile_order order = {.path = settings->profile,
                                    .granularity_us = settings->profile_granularity,
                                    .warn = solo_warn,
                                    .status_name = solo_status_name,
                                    .collect = solo_observe_collect};
  return solo_profile_start(&order);
}

static const solo_observer *start_tool(void) {
  return solo_ompt_start ? solo_ompt_start(solo_device_count) : NULL;
}

uint32_t tgt_policy_read(void) {
  const solo_settings_table *settings = solo_settings();
  uint32_t bits = (uint32_t)settings->info & SOLO_INFO_ALL, state = 0;
  if (settings->offload == SOLO_OFFLOAD_DISABLED) state |= TGT_DISABLED;
  int observed = 0;
  if (!state && !solo_observe_start(start_profile, start_tool, &observed))
    return state; /* a recursive call, from the tool's initialisation */
  if (observed) {
    state |= TGT_OBSERVED;
    bits |= SOLO_OBSERVED;
  }
  if ((bits & TGT_INFO_BITS) && &solo_print) state |= TGT_PRINTED;
  if ((bits & TGT_INFO_BITS) && !&solo_print)
    solo_warn("LIBOMPTARGET_INFO: build with -g to see map lists");
  /* relaxed: immutable settings */
  solo_store_relaxed(&solo_info_bits, bits);
  /* relaxed: settings. Only the first thread stores its result, because a later store could
   * overwrite newer flags. */
  uint32_t expected = TGT_UNREAD;
  return solo_cas_relaxed(&tgt_state, &expected, state) ? state : expected;
}

_Atomic(tgt_device_limits_function *) tgt_apply_device_limits;

void tgt_policy_teams(tgt_device_limits_function *add) {
  /* first, because tgt_policy_read() stores its result only while TGT_UNREAD is the only flag */
  (void)tgt_slow_path_flags();
  solo_store_release(&tgt_apply_device_limits,
                     add);                      /* pairs with the acquire load in tgt_apply_teams */
  (void)solo_or_relaxed(&tgt_state, TGT_TEAMS); /* relaxed: a setting */
}

void tgt_policy_print(uint32_t bits) {
  (void)tgt_slow_path_flags();
  /* relaxed: settings */
  uint32_t observed = solo_load_relaxed(&solo_info_bits) & SOLO_OBSERVED;
  solo_store_relaxed(&solo_info_bits, (bits & SOLO_INFO_ALL) | observed);
  if ((bits & TGT_INFO_BITS) && &solo_print)
    (void)solo_or_relaxed(&tgt_state, TGT_PRINTED);
  else
    (void)solo_and_acq_rel(&tgt_state, ~(uint32_t)TGT_PRINTED);
}

static const solo_print_functions print_functions = {.bits = &solo_info_bits,
                                                     .print = solo_info_print,
                                                     .field = solo_info_field,
                                                     .variable_of = solo_info_variable_of,
                                                     .try = solo_mapping_try,
                                                     .count = solo_large_count,
                                                     .each = solo_mapping_table_each,
                                                     .with_mapper = solo_map_with_mapper};

void tgt_print_tables(const char *where) {
  int count = solo_device_count();
  for (int i = 0; i < count && &solo_print; i++) {
    solo_device *device = solo_device_at(i);
    if (device && device->handle) solo_print.table(&print_functions, i, &device->mappings, where);
  }
}

void tgt_begin_construct(solo_trace_event *event, unsigned what, int64_t number, const ident_t *loc,
                         const void *code, const solo_map_list *list) {
  if (number == -1) number = tgt_default_device();
  solo_device *device;
  if (tgt_get_device_slow(number, &device) != SOLO_OK) device = NULL;
  *event = (solo_trace_event){.kind = (solo_trace_kind)(uint8_t)what,
                              .device = (int)number,
                              .peer = (int)number,
                              .where = loc ? loc->psource : NULL,
                              .code = code,
                              .nowait = (int)(what & TGT_IN_TASK)};
  solo_observe_begin_any(event);
  if (!device || !&solo_print || solo_map_check(list, "") != SOLO_OK) return;
  solo_scratch_mark mark = solo_scratch_begin();
  solo_print.construct(&print_functions, event, list, device);
  solo_scratch_end(mark);
}

void tgt_print_region(const solo_construct *c, const solo_map_list *list) {
  solo_print.begun(&print_functions, SOLO_TRACE_REGION, c, list);
}

void tgt_print_data(const solo_construct *c, const solo_map_list *list) {
  solo_print.begun(&print_functions, SOLO_TRACE_DATA_BEGIN, c, list);
}

void tgt_end_construct(solo_trace_event *event, solo_status status) {
  /* relaxed: a setting */
  if ((solo_load_relaxed(&solo_info_bits) & SOLO_INFO_DUMP_TABLE) && status != SOLO_DISABLED)
    tgt_print_tables(event->where);
  (void)solo_observe_end_any(event, status);
}

typedef int default_device_query(void);
static _Atomic int fixed_default_device;
static _Atomic(default_device_query *) query_default_device = omp_get_default_device;

static int read_fixed_default_device(void) {
  /* pairs with the release store in tgt_fix_default_device() */
  solo_fence_acquire();
  return solo_load_relaxed(&fixed_default_device);
}

void tgt_fix_default_device(void) {
  /* relaxed: only the exiting thread writes query_default_device */
  if (!omp_get_default_device ||
      solo_load_relaxed(&query_default_device) == read_fixed_default_device)
    return;
  solo_store_relaxed(&fixed_default_device, omp_get_default_device());
  /* Invariant: if query_default_device is read_fixed_default_device, fixed_default_device is final.
   * Ordering:  this release store pairs with the fence in read_fixed_default_device().
   * Otherwise: a thread could use device 0.
   */
  solo_store_release(&query_default_device, read_fixed_default_device);
}

_Atomic int32_t tgt_default_setting = -1;

int64_t tgt_query_default_device(void) {
  /* relaxed: read_fixed_default_device() has an acquire fence */
  default_device_query *query = solo_load_relaxed(&query_default_device);
  if (SOLO_LIKELY(query != NULL)) return query();
  int32_t setting = (int32_t)solo_settings()->default_device;
  solo_store_relaxed(&tgt_default_setting, setting);
  return setting;
}

static void report_no_device(void) {
  static _Atomic int printed;
  if (solo_exchange_relaxed(&printed, 1)) return; /* relaxed: only "once" matters */
  solo_device *none;
  if (solo_device_get(0, &none) != SOLO_OK)
    solo_warn("target regions run on the host: %s", solo_error_last()->text);
}

solo_status tgt_get_device_slow(int64_t number, solo_device **out_device) {
  int count = solo_device_count();
  if (number == count || number == -1) {
    if (count > 0 || solo_settings()->offload != SOLO_OFFLOAD_MANDATORY) {
      if (count == 0) report_no_device();
      return SOLO_DISABLED;
    }
  }
  return solo_device_get(number, out_device);
}

/* The text "file.c:12:3 (f)" of a location in function f. */
typedef struct source_location {
  char text[256];
  int file_length; /* length of the part "file.c:12:3"; 0: unknown */
} source_location;

static const char *report_where(const char *where, source_location *out) {
  const char *field[5];
  int length[5] = {0};
  for (int i = 1; i <= 4; i++) field[i] = solo_info_field(where, i, &length[i]);
  out->file_length = 0;
  if (where && *where == ';' && length[1] && length[4] && strtol(field[3], NULL, 10) > 0) {
    out->file_length = length[1] + length[3] + length[4] + 2;
    snprintf(out->text, sizeof out->text, "%.*s:%.*s:%.*s (%.*s)", length[1], field[1], length[3],
             field[3], length[4], field[4], length[2], field[2]);
    return out->text;
  }
  return "an unknown location (compile with -g)";
}

/* Returns the record with this function and context, or NULL if no memory is left. */
static callback_record *record_of(solo_error_callback *function, void *context) {
  solo_lock_acquire(&callback_lock);
  callback_record *r = callback_records;
  while (r && (r->function != function || r->context != context)) r = r->next;
  if (!r && (r = malloc(sizeof *r))) {
    *r = (callback_record){function, context, callback_records};
    callback_records = r;
  }
  solo_lock_release(&callback_lock);
  return r;
}

SOLO_EXPORT void solo_set_error_callback(solo_error_callback *function, void *context) {
  callback_record *r = function ? record_of(function, context) : NULL;
  if (function && !r) {
    solo_warn("solo_set_error_callback: no host memory: the callback is not changed");
    return;
  }
  /* Invariant: function and context of a published record belong to the same call.
   * Ordering:  this release store pairs with the acquire load in tgt_failed().
   * Otherwise: a callback could receive the context of another callback.
   */
  solo_store_release(&callback, r);
}

static void print_mapping_failure(const solo_saved_error *error, tgt_activity activity) {
  for (const char *line = error->text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    solo_print_line("omptarget message: %.*s", (int)strcspn(line, "\n"), line);
  }
  if (activity != TGT_REGION && activity != TGT_DATA) return;
  solo_print_line("omptarget error: Call to getTargetPointer returned null pointer (%s).",
                  error->status == SOLO_NOT_PRESENT ? "'present' map type modifier"
                                                    : "device failure or illegal mapping");
  if (activity != TGT_REGION) return;
  solo_print_line("omptarget error: Call to targetDataBegin failed, abort target.");
  solo_print_line("omptarget error: Failed to process data before launching the kernel.");
}

static void print_failure(const solo_saved_error *error, tgt_activity activity, const char *where,
                          int ends) {
  static const char *const what[] = {[TGT_REGION] = "target region",
                                     [TGT_DATA] = "target data construct",
                                     [TGT_END] = "end of a target data construct",
                                     [TGT_UPDATE] = "target update",
                                     [TGT_NOWAIT] = "nowait construct"};
  const char *effect = ends                     ? ""
                       : activity == TGT_REGION ? "\n  the region runs on the host instead"
                       : activity == TGT_UPDATE ? ""
                       : activity == TGT_END    ? ""
                       : activity == TGT_NOWAIT
                           ? "\n  its results and those of dependent tasks are lost"
                           : "\n  the construct had no effect";
  char device[32] = "";
  source_location there;
  if (error->device >= 0) snprintf(device, sizeof device, " on device %d", error->device);
  int mapping = error->status == SOLO_NOT_PRESENT ||
                (error->status == SOLO_OVERLAP && activity != TGT_UPDATE);
  if (activity == TGT_SETUP) {
    solo_print_line("solo: error: %s: %s", solo_status_text(error->status), error->text);
    return;
  }
  if (activity == TGT_REFUSED) {
    solo_print_line("omptarget error: %s", error->text);
    return;
  }
  if (mapping) print_mapping_failure(error, activity);
  solo_print_line("solo: %s: %s at %s failed%s: %s%s%s%s", ends ? "error" : "warning",
                  what[activity], report_where(where, &there), device,
                  solo_status_text(error->status), mapping ? "" : ": ", mapping ? "" : error->text,
                  effect);
}

static void print_fatal(const char *where) {
  static const char fatal[] =
      "omptarget fatal error 1: failure of target construct while offloading is mandatory";
  source_location there;
  const char *text = report_where(where, &there);
  if (there.file_length)
    solo_print_line("%.*s: %s", there.file_length, text, fatal);
  else
    solo_print_line("omptarget error: Source location information not present. Compile with -g or "
                    "-gline-tables-only.\n%s",
                    fatal);
}

/* Like abort(3), but with unwind information. musl's functions lack it, so a debugger could not
 * show the callers. */
static _Noreturn void end_program(void) {
#if defined(__x86_64__)
  /* the kernel's struct sigaction begins with the handler; musl's sigaction(3) would add 600 bytes */
  long now[8] = {0};
  if (syscall(SYS_rt_sigaction, SIGABRT, NULL, now, 8) == 0 && now[0] == (long)SIG_DFL) {
    long result = SYS_tgkill, own_process = getpid(), own_thread = syscall(SYS_gettid);
    register long process __asm__("rdi") = own_process, thread __asm__("rsi") = own_thread;
    register long signal __asm__("rdx") = SIGABRT;
    __asm__ volatile("syscall"
                     : "+a"(result)
                     : "r"(process), "r"(thread), "r"(signal)
                     : "rcx", "r11", "memory");
  }
#endif
  abort();
}

void tgt_report_misuse_and_exit(const char *text, int number) {
  solo_warn("%s %d: the program ends because of this", text, number);
  fflush(NULL);
  end_program();
}

void tgt_failed(solo_status status, tgt_activity activity, const char *where) {
  if (status == SOLO_DISABLED) return;
  solo_saved_error error;
  solo_error_save(&error);
  /* pairs with the release store in solo_set_error_callback() */
  const callback_record *call = solo_load_acquire(&callback);
  if (call) {
    source_location there;
    solo_failure failure = {.status = (int)error.status,
                            .status_name = solo_status_name(error.status),
                            .device = error.device,
                            .vendor_code = error.vendor_code,
                            .text = error.text,
                            .where = report_where(where, &there)};
    call->function(call->context, &failure);
  }
  /* as in LLVM's libomptarget, an update of data that is mapped in part does nothing */
  int goes_on = activity == TGT_SETUP || activity == TGT_REFUSED ||
                (activity == TGT_UPDATE && status == SOLO_OVERLAP);
  int ends = solo_settings()->offload == SOLO_OFFLOAD_MANDATORY && !goes_on;
  /* relaxed: a counter */
  uint32_t printed = solo_add_relaxed(&messages, 1);
  if (ends || printed < MESSAGES_BEFORE_SILENCE)
    print_failure(&error, activity, where, ends);
  else if (printed == MESSAGES_BEFORE_SILENCE)
    solo_warn("further failures are not shown");
  if (!ends) return;
  solo_print_line("solo: error: OMP_TARGET_OFFLOAD=mandatory: the program ends because of this");
  /* relaxed: a setting */
  if (solo_load_relaxed(&solo_info_bits) & SOLO_INFO_DUMP_TABLE) tgt_print_tables(where);
  print_fatal(where);
  solo_observe_finish();
  fflush(NULL);
  end_program();
}
