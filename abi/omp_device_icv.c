#include "abi/include/omp.h"
#include "abi/policy.h"
#include "abi/tgt.h"
#include "runtime/base/log.h"
#include "runtime/device/devices.h"

#pragma weak omp_get_max_teams
#pragma weak omp_set_num_teams
#pragma weak omp_get_teams_thread_limit
#pragma weak omp_set_teams_thread_limit

static solo_device *find(int number) {
  solo_device *device;
  return tgt_get_device(number, &device) == SOLO_OK ? device : NULL;
}

/* Replaces omitted clauses (0) by the device's values. teams < 0: no teams construct. */
static void apply_device_limits(int64_t number, int32_t *teams, int32_t *threads) {
  solo_device *device = solo_device_at((int)(number < 0 ? tgt_default_device() : number));
  if (!device || *teams < 0) return;
  /* relaxed: settings */
  if (*teams == 0) *teams = solo_load_relaxed(&device->teams);
  if (*threads == 0) *threads = solo_load_relaxed(&device->teams_threads);
}

SOLO_EXPORT int omp_get_device_num_teams(int number) {
  if (tgt_is_host(number)) return omp_get_max_teams ? omp_get_max_teams() : 0;
  const solo_device *device = find(number);
  if (!device) return 0;
  int setting = solo_load_relaxed(&device->teams); /* relaxed: a setting */
  return setting ? setting : solo_settings()->teams_limit;
}

SOLO_EXPORT void omp_set_device_num_teams(int teams, int number) {
  if (tgt_is_host(number)) {
    if (omp_set_num_teams) omp_set_num_teams(teams);
    return;
  }
  solo_device *device = find(number);
  if (!device) tgt_report_misuse_and_exit("omp_set_device_num_teams: there is no device", number);
  if (teams < 0) return;
  solo_store_relaxed(&device->teams, teams); /* relaxed: a setting */
  tgt_policy_teams(apply_device_limits);
}

SOLO_EXPORT int omp_get_device_teams_thread_limit(int number) {
  if (tgt_is_host(number)) return omp_get_teams_thread_limit ? omp_get_teams_thread_limit() : 0;
  const solo_device *device = find(number);
  if (!device) return 0;
  int setting = solo_load_relaxed(&device->teams_threads); /* relaxed: a setting */
  return setting ? setting : solo_settings()->thread_limit;
}

SOLO_EXPORT void omp_set_device_teams_thread_limit(int threads, int number) {
  if (tgt_is_host(number)) {
    if (omp_set_teams_thread_limit) omp_set_teams_thread_limit(threads);
    return;
  }
  solo_device *device = find(number);
  if (!device)
    tgt_report_misuse_and_exit("omp_set_device_teams_thread_limit: there is no device", number);
  if (threads <= 0) return;
  uint32_t most = solo_device_describe(device)->max_threads;
  if (most && (uint32_t)threads > most) threads = (int)most;
  solo_store_relaxed(&device->teams_threads, threads); /* relaxed: a setting */
  tgt_policy_teams(apply_device_limits);
}

SOLO_EXPORT int omp_get_max_progress_width(int number) {
  if (tgt_is_host(number)) return 1;
  solo_device *device = find(number);
  if (!device) return 0;
  uint32_t width = solo_device_describe(device)->warp_size;
  return width ? (int)width : 1;
}

SOLO_EXPORT int omp_is_free_agent(void) {
  return 0;
}

SOLO_EXPORT int omp_ancestor_is_free_agent(int level) {
  (void)level;
  return 0;
}
