/* Effect of failures, by OMP_TARGET_OFFLOAD: disabled reports nothing, default executes the region
 * on the host, mandatory ends the program (docs/design/abi.md). Only this file ends programs.
 * Threads: any. */
#ifndef SOLO_ABI_POLICY_H
#define SOLO_ABI_POLICY_H

#include "abi/tgt_types.h"
#include "runtime/base/atomic.h"
#include "runtime/base/settings.h"
#include "runtime/device/devices.h"
#include "runtime/map/map.h"
#include "runtime/trace/observer.h"

typedef enum tgt_activity {
  TGT_REGION, /* the host executes the region */
  TGT_DATA,
  TGT_END,
  TGT_UPDATE,
  TGT_SETUP,   /* registration, loading */
  TGT_NOWAIT,  /* too late for the host */
  TGT_REFUSED, /* the caller gets the failure; stock's text */
} tgt_activity;

/* Reasons for the slow path of constructs. */
enum tgt_slow_path_flags {
  TGT_UNREAD = 1,
  TGT_DISABLED = 2,
  TGT_OBSERVED = 4, /* runtime/trace/observer.h */
  TGT_PRINTED = 8,  /* abi/info.h */
  TGT_TEAMS = 16,   /* abi/omp_device_icv.c */
};
extern _Atomic uint32_t tgt_state;
uint32_t tgt_policy_read(void) SOLO_COLD;

SOLO_INLINE uint32_t tgt_slow_path_flags(void) {
  uint32_t state = solo_load_relaxed(&tgt_state); /* relaxed: immutable settings */
  if (SOLO_UNLIKELY(state & TGT_UNREAD)) state = tgt_policy_read();
  return state;
}

SOLO_INLINE int tgt_is_disabled(void) {
  return SOLO_UNLIKELY(tgt_slow_path_flags() & TGT_DISABLED);
}

/* Runtime error termination (OpenMP): reports the misuse and ends the program. */
_Noreturn void tgt_report_misuse_and_exit(const char *text, int number) SOLO_COLD;

/* Applies the policy to the thread's last failure. where: psource or NULL. */
void tgt_failed(solo_status status, tgt_activity activity, const char *where) SOLO_COLD;

/* OMP_DEFAULT_DEVICE without a host-thread runtime; -1: not read. */
extern _Atomic int32_t tgt_default_setting;
int64_t tgt_query_default_device(void);
/* Matches omp_get_initial_device() and omp_initial_device. */
int tgt_is_host(int number);
/* Default device of the host-thread runtime; without one, OMP_DEFAULT_DEVICE. */
SOLO_INLINE int64_t tgt_default_device(void) {
  int32_t setting = solo_load_relaxed(&tgt_default_setting); /* relaxed: a setting */
  return setting >= 0 ? setting : tgt_query_default_device();
}
/* At exit, fixes the default device of all threads to the caller's, because libomp may end before
 * other threads. Idempotent. */
void tgt_fix_default_device(void);

/* Begins a construct's event. Opens the device first, because a tool must see that before the
 * construct. what: solo_trace_kind and TGT_IN_TASK. code: return address. */
enum { TGT_IN_TASK = 0x100 };
void tgt_begin_construct(solo_trace_event *event, unsigned what, int64_t number, const ident_t *loc,
                         const void *code, const solo_map_list *list) SOLO_COLD;
/* Requires TGT_PRINTED; c has mapped the list. */
void tgt_print_region(const solo_construct *c, const solo_map_list *list) SOLO_COLD;
void tgt_print_data(const solo_construct *c, const solo_map_list *list) SOLO_COLD;
void tgt_end_construct(solo_trace_event *event, solo_status status) SOLO_COLD;

/* Prints the tables of open devices. where: location or NULL. */
void tgt_print_tables(const char *where) SOLO_COLD;

void tgt_policy_print(uint32_t bits) SOLO_COLD;

/* The function supplies teams and threads that clauses omit. */
typedef void tgt_device_limits_function(int64_t device, int32_t *teams, int32_t *threads);
extern _Atomic(tgt_device_limits_function *) tgt_apply_device_limits;
void tgt_policy_teams(tgt_device_limits_function *add);
/* NULL: another thread is in tgt_policy_teams, and the limits do not apply to this region. */
SOLO_INLINE void tgt_apply_teams(int64_t device, int32_t *teams, int32_t *threads) {
  /* pairs with the release store in tgt_policy_teams */
  tgt_device_limits_function *add = solo_load_acquire(&tgt_apply_device_limits);
  if (add) add(device, teams, threads);
}

SOLO_INLINE void tgt_report_call(const void *code) {
  if (SOLO_UNLIKELY(tgt_slow_path_flags() & TGT_OBSERVED)) solo_observe_called(code);
}

/* Opens a construct's device. SOLO_DISABLED, without an error record: the host. Other errors:
 * solo_device_get(). */
SOLO_INLINE SOLO_MUST_CHECK solo_status tgt_get_device(int64_t number, solo_device **out_device);
/* Requires that offloading is enabled. */
SOLO_INLINE SOLO_MUST_CHECK solo_status tgt_find_device(int64_t number, solo_device **out_device);
solo_status tgt_get_device_slow(int64_t number, solo_device **out_device) SOLO_MUST_CHECK SOLO_COLD;

SOLO_INLINE solo_status tgt_get_device(int64_t number, solo_device **out_device) {
  if (SOLO_UNLIKELY(tgt_is_disabled())) return SOLO_DISABLED;
  return tgt_find_device(number, out_device);
}

SOLO_INLINE solo_status tgt_find_device(int64_t number, solo_device **out_device) {
  if (number == -1) number = tgt_default_device();
  if (SOLO_LIKELY(solo_device_is_ready(number, out_device))) return SOLO_OK;
  return tgt_get_device_slow(number, out_device);
}

#endif
