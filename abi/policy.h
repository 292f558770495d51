/* What happens when offloading fails: the one place that knows OMP_TARGET_OFFLOAD.
 *
 *   disabled   nothing is offloaded and nothing said
 *   default    the region runs on the host; the first times it is said why, on stderr
 *   mandatory  the reason is printed and the program ends (exit status 1): the only place where the
 *              library ends a program
 *
 * A user callback (solo_set_error_callback) sees every failure first. Threads: any.
 */
#ifndef SOLO_ABI_POLICY_H
#define SOLO_ABI_POLICY_H

#include "runtime/base/atomic.h"
#include "runtime/base/settings.h"
#include "runtime/device.h"

/* What was going on, for the message and the decision. */
typedef enum tgt_activity {
  TGT_REGION, /* falls back to the host */
  TGT_DATA,   /* target data, enter data, exit data, update: nothing to fall back to */
  TGT_SETUP,  /* registration, loading */
  TGT_LATER,  /* what was enqueued by a nowait construct: too late to fall back */
} tgt_activity;

extern _Atomic int tgt_policy_known; /* -1: not read; else solo_offload_policy */
int tgt_policy_read(void) SOLO_COLD;

SOLO_INLINE int tgt_is_disabled(void) {
  int policy = solo_load_relaxed(&tgt_policy_known); /* the settings it came from are immutable */
  if (SOLO_UNLIKELY(policy < 0)) policy = tgt_policy_read();
  return policy == SOLO_OFFLOAD_DISABLED;
}

/* Reports the thread's last failure and applies the policy. where: psource or NULL. */
void tgt_failed(solo_status status, tgt_activity activity, const char *where) SOLO_COLD;

/* The default device: omp_get_default_device() of whoever provides host threads (abi/kmpc, libomp);
 * with neither, OMP_DEFAULT_DEVICE. */
int64_t tgt_default_device(void);

/* Opens the device a construct names. SOLO_DISABLED without a record: it is the host, nothing is to
 * be done on a device. Otherwise as solo_device_get. */
SOLO_INLINE SOLO_MUST_CHECK solo_status tgt_get_device(int64_t number, solo_device **out_device);
solo_status tgt_get_device_slow(int64_t number, solo_device **out_device) SOLO_MUST_CHECK SOLO_COLD;

SOLO_INLINE solo_status tgt_get_device(int64_t number, solo_device **out_device) {
  if (SOLO_UNLIKELY(tgt_is_disabled())) return SOLO_DISABLED;
  if (number == -1) number = tgt_default_device();
  /* acquire: as in solo_device_get */
  if (SOLO_LIKELY((uint64_t)number < (uint64_t)solo_load_acquire(&solo_devices_known))) {
    solo_device *device = solo_devices[number];
    if (SOLO_LIKELY(solo_device_ready(device))) {
      *out_device = device;
      return SOLO_OK;
    }
  }
  return tgt_get_device_slow(number, out_device);
}

#endif
