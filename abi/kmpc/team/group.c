#include "abi/kmpc/team/group.h"
#include "abi/kmpc/affinity/procs.h"
#include "abi/kmpc/env/icv.h"
#include "runtime/base/assert.h"

enum { THREADS_PER_PROCESSOR = 4 };

static const kmpc_solo_frame *frame_of(const kmpc_team *team) {
  return (const kmpc_solo_frame *)(const void *)((const char *)team -
                                                 offsetof(kmpc_solo_frame, team));
}

/* Returns the thread limit of a target region. All threads of `outer` may encounter a target
 * region concurrently. Each region may use all processors, or fewer if the regions together
 * would exceed THREADS_PER_PROCESSOR threads per processor. */
static int32_t share(const kmpc_team *outer) {
  const kmpc_config *config = solo_kmp_config();
  int64_t all = solo_kmp_procs();
  if (config->threads_requested > all) all = config->threads_requested;
  int64_t most = THREADS_PER_PROCESSOR * all;
  if (outer->active_level > 0) most /= outer->around;
  return (int32_t)(most < 1 ? 1 : most < all ? most : all);
}

int32_t solo_kmp_threads_available(const kmpc_team *team) {
  if (!(team->flags & KMPC_TEAM_TARGET) || solo_kmp_config()->exact_threads) return INT32_MAX;
  return share(frame_of(team)->frame.saved.team);
}

void solo_kmp_group_resolve(kmpc_group *group) {
  kmpc_solo_frame *frame =
      (kmpc_solo_frame *)(void *)((char *)group - offsetof(kmpc_solo_frame, group));
  int32_t left = solo_kmp_threads_available(&frame->team);
  group->limit = left < group->strict_limit ? left : group->strict_limit;
}

int32_t solo_kmp_league_budget(int32_t left) {
  int32_t processors = solo_kmp_procs();
  return left < processors ? left : processors;
}

int32_t solo_kmp_reserve_nested(kmpc_group *group, int32_t size, int32_t limit) {
  int32_t used = solo_load_relaxed(&group->used); /* relaxed: only a number of threads */
  int32_t more;
  do {
    more = size - 1 < limit - used ? size - 1 : limit - used;
    if (more <= 0) return 1;
  } while (!solo_cas_relaxed(&group->used, &used, used + more));
  return more + 1;
}

void solo_kmp_release_nested(kmpc_group *group, int32_t size) {
  int32_t used = solo_sub_relaxed(&group->used, size - 1); /* relaxed: only a number of threads */
  SOLO_ASSERT(used >= size, "a region releases more threads than its contention group uses");
  (void)used;
}
