/* Launches: no allocation, no lock. */
#include "ports/skeleton/skeleton.h"

static SOLO_COLD solo_status refuse(const char *what, uint64_t is, uint64_t limit) {
  return solo_fail(SOLO_INVALID, "launch with %llu %s: the limit is %llu", (unsigned long long)is,
                   what, (unsigned long long)limit);
}

/* Checks all limits before the driver receives the launch, because many drivers would hang. */
solo_status solo_skeleton_queue_launch(solo_bqueue *queue, solo_bkernel *kernel,
                                       const solo_launch_record *launch) {
  const skeldrv_properties *limits = &queue->device->limits;
  const uint32_t *teams = launch->teams, *threads = launch->threads;
  uint64_t team_size = (uint64_t)threads[0] * threads[1] * threads[2];
  uint64_t all = (uint64_t)teams[1] * teams[2];
  if (!team_size || team_size > limits->max_threads)
    return refuse("threads per team", team_size, limits->max_threads);
  if (!teams[0] || !all || teams[0] > limits->max_teams || all > limits->max_teams)
    return refuse("teams", teams[0] * all, limits->max_teams);
  if (launch->shared_bytes > limits->shared_bytes)
    return refuse("bytes of shared memory", launch->shared_bytes, limits->shared_bytes);
  if (launch->argument_bytes % 8 || launch->argument_bytes > SKELDRV_PARAMETER_BYTES)
    return refuse("argument bytes", launch->argument_bytes, SKELDRV_PARAMETER_BYTES);
  return solo_skeleton_status(skeldrv_launch(queue->driver, (skeldrv_kernel *)kernel, teams,
                                             threads, launch->arguments, launch->argument_bytes / 8,
                                             &queue->last),
                              "launch");
}
