/* Task reductions. Each thread that uses the variable has a copy. The copies are combined at the end of
 * the taskgroup. For reduction(task, ...) the team shares the copies (kmpc_common), and the last thread
 * combines them. The address of the variable or of any copy identifies the reduction. */
#include "abi/kmpc/task/task.h"
#include "abi/kmpc/team/thread.h"
#include <string.h>

typedef struct kmpc_reduction_input_old {
  void *shared;
  size_t bytes;
  void (*initialise)(void *copy);
  void (*finish)(void *copy);
  void (*combine)(void *into, void *copy);
  uint32_t flags;
} kmpc_reduction_input_old;

typedef struct copies {
  char *first;
  size_t stride;
  unsigned char *made;
} copies;

typedef struct variable {
  kmpc_reduction_input input;
  copies copies;
} variable;

typedef struct kmpc_common {
  int32_t count, closed;
  copies copies[];
} kmpc_common;

typedef struct kmpc_reductions {
  struct kmpc_reductions *next;
  kmpc_common *common; /* NULL: copies of this taskgroup only */
  const kmpc_team *team;
  int32_t workshare;
  int32_t count, threads;
  variable variable[];
} kmpc_reductions;

static copies make_copies(kmpc_cache *cache, size_t bytes, int32_t threads) {
  copies c;
  c.stride = (bytes + SOLO_CACHE_PAIR - 1) / SOLO_CACHE_PAIR * SOLO_CACHE_PAIR;
  c.first = solo_kmp_cache_allocate(cache, c.stride * (size_t)threads);
  c.made = solo_kmp_cache_allocate(cache, (size_t)threads);
  memset(c.made, 0, (size_t)threads);
  return c;
}

static void free_copies(kmpc_cache *cache, copies *c) {
  solo_kmp_cache_free(cache, c->first);
  solo_kmp_cache_free(cache, c->made);
}

static kmpc_reductions *make_record(kmpc_thread *self, int32_t count,
                                    const kmpc_reduction_input *inputs) {
  kmpc_reductions *record = solo_kmp_cache_allocate(
      solo_kmp_cache(self), sizeof *record + (size_t)count * sizeof record->variable[0]);
  record->common = NULL;
  record->team = self->context.team;
  record->workshare = 0;
  record->count = count;
  record->threads = self->context.team->size;
  for (int32_t i = 0; i < count; i++) record->variable[i].input = inputs[i];
  return record;
}

static kmpc_common *join_common(kmpc_thread *self, const kmpc_reductions *record) {
  kmpc_task_team *tasks = solo_kmp_task_team(self);
  kmpc_cache *cache = solo_kmp_cache(self);
  solo_lock_acquire(&tasks->lock);
  kmpc_common *common = tasks->common[record->workshare];
  if (!common) {
    common = solo_kmp_cache_allocate(cache, sizeof *common +
                                                (size_t)record->count * sizeof common->copies[0]);
    common->count = record->count;
    common->closed = 0;
    for (int32_t i = 0; i < record->count; i++)
      common->copies[i] = make_copies(cache, record->variable[i].input.bytes, record->threads);
    tasks->common[record->workshare] = common;
  }
  solo_lock_release(&tasks->lock);
  return common;
}

/* Returns nonzero to the last thread, which combines the copies. */
static int leave_common(kmpc_thread *self, const kmpc_reductions *record) {
  kmpc_task_team *tasks = solo_kmp_task_team(self);
  solo_lock_acquire(&tasks->lock);
  int is_last = ++record->common->closed == record->threads;
  if (is_last) tasks->common[record->workshare] = NULL;
  solo_lock_release(&tasks->lock);
  return is_last;
}

void solo_kmp_commons_drop(kmpc_team *team) {
  /* relaxed: the other threads have left */
  kmpc_task_team *tasks = solo_load_relaxed(&team->task_team);
  kmpc_cache *cache = solo_kmp_self()->task_cache;
  for (int workshare = 0; workshare < 2; workshare++) {
    kmpc_common *common = tasks->common[workshare];
    tasks->common[workshare] = NULL;
    if (!common) continue;
    for (int32_t i = 0; i < common->count; i++) free_copies(cache, &common->copies[i]);
    solo_kmp_cache_free(cache, common);
  }
}

void solo_kmp_reductions_add(kmpc_thread *self, kmpc_reduced reduced, int32_t count,
                             const kmpc_reduction_input *inputs) {
  kmpc_taskgroup *group = self->context.task->taskgroup;
  kmpc_reductions *record = make_record(self, count, inputs);
  if (reduced != KMPC_REDUCED_GROUP && record->threads > 1) {
    record->workshare = reduced == KMPC_REDUCED_WORKSHARE;
    record->common = join_common(self, record);
  }
  for (int32_t i = 0; i < count; i++)
    record->variable[i].copies =
        record->common ? record->common->copies[i]
                       : make_copies(solo_kmp_cache(self), inputs[i].bytes, record->threads);
  record->next = group->reductions;
  group->reductions = record;
}

void *__kmpc_taskred_init(int32_t gtid, int32_t count, kmpc_reduction_input *inputs);
SOLO_EXPORT void *__kmpc_taskred_init(int32_t gtid, int32_t count, kmpc_reduction_input *inputs) {
  (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  kmpc_taskgroup *group = self->context.task->taskgroup;
  if (group) solo_kmp_reductions_add(self, KMPC_REDUCED_GROUP, count, inputs);
  return group;
}

void *__kmpc_task_reduction_init(int32_t gtid, int32_t count, kmpc_reduction_input_old *inputs);
SOLO_EXPORT void *__kmpc_task_reduction_init(int32_t gtid, int32_t count,
                                             kmpc_reduction_input_old *inputs) {
  kmpc_thread *self = solo_kmp_self();
  if (!self->context.task->taskgroup) return NULL;
  kmpc_cache *cache = solo_kmp_cache(self);
  kmpc_reduction_input *context = solo_kmp_cache_allocate(cache, (size_t)count * sizeof *context);
  for (int32_t i = 0; i < count; i++) {
    context[i] = (kmpc_reduction_input){.shared = inputs[i].shared,
                                        .original = inputs[i].shared,
                                        .bytes = inputs[i].bytes,
                                        .finish = inputs[i].finish,
                                        .combine = inputs[i].combine,
                                        .flags = inputs[i].flags};
    memcpy(&context[i].initialise, &inputs[i].initialise, sizeof context[i].initialise);
  }
  void *group = __kmpc_taskred_init(gtid, count, context);
  solo_kmp_cache_free(cache, context);
  return group;
}

static int is_of(const variable *v, const void *data, int32_t threads) {
  const char *first = v->copies.first, *at = data;
  return data == v->input.shared ||
         (at >= first && at < first + v->copies.stride * (size_t)threads);
}

/* Returns the number of self in team, also when self is in a nested serialized region; -1: not a
 * member. */
static int32_t number_in(const kmpc_thread *self, const kmpc_team *team) {
  int32_t number = self->context.tid;
  for (const kmpc_team *at = self->context.team; at != team; at = at->parent) {
    if (at->size > 1 || !at->parent) return -1;
    number = at->parent_tid;
  }
  return number;
}

static void *copy_of(variable *v, int32_t tid) {
  char *copy = v->copies.first + v->copies.stride * (size_t)tid;
  if (!v->copies.made[tid]) {
    v->copies.made[tid] = 1;
    if (v->input.initialise)
      v->input.initialise(copy, v->input.original);
    else
      memset(copy, 0, v->input.bytes);
  }
  return copy;
}

void *__kmpc_task_reduction_get_th_data(int32_t gtid, void *group, void *data);
SOLO_EXPORT void *__kmpc_task_reduction_get_th_data(int32_t gtid, void *group, void *data) {
  (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  kmpc_taskgroup *at = group ? group : self->context.task->taskgroup;
  for (; at; at = at->outer)
    for (kmpc_reductions *record = at->reductions; record; record = record->next)
      for (int32_t i = 0; i < record->count; i++)
        if (is_of(&record->variable[i], data, record->threads)) {
          int32_t tid = number_in(self, record->team);
          if (tid >= 0) return copy_of(&record->variable[i], tid);
          solo_kmp_fatal("in_reduction: the variable at %p is reduced by a taskgroup of another "
                         "team; a parallel region inside a task cannot take part",
                         data);
        }
  solo_kmp_fatal("in_reduction: no enclosing taskgroup reduces the variable at %p", data);
}

static void combine(kmpc_cache *cache, kmpc_reductions *record) {
  for (int32_t i = 0; i < record->count; i++) {
    variable *v = &record->variable[i];
    for (int32_t t = 0; t < record->threads; t++) {
      if (!v->copies.made[t]) continue;
      char *copy = v->copies.first + v->copies.stride * (size_t)t;
      v->input.combine(v->input.shared, copy);
      if (v->input.finish) v->input.finish(copy);
    }
    free_copies(cache, &v->copies);
  }
}

void solo_kmp_reductions_finish(kmpc_thread *self, kmpc_taskgroup *group) {
  kmpc_cache *cache = solo_kmp_cache(self);
  for (kmpc_reductions *record = group->reductions, *next; record; record = next) {
    next = record->next;
    if (!record->common) {
      combine(cache, record);
    } else if (leave_common(self, record)) {
      combine(cache, record);
      solo_kmp_cache_free(cache, record->common);
    }
    solo_kmp_cache_free(cache, record);
  }
  group->reductions = NULL;
}
