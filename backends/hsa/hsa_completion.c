/* Reference-counted completion signals. */
#include "backends/hsa/hsa.h"

#include "runtime/base/settings.h"
#include <stdlib.h>

enum { SLEEP_MS = 20 }; /* interval at which a sleeping thread checks whether the device is lost */

solo_status solo_hsa_completion_allocate(solo_bdevice *device, solo_hsa_completion_signal **out) {
  solo_lock_acquire(&device->lock);
  solo_hsa_completion_signal *completion = device->free_completions;
  if (completion) device->free_completions = completion->next;
  solo_lock_release(&device->lock);
  if (!completion) {
    completion = calloc(1, sizeof *completion);
    if (!completion) return solo_fail(SOLO_NOMEM, "hsa: no memory for a signal");
    completion->home = device;
    hsa_status_t result = hsa_signal_create(1, 0, NULL, &completion->signal);
    if (result != HSA_STATUS_SUCCESS) {
      free(completion);
      return solo_hsa_fail(device, result, "creating a signal");
    }
    solo_lock_acquire(&device->lock);
    /* relaxed: device->lock guards insertions */
    completion->next_all = solo_load_relaxed(&device->all_completions);
    solo_store_release(&device->all_completions,
                       /* Invariant: a listed signal is initialised, and next_all is constant.
                        * Ordering:  this release store pairs with the acquire load in
                        *            solo_hsa_completions_check().
                        * Otherwise: that function could read an uninitialised signal.
                        */
                       completion);
    solo_lock_release(&device->lock);
  }
  hsa_signal_store_screlease(completion->signal, 1);
  solo_store_relaxed(&completion->holders, 1); /* relaxed: not shared yet */
  *out = completion;
  return SOLO_OK;
}

void solo_hsa_completion_acquire(solo_hsa_completion_signal *completion) {
  /* relaxed: the caller has a reference */
  solo_add_relaxed(&completion->holders, 1);
}

void solo_hsa_completion_release(solo_hsa_completion_signal *completion) {
  /* Ordering:  this acq_rel subtraction pairs with the subtractions of other threads in
   *            solo_hsa_completion_release().
   * Otherwise: a signal could be reused while another thread reads it. */
  if (!completion || solo_sub_acq_rel(&completion->holders, 1) != 1) return;
  solo_bdevice *device = completion->home;
  solo_lock_acquire(&device->lock);
  completion->next = device->free_completions;
  device->free_completions = completion;
  solo_lock_release(&device->lock);
}

static SOLO_COLD void report_failure(const solo_hsa_completion_signal *completion,
                                     hsa_signal_value_t value) {
  solo_hsa_mark_lost(completion->home, HSA_STATUS_ERROR, "an accepted copy failed (signal %lld)",
                     (long long)value);
}

int solo_hsa_completion_reached(const solo_hsa_completion_signal *completion) {
  hsa_signal_value_t value = hsa_signal_load_scacquire(completion->signal);
  if (SOLO_UNLIKELY(value < 0)) report_failure(completion, value);
  return value == 0;
}

void solo_hsa_completions_check(solo_bdevice *device) {
  const solo_hsa_completion_signal *completion =
      solo_load_acquire(&device->all_completions); /* pairs with solo_hsa_completion_allocate() */
  for (; completion; completion = completion->next_all)
    (void)solo_hsa_completion_reached(completion);
}

static uint64_t timestamp_frequency(void) {
  static _Atomic uint64_t known;
  uint64_t frequency = solo_load_relaxed(&known); /* relaxed: all threads store the same value */
  if (frequency) return frequency;
  if (hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency) != HSA_STATUS_SUCCESS ||
      !frequency)
    frequency = 1000000000;
  solo_store_relaxed(&known, frequency);
  return frequency;
}

/* Polls before it sleeps, because a wake from sleep needs an interrupt. */
solo_status solo_hsa_completion_wait(solo_bdevice *device,
                                     const solo_hsa_completion_signal *completion) {
  uint64_t spin_ns = (uint64_t)solo_settings()->spin_us * 1000, start = 0;
  while (!solo_hsa_completion_reached(completion)) {
    SOLO_HSA_CHECK_LOST(device);
    if (!start) start = solo_now_ns();
    if (solo_now_ns() - start < spin_ns) {
      solo_cpu_relax();
      continue;
    }
    if (hsa_signal_wait_scacquire(completion->signal, HSA_SIGNAL_CONDITION_LT, 1,
                                  timestamp_frequency() / 1000 * SLEEP_MS,
                                  HSA_WAIT_STATE_BLOCKED) > 0)
      solo_hsa_completions_check(device);
  }
  return SOLO_OK;
}

void solo_hsa_completions_close(solo_bdevice *device) {
  solo_hsa_completion_signal *completion =
      solo_load_relaxed(&device->all_completions); /* relaxed: no other thread uses the device */
  for (solo_hsa_completion_signal *next; completion; completion = next) {
    next = completion->next_all;
    (void)hsa_signal_destroy(completion->signal);
    free(completion);
  }
  solo_store_relaxed(&device->all_completions, NULL); /* relaxed: no other thread uses the device */
  device->free_completions = NULL;
}
