/* Numbers of teams and threads (abi-facts 7.4), by the rules of Clang's device runtime for GPUs. */
#include "runtime/launch/grid.h"

#include "runtime/base/settings.h"

static uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/* b <= 0: no limit */
static uint32_t limited(uint32_t a, int64_t b) {
  return b > 0 && b < (int64_t)a ? (uint32_t)b : a;
}

static uint32_t team_threads(const solo_device *device, const solo_kernel *kernel,
                             const solo_launch_request *request) {
  const solo_device_info *info = &device->info;
  uint32_t most = limited(info->max_threads, kernel->max_threads);
  most = limited(most, solo_settings()->thread_limit);
  most = limited(most, kernel->attributes.max_threads);
  uint32_t wanted = request->threads[0];
  /* the main thread of a generic kernel has its own warp */
  if (wanted && kernel->mode == SOLO_MODE_GENERIC) wanted += info->warp_size;
  if (!wanted) {
    wanted = info->default_threads;
    if (kernel->min_threads > 0 && (uint32_t)kernel->min_threads > wanted)
      wanted = (uint32_t)kernel->min_threads;
  }
  return smaller(most, wanted);
}

static uint32_t power_of_two_above(uint64_t n, uint32_t most) {
  uint32_t p = 1;
  while (p < n && p < most) p *= 2;
  return smaller(p, most);
}

static uint64_t teams_for_each(uint64_t n, uint32_t threads) {
  return threads > 1 ? (n + threads - 1) / threads : n;
}

/* Reduces *threads for a short loop. */
static uint64_t teams_for_loop(const solo_device *device, const solo_kernel *kernel,
                               const solo_launch_request *request, uint32_t *threads) {
  const solo_settings_table *settings = solo_settings();
  uint64_t n = request->trip_count, usual = device->info.default_teams;
  if (kernel->mode == SOLO_MODE_SPMD_NO_LOOP) return teams_for_each(n, *threads);
  uint64_t teams = n;
  if (kernel->mode == SOLO_MODE_SPMD) {
    uint64_t fewest = smaller((uint32_t)settings->min_threads, *threads);
    if (fewest == 0) fewest = 1;
    if (n < usual * *threads && !request->threads[0]) {
      *threads = n >= usual * fewest ? power_of_two_above((n + usual - 1) / usual, *threads)
                                     : (uint32_t)fewest;
    }
    teams = teams_for_each(n, *threads);
  }
  return settings->reuse_blocks && teams > usual ? usual : teams;
}

static void gpu_dimensions(const solo_device *device, const solo_kernel *kernel,
                           const solo_launch_request *request, solo_launch_record *out) {
  uint32_t threads = team_threads(device, kernel, request);
  uint64_t teams = request->teams[0];
  uint32_t most = limited(device->info.max_teams, solo_settings()->teams_limit);
  if (!teams && request->trip_count) teams = teams_for_loop(device, kernel, request, &threads);
  if (!teams) teams = device->info.default_teams;
  out->teams[0] = teams > most ? most : (uint32_t)teams;
  out->threads[0] = threads;
}

void solo_launch_dimensions(const solo_device *device, const solo_kernel *kernel,
                            const solo_launch_request *request, solo_launch_record *out) {
  int rules = solo_device_has_rtl(device);
  for (int d = 0; d < 3; d++) {
    out->teams[d] = request->teams[d];
    out->threads[d] = request->threads[d];
    if (rules || d > 0) {
      if (!out->teams[d]) out->teams[d] = 1;
      if (!out->threads[d]) out->threads[d] = 1;
    }
  }
  out->shared_bytes = request->shared_bytes;
  if (!rules) return;
  const solo_settings_table *settings = solo_settings();
  if (settings->shared_size > out->shared_bytes)
    out->shared_bytes = (uint32_t)settings->shared_size;
  if (kernel->mode == SOLO_MODE_BARE || (request->flags & SOLO_LAUNCH_EXACT)) return;
  gpu_dimensions(device, kernel, request, out);
}
