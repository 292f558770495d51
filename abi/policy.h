/* Effect of failures according to OMP_TARGET_OFFLOAD: `disabled` reports nothing, `default`
 * executes the region on the host, `mandatory` ends the program (docs/design/abi.md). Only this
 * file ends programs. */
#ifndef SOLO_ABI_POLICY_H
#define SOLO_ABI_POLICY_H

#include "abi/tgt_types.h"
#include "runtime/base/atomic.h"
#include "runtime/base/settings.h"
#include "runtime/device/devices.h"
#include "runtime/map/map.h"
#include "runtime/trace/observer.h"

typedef enum tgt_activity {
  TGT_REGION, /* a target region; the host executes it instead */
  TGT_DATA,
  TGT_END,
  TGT_UPDATE,
  TGT_SETUP,   /* registration, loading, functions with a result; never ends the program */
  TGT_NOWAIT,  /* a nowait construct that has ended; too late for the host to execute it */
  TGT_REFUSED, /* the caller receives the failure; printed with the text of LLVM's libomptarget */
} tgt_activity;

enum tgt_slow_path_flags {
  TGT_UNREAD = 1,
  TGT_DISABLED = 2,
  TGT_OBSERVED = 4,
  TGT_PRINTED = 8,
  TGT_TEAMS = 16,
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

_Noreturn void tgt_report_misuse_and_exit(const char *text, int number) SOLO_COLD;

/* Reports the calling thread's last failure and applies OMP_TARGET_OFFLOAD; can end the program.
 * where: psource or NULL. */
void tgt_failed(solo_status status, tgt_activity activity, const char *where) SOLO_COLD;

/* OMP_DEFAULT_DEVICE if the program has no host-thread runtime; -1: the program has one, or the setting has not been read. */
extern _Atomic int32_t tgt_default_setting;
int64_t tgt_query_default_device(void);
int tgt_is_host(int number);
SOLO_INLINE int64_t tgt_default_device(void) {
  int32_t setting = solo_load_relaxed(&tgt_default_setting); /* relaxed: a setting */
  return setting >= 0 ? setting : tgt_query_default_device();
}
/* Called at exit. Stores the caller's default device as the final one for all threads, because libomp can end while other
 * threads begin regions. */
void tgt_fix_default_device(void);

/* Begins a construct's event. Opens the device first, because a tool must receive the opening
 * before the construct. what: a solo_trace_kind, optionally with TGT_IN_TASK. code: return address
 * in the program. */
enum { TGT_IN_TASK = 0x100 };
void tgt_begin_construct(solo_trace_event *event, unsigned what, int64_t number, const ident_t *loc,
                         const void *code, const solo_map_list *list) SOLO_COLD;
/* Print the mappings of c, which has mapped the list. TGT_PRINTED must be set. */
void tgt_print_region(const solo_construct *c, const solo_map_list *list) SOLO_COLD;
void tgt_print_data(const solo_construct *c, const solo_map_list *list) SOLO_COLD;
void tgt_end_construct(solo_trace_event *event, solo_status status) SOLO_COLD;

/* where: source location or NULL */
void tgt_print_tables(const char *where) SOLO_COLD;

void tgt_policy_print(uint32_t bits) SOLO_COLD;

typedef void tgt_device_limits_function(int64_t device, int32_t *teams, int32_t *threads);
extern _Atomic(tgt_device_limits_function *) tgt_apply_device_limits;
void tgt_policy_teams(tgt_device_limits_function *add);
/* If another thread is in tgt_policy_teams(), the pointer can be NULL; the new limits then do not
 * apply to this region. */
SOLO_INLINE void tgt_apply_teams(int64_t device, int32_t *teams, int32_t *threads) {
  /* pairs with the release store in tgt_policy_teams */
  tgt_device_limits_function *add = solo_load_acquire(&tgt_apply_device_limits);
  if (add) add(device, teams, threads);
}

SOLO_INLINE void tgt_report_call(const void *code) {
  if (SOLO_UNLIKELY(tgt_slow_path_flags() & TGT_OBSERVED)) solo_observe_called(code);
}

/* Returns the open device of a construct. SOLO_DISABLED, without error record: the host executes
 * the construct. Other errors: those of solo_device_get(). */
SOLO_INLINE SOLO_MUST_CHECK solo_status tgt_get_device(int64_t number, solo_device **out_device);
/* As tgt_get_device(), for callers that have checked tgt_is_disabled(). */
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
