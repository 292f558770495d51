/* What happens when offloading fails: the one place that knows OMP_TARGET_OFFLOAD.
 *
 *   disabled   nothing is offloaded and nothing said
 *   default    the region runs on the host; the first times it is said why, on stderr
 *   mandatory  the reason is printed and the program ends by abort(3), as with stock, so that
 *              debuggers and launchers see it. Only this file ends programs: here, and where the
 *              specification says so (tgt_misused).
 *
 * A user callback (solo_set_error_callback) sees every failure first. Threads: any.
 */
#ifndef SOLO_ABI_POLICY_H
#define SOLO_ABI_POLICY_H

#include "abi/tgt_types.h"
#include "runtime/base/atomic.h"
#include "runtime/base/settings.h"
#include "runtime/device/devices.h"
#include "runtime/map/map.h"
#include "runtime/trace/observer.h"

/* What was going on, for the message and the decision. */
typedef enum tgt_activity {
  TGT_REGION,  /* falls back to the host */
  TGT_DATA,    /* target data, enter data: nothing to fall back to */
  TGT_END,     /* the end of target data, exit data */
  TGT_UPDATE,  /* target update */
  TGT_SETUP,   /* registration, loading */
  TGT_NOWAIT,  /* what was enqueued by a nowait construct: too late to fall back */
  TGT_REFUSED, /* a routine of the API that returns the failure; the text is stock's */
} tgt_activity;

/* The reasons for which constructs take the long way; 0 in most programs, once the settings are read. */
enum tgt_slow_path_flags {
  TGT_UNREAD = 1, /* the settings are not read */
  TGT_DISABLED = 2,
  TGT_OBSERVED = 4, /* constructs are reported to observers (runtime/trace/observer.h) */
  TGT_PRINTED = 8,  /* constructs are printed (abi/info.h) */
  TGT_TEAMS = 16,   /* a device has teams or thread limits of its own (abi/omp_device_icv.c) */
};
extern _Atomic uint32_t tgt_state;
uint32_t tgt_policy_read(void) SOLO_COLD;

/* All but TGT_UNREAD, as they are. */
SOLO_INLINE uint32_t tgt_slow_path_flags(void) {
  uint32_t state = solo_load_relaxed(&tgt_state); /* the settings it came from are immutable */
  if (SOLO_UNLIKELY(state & TGT_UNREAD)) state = tgt_policy_read();
  return state;
}

SOLO_INLINE int tgt_is_disabled(void) {
  return SOLO_UNLIKELY(tgt_slow_path_flags() & TGT_DISABLED);
}

/* "Runtime error termination" of the specification: prints that a routine was called wrongly, and ends the program. */
_Noreturn void tgt_misused(const char *text, int number) SOLO_COLD;

/* Reports the thread's last failure and applies the policy. where: psource or NULL. */
void tgt_failed(solo_status status, tgt_activity activity, const char *where) SOLO_COLD;

/* OMP_DEFAULT_DEVICE in programs in which no runtime provides host threads, once it was asked for; else -1. */
extern _Atomic int32_t tgt_default_setting;
/* The same as tgt_default_device, without the look. */
int64_t tgt_ask_default_device(void);
/* The host's device number in calls of the API, as omp_get_initial_device has it or as omp_initial_device (OpenMP 5.2, 18.1).
 * (Where a device clause has that one Clang passes what it passes without a clause.) */
int tgt_is_host(int number);
/* The default device: omp_get_default_device() of the runtime that provides host threads (abi/kmpc, libomp);
 * with neither, OMP_DEFAULT_DEVICE. */
SOLO_INLINE int64_t tgt_default_device(void) {
  int32_t setting = solo_load_relaxed(&tgt_default_setting); /* it orders nothing */
  return setting >= 0 ? setting : tgt_ask_default_device();
}
/* At exit: from now on the default device of all threads is the calling one's. libomp ends with the program, and a
 * thread that is still in target regions then must not ask it any more. Called by the thread that exits; twice is
 * harmless. */
void tgt_keep_default_device(void);

/* Begins the event of a construct, which returns to code: reported if TGT_OBSERVED, printed if
 * TGT_PRINTED. Opens the device first: a tool hears of devices before their constructs.
 * what: a solo_trace_kind, and TGT_IN_TASK for a nowait construct. */
enum { TGT_IN_TASK = 0x100 };
void tgt_begin_construct(solo_trace_event *event, unsigned what, int64_t number, const ident_t *loc,
                         const void *code, const solo_map_list *list) SOLO_COLD;
/* Where TGT_PRINTED: c has mapped the list, of a region or of data. */
void tgt_print_region(const solo_construct *c, const solo_map_list *list) SOLO_COLD;
void tgt_print_data(const solo_construct *c, const solo_map_list *list) SOLO_COLD;
void tgt_end_construct(solo_trace_event *event, solo_status status) SOLO_COLD;

/* Prints the tables of all devices that are open. where: the construct's location or NULL. */
void tgt_print_tables(const char *where) SOLO_COLD;

/* From now on LIBOMPTARGET_INFO is bits. */
void tgt_policy_print(uint32_t bits) SOLO_COLD;

/* From now on regions have teams and threads added where their clauses say none. The function: set
 * once, before TGT_TEAMS is. */
typedef void tgt_teams_adder(int64_t device, int32_t *teams, int32_t *threads);
extern tgt_teams_adder *tgt_add_teams;
void tgt_policy_teams(tgt_teams_adder *add);

/* A function of the API was called, from code. */
SOLO_INLINE void tgt_called(const void *code) {
  if (SOLO_UNLIKELY(tgt_slow_path_flags() & TGT_OBSERVED)) solo_observe_called(code);
}

/* Opens the device a construct names. SOLO_DISABLED without a record: it is the host, nothing is to
 * be done on a device. Otherwise as solo_device_get. */
SOLO_INLINE SOLO_MUST_CHECK solo_status tgt_get_device(int64_t number, solo_device **out_device);
/* The same where it is known that offloading is not disabled. */
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
