/* A frame has the state that a thread saves when it enters a region, and its implicit task. The frame
 * is on the stack of the thread; only __kmpc_serialized_parallel() allocates and caches frames. */
#ifndef SOLO_KMPC_REGION_H
#define SOLO_KMPC_REGION_H

#include "abi/kmpc/loop/loop.h"

typedef struct kmpc_frame {
  kmpc_context saved;
  kmpc_task task;
  kmpc_loop loop;
} kmpc_frame;

typedef struct kmpc_solo_frame {
  kmpc_frame frame;
  kmpc_team team;
  kmpc_group group;
} kmpc_solo_frame;

typedef struct kmpc_serial {
  kmpc_solo_frame solo;
  struct kmpc_serial *outer;
} kmpc_serial;

SOLO_INLINE void solo_kmp_set_context(kmpc_thread *self, kmpc_frame *frame, kmpc_team *team,
                                      kmpc_task *parent, int32_t tid) {
  solo_kmp_task_begin_implicit(&frame->task, team, parent, team->icvs);
  self->context.team = team;
  self->context.task = &frame->task;
  self->context.loop = &frame->loop;
  self->context.tid = tid;
  self->context.singles = 0;
  self->context.loops = 0;
  self->context.crosses = 0;
  self->context.reductions = 0;
  self->context.works = 0;
  self->context.in_slot = 0;
  self->context.crossing = 0;
  self->context.size = team->size;
  self->context.around = team->around;
}

SOLO_INLINE void solo_kmp_push_context(kmpc_thread *self, kmpc_frame *frame, kmpc_team *team,
                                       int32_t tid) {
  frame->saved = self->context;
  solo_kmp_set_context(self, frame, team, frame->saved.task, tid);
}

SOLO_INLINE void solo_kmp_pop_context(kmpc_thread *self, kmpc_frame *frame) {
  if (SOLO_UNLIKELY(frame->task.depends))
    solo_load_acquire(&solo_kmp_task_ops)
        ->implicit_end(&frame->task); /* pairs with solo_kmp_tasks_begin */
  self->context = frame->saved;
}

void solo_kmp_enter_team(kmpc_thread *self, kmpc_frame *frame, kmpc_team *team, int32_t tid);
void solo_kmp_leave_team(kmpc_thread *self, kmpc_frame *frame);

SOLO_INLINE void solo_kmp_team_of_one(kmpc_team *team, kmpc_thread *self) {
  kmpc_team *parent = self->context.team;
  team->size = 1;
  team->around = parent->around;
  team->level = parent->level + 1;
  team->active_level = parent->active_level;
  team->flags = 0;
  team->parent = parent;
  team->parent_tid = self->context.tid;
  team->device = parent->device;
  team->worker_team = NULL;
  team->group = parent->group;
  team->league = parent->league;
  team->icvs = self->context.task->icvs;
  team->proc_bind = parent->proc_bind;
  solo_store_relaxed(&team->cancel, 0); /* relaxed, all: not shared yet */
  solo_store_relaxed(&team->eventcount.word, 0);
  solo_store_relaxed(&team->eventcount.sleepers, 0);
  solo_store_relaxed(&team->task_team, NULL);
}

#endif
