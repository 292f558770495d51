#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/env/icv.h"
#include "abi/kmpc/team/region.h"
#include "runtime/backend.h"
#include "runtime/host_threads.h"

#include <stdlib.h>

static _Thread_local kmpc_solo_frame initial_frame;

typedef struct kmpc_target_frame {
  kmpc_solo_frame solo;
  const solo_target_call *call;
} kmpc_target_frame;

static _Atomic int32_t thread_count;

int32_t solo_kmp_new_gtid(void) {
  return solo_add_relaxed(&thread_count, 1); /* relaxed: only a number */
}

int32_t solo_kmp_gtid_bound(void) {
  return solo_load_relaxed(&thread_count);
}

void solo_kmp_thread_begin(kmpc_thread *self) {
  kmpc_config *config = solo_kmp_config();
  kmpc_solo_frame *first = &initial_frame;
  self->gtid = solo_kmp_new_gtid();
  self->place = -1;
  first->group.limit = config->thread_limit;
  first->group.strict_limit = config->thread_limit;
  solo_store_relaxed(&first->group.used, 1); /* not shared yet */
  first->team.size = 1;
  first->team.around = 1;
  first->team.device = -1;
  first->team.group = &first->group;
  first->team.icvs = config->initial_icvs;
  self->context.team = &first->team;
  solo_kmp_task_begin_implicit(&first->frame.task, &first->team, NULL, config->initial_icvs);
  self->context.task = &first->frame.task;
  self->context.loop = &first->frame.loop;
}

int32_t __kmpc_global_thread_num(kmpc_ident *loc);
SOLO_EXPORT int32_t __kmpc_global_thread_num(kmpc_ident *loc) {
  (void)loc;
  return solo_kmp_self()->gtid;
}

_Static_assert(sizeof(kmpc_target_frame) <= sizeof(solo_target_frame),
               "solo_target_frame is smaller than kmpc_target_frame");

static void enter_target(solo_target_frame *storage, int device, const solo_target_call *call) {
  kmpc_target_frame *target = (kmpc_target_frame *)(void *)storage;
  int32_t limit = (int32_t)call->launch->threads[0];
  target->call = call;
  kmpc_solo_frame *frame = &target->solo;
  kmpc_thread *self = solo_kmp_self();
  const kmpc_config *config = solo_kmp_config();
  solo_kmp_team_of_one(&frame->team, self);
  frame->team.level = 0;
  frame->team.active_level = 0;
  frame->team.flags = KMPC_TEAM_TARGET;
  frame->team.parent = NULL;
  frame->team.device = device;
  frame->team.league = NULL;
  frame->team.icvs = config->initial_icvs;
  frame->team.group = &frame->group;
  frame->group.limit = 0;
  frame->group.strict_limit =
      limit > 0 && limit < config->thread_limit ? limit : config->thread_limit;
  solo_store_relaxed(&frame->group.used, 1); /* not shared yet */
  solo_kmp_push_context(self, &frame->frame, &frame->team, 0);
}

static void leave_target(solo_target_frame *storage) {
  kmpc_solo_frame *frame = (kmpc_solo_frame *)(void *)storage->storage;
  kmpc_thread *self = &solo_kmp_thread_record;
  if (SOLO_UNLIKELY(solo_load_relaxed(&frame->team.task_team) != NULL)) /* own store */
    solo_kmp_finish_tasks(self);
  solo_kmp_pop_context(self, &frame->frame);
}

const solo_target_call *solo_kmp_target_call(const kmpc_team *team) {
  if (!(team->flags & KMPC_TEAM_TARGET)) return NULL;
  return ((const kmpc_target_frame *)(const void *)((const char *)team -
                                                    offsetof(kmpc_target_frame, solo.team)))
      ->call;
}

static int current_device(void) {
  const kmpc_team *team = solo_kmp_thread_record.context.team;
  return team ? team->device : -1;
}

const solo_host_threads_seam solo_host_threads = {
    .enter_target = enter_target,
    .leave_target = leave_target,
    .device = current_device,
};

SOLO_EXPORT int omp_is_initial_device(void);
SOLO_EXPORT int omp_is_initial_device(void) {
  return current_device() < 0;
}
