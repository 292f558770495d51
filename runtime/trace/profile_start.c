#include "runtime/trace/profile_start.h"

#include "runtime/base/log.h"
#include "runtime/base/settings.h"
#include "runtime/trace/profile.h"

const solo_observer *solo_observe_profile(void) {
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
