/* Launches. A launch allocates nothing, locks nothing and waits only for ring space. */
#include "backends/remote/remote.h"

#include <string.h>

static SOLO_COLD solo_status refuse(const char *what, uint64_t is, uint64_t limit) {
  return solo_fail(SOLO_INVALID, "remote: launch with %llu %s: the limit is %llu",
                   (unsigned long long)is, what, (unsigned long long)limit);
}

/* The server checks these limits, too, but only the next sync would report the error. */
static solo_status check_grid(const solo_device_info *info, const solo_kernel_attributes *a,
                              const solo_launch_record *launch) {
  const uint32_t *teams = launch->teams, *threads = launch->threads;
  uint64_t team_size = (uint64_t)threads[0] * threads[1] * threads[2];
  uint64_t most =
      a->max_threads && a->max_threads < info->max_threads ? a->max_threads : info->max_threads;
  if (!team_size || team_size > most) return refuse("threads per team", team_size, most);
  if (!teams[0] || !teams[1] || !teams[2] || teams[0] > info->max_teams)
    return refuse("teams", teams[0], info->max_teams);
  uint64_t shared = (uint64_t)launch->shared_bytes + a->shared_bytes;
  if (launch->shared_bytes && shared > info->max_shared_bytes)
    return refuse("bytes of shared memory", shared, info->max_shared_bytes);
  return SOLO_OK;
}

solo_status solo_remote_queue_launch(solo_bqueue *queue, solo_bkernel *kernel,
                                     const solo_launch_record *launch) {
  const solo_kernel_attributes *a = &kernel->attributes;
  uint32_t bytes = launch->argument_bytes;
  uint32_t most = a->argument_bytes ? a->argument_bytes : SOLO_REMOTE_MESSAGE_BYTES / 2;
  if (SOLO_UNLIKELY(bytes > most)) return refuse("argument bytes", bytes, most);
  if (queue->device->info.flags & SOLO_DEVICE_HAS_RTL)
    SOLO_TRY(check_grid(&queue->device->info, a, launch));
  else if (SOLO_UNLIKELY(bytes % 8))
    return solo_fail(
        SOLO_INVALID,
        "remote: launch with %u argument bytes: arguments of CPU kernels are multiples of 8 bytes",
        bytes);
  solo_remote_launch *m =
      solo_remote_message(&queue->channel, (uint32_t)sizeof *m + bytes, SOLO_REMOTE_LAUNCH);
  if (SOLO_UNLIKELY(!m)) return solo_remote_abandon_queue(queue);
  m->kernel = kernel->handle;
  m->shared_bytes = launch->shared_bytes;
  memcpy(m->teams, launch->teams, sizeof m->teams);
  memcpy(m->threads, launch->threads, sizeof m->threads);
  m->trip_count = launch->trip_count;
  m->argument_bytes = bytes;
  m->unused = 0;
  memcpy(m->arguments, launch->arguments, bytes);
  (void)solo_remote_post(&queue->channel, m);
  return SOLO_OK;
}
