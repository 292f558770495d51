/* Explicit tasks: the record, and the interfaces of this folder. The record exists until the task
 * is complete and the records of its children are freed. States and invariants:
 * docs/design/host-tasks.md. */
#ifndef SOLO_KMPC_TASK_H
#define SOLO_KMPC_TASK_H

#include "abi/kmpc/env/icv.h"
#include "abi/kmpc/task/depend_table.h"
#include "abi/kmpc/task/deque.h"
#include "abi/kmpc/team/wait.h"
#include "runtime/base/assert.h"

/* The part of the record that compilers access (abi-facts 4.5). The task's variables follow it. */
typedef struct kmpc_task_entry {
  void *shareds;
  int32_t (*routine)(int32_t gtid, struct kmpc_task_entry *object);
  int32_t part;
  int32_t unused_1;
  int32_t (*destructors)(int32_t gtid, struct kmpc_task_entry *object);
  int32_t priority;
  int32_t unused_2;
} kmpc_task_entry;

enum {
  KMPC_ALLOC_TIED = 1,
  KMPC_ALLOC_FINAL = 2,
  KMPC_ALLOC_DESTRUCTORS = 8,
  KMPC_ALLOC_PROXY = 16,
  KMPC_ALLOC_PRIORITY = 32,
  KMPC_ALLOC_DETACHABLE = 64,
};

/* Flags of kmpc_task. Written by the thread that runs the task, or before the task is shared. */
enum {
  KMPC_TASK_COUNTED = 0x100,
  KMPC_TASK_CHILD = 0x200,
  KMPC_TASK_AGAIN = 0x400, /* untied: the body must be called again */
  KMPC_TASK_DESTRUCTORS = 0x800,
  KMPC_TASK_DETACHABLE = 0x1000,
  KMPC_TASK_TARGET = 0x2000,
  KMPC_TASK_PRIORITY = 0x4000,
  /* cancelled while its event was pending; never freed, because the event may be fulfilled later */
  KMPC_TASK_ABANDONED = 0x8000,
  /* executes even after a cancellation, because the body destroys the task's data */
  KMPC_TASK_MUST_RUN = 0x10000,
};

/* Bits of `event`, which two threads set. The thread that sets the second bit completes the task. */
enum { KMPC_EVENT_FULFILLED = 1, KMPC_EVENT_BODY_ENDED = 2 };

typedef struct kmpc_explicit_task {
  kmpc_task head;
  kmpc_depend_node *node;
  union {
    struct kmpc_explicit_task *next;
    void *device_queue;
  };
  void *device_handle;
  _Atomic uint32_t event;
  uint32_t object_bytes, shareds_bytes;
  int32_t device;
  kmpc_task_entry object;
} kmpc_explicit_task;

_Static_assert(offsetof(kmpc_explicit_task, object) == 112 && sizeof(kmpc_task_entry) == 40,
               "with the 16 bytes before it the object is aligned to 64 bytes");

typedef struct kmpc_taskgroup {
  struct kmpc_taskgroup *outer;
  kmpc_thread *owner;
  int64_t local_count;
  _Atomic int32_t cancelled;
  int32_t is_implicit; /* 1: the taskgroup of a clause reduction(task) */
  struct kmpc_reductions *reductions;
  uintptr_t *gomp_reductions;
  uint64_t unused[2];
  /* not in the cache line of local_count, which changes with each task */
  _Atomic int64_t remote_count;
} kmpc_taskgroup;

typedef struct kmpc_task_slot {
  kmpc_deque deque;
  /* numbers of counted tasks that this thread has created and completed; waiting threads poll both */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t created, done;
  SOLO_ALIGNED(SOLO_CACHE_LINE) uint32_t victim;
  uint32_t unannounced; /* 1: the thread has completed a task since it last notified sleepers */
  uint32_t returned;    /* 1: the thread has removed and reinserted a task (run.c) */
  uint32_t tick;
  uint32_t callee;
  int32_t called;
  uint32_t waited, quiet;
  int32_t must_search; /* 1: the thread has slept and must scan all deques */
  _Atomic int32_t waits_in_task;
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint32_t steal_request;
} kmpc_task_slot;

typedef struct kmpc_task_list {
  _Atomic int32_t count;
  kmpc_explicit_task *first, *last;
} kmpc_task_list;

struct kmpc_task_team {
  int32_t capacity;
  int32_t has_steal_requests; /* 1: the team is large (steal_request.h) */
  kmpc_task_team *next_free;
  /* guards the lists and `common`; a count that is read without the lock is a hint */
  solo_lock lock;
  kmpc_task_list ready; /* ordered by priority; also holds tasks that a deque did not accept */
  kmpc_task_list fulfilled;
  kmpc_task_list on_device;
  struct kmpc_common *common[2];
  kmpc_task_slot slot[];
};

SOLO_INLINE kmpc_explicit_task *solo_kmp_task_of(kmpc_task_entry *object) {
  return (kmpc_explicit_task *)(void *)((char *)object - offsetof(kmpc_explicit_task, object));
}

/* Called at the first task of a thread: allocates its cache and publishes solo_kmp_task_ops. */
void solo_kmp_tasks_begin(kmpc_thread *self) SOLO_COLD;
SOLO_INLINE void solo_kmp_ensure_task_cache(kmpc_thread *self) {
  if (SOLO_UNLIKELY(!self->task_cache)) solo_kmp_tasks_begin(self);
}
SOLO_INLINE kmpc_cache *solo_kmp_cache(kmpc_thread *self) {
  SOLO_ASSERT(self->task_cache, "a thread without a task cache uses tasks");
  return self->task_cache;
}

SOLO_INLINE int solo_kmp_is_included(const kmpc_thread *self, const kmpc_explicit_task *work) {
  return (work->head.parent->flags & KMPC_TASK_FINAL) != 0 || self->context.team->size == 1;
}

/* Returns the number of unfinished children. Only the thread that runs the task may call it. */
SOLO_INLINE int32_t solo_kmp_children(kmpc_task *task) {
  /* pairs with count_ended */
  int64_t remote_count = solo_load_acquire(&task->remote_count);
  int32_t left = (int32_t)remote_count;
  int32_t lingering = (int32_t)((remote_count - left) >> 32);
  return (int32_t)(task->spawned - task->ended) - left - lingering;
}

SOLO_INLINE int solo_kmp_descends(const void *item, const void *ancestor) {
  const kmpc_task *at = ((const kmpc_explicit_task *)item)->head.parent, *wanted = ancestor;
  while (at != wanted) {
    if (at->depth <= wanted->depth) return 0;
    at = at->parent;
  }
  return 1;
}

typedef struct kmpc_task_layout {
  size_t object_bytes, shareds_bytes;
  uint32_t alloc_flags;
  int32_t (*routine)(int32_t gtid, kmpc_task_entry *object);
} kmpc_task_layout;

kmpc_explicit_task *solo_kmp_task_make(kmpc_thread *self, const kmpc_task_layout *layout);

/* Executes a new task, or adds it to the ready tasks. lists: depend clauses, or NULL. When the call
 * returns, the task may be freed. */
void solo_kmp_submit(kmpc_thread *self, kmpc_explicit_task *work, const kmpc_depend_list lists[2]);

/* Executes a ready task and completes it, unless the task's event or device work is pending. */
void solo_kmp_execute(kmpc_thread *self, kmpc_explicit_task *work, const kmpc_depend_list lists[2]);

/* The part of solo_kmp_execute() after the body, if compiled code has called the body. */
void solo_kmp_body_ended(kmpc_thread *self, kmpc_explicit_task *work,
                         const kmpc_depend_list lists[2]);

void solo_kmp_complete_late(kmpc_thread *self, kmpc_explicit_task *work);

kmpc_explicit_task *solo_kmp_task_copy(kmpc_thread *self, const kmpc_explicit_task *model);

void solo_kmp_discard(kmpc_thread *self, kmpc_explicit_task *work);

kmpc_task_team *solo_kmp_task_team_make(kmpc_thread *self) SOLO_COLD;
SOLO_INLINE kmpc_task_team *solo_kmp_task_team(kmpc_thread *self) {
  kmpc_task_team *tasks =
      /* pairs with solo_kmp_task_team_make */
      solo_load_acquire(&self->context.team->task_team);
  return SOLO_LIKELY(tasks != NULL) ? tasks : solo_kmp_task_team_make(self);
}
SOLO_INLINE kmpc_task_slot *solo_kmp_task_slot(kmpc_thread *self) {
  return &solo_kmp_task_team(self)->slot[self->context.tid];
}

/* Adds a ready task to the deque of self, or to the list `ready` if the task has a priority. If the
 * deque is full, solo_kmp_push() returns 0, and solo_kmp_push_always() uses `ready`. */
int solo_kmp_push(kmpc_thread *self, kmpc_explicit_task *work);
void solo_kmp_push_always(kmpc_thread *self, kmpc_explicit_task *work);
/* Adds tasks to `ready` without waking a thread. */
void solo_kmp_push_stolen(kmpc_thread *self, void *const *tasks, int count);
void solo_kmp_push_nodes(kmpc_thread *self, kmpc_depend_node *nodes);
/* Adds a task to the list `fulfilled`, so that a thread of its team completes it. Threads: any. */
void solo_kmp_push_fulfilled(kmpc_explicit_task *work);
/* Both functions add a task to the list `on_device`, which waiting threads poll. Only
 * solo_kmp_push_on_device() notifies these threads. */
void solo_kmp_push_on_device(kmpc_thread *self, kmpc_explicit_task *work);
void solo_kmp_list_on_device(kmpc_task_team *tasks, kmpc_explicit_task *work);

/* Removes the first task that may run while the task `within` (NULL: none) is suspended. Returns
 * NULL if no such task exists. */
kmpc_explicit_task *solo_kmp_list_pop_slow(kmpc_task_team *tasks, kmpc_task_list *list,
                                           const kmpc_task *within);
SOLO_INLINE kmpc_explicit_task *solo_kmp_list_pop(kmpc_task_team *tasks, kmpc_task_list *list,
                                                  const kmpc_task *within) {
  if (!solo_load_relaxed(&list->count)) return NULL; /* relaxed: a hint */
  return solo_kmp_list_pop_slow(tasks, list, within);
}

int solo_kmp_tasks_all_done(kmpc_team *team);
const char *solo_kmp_tasks_check(kmpc_team *team);
void solo_kmp_task_team_release(kmpc_team *team);

/* Executes or completes one task that may run while the task `within` (NULL: none) is suspended.
 * Returns 0 if it finds none. */
int solo_kmp_run_one(kmpc_thread *self, const kmpc_task *within, kmpc_search search);

/* Called after a search for tasks inside a task. Wakes threads that possibly did not see a task because
 * self had removed it for a short time. */
void solo_kmp_notify_returned(kmpc_thread *self);

/* Executes tasks until is_over(what). The thread that makes the condition true notifies the team. */
void solo_kmp_help_until(kmpc_thread *self, kmpc_is_over is_over, void *what);

int solo_kmp_group_is_cancelled(const kmpc_taskgroup *group);
/* request, result: see kmpc_task_ops. */
int solo_kmp_cancel_taskgroup(kmpc_thread *self, int request);

kmpc_taskgroup *solo_kmp_taskgroup_open(kmpc_thread *self);
void solo_kmp_taskgroup_close(kmpc_thread *self);

/* The layout that compilers use. */
typedef struct kmpc_reduction_input {
  void *shared, *original;
  size_t bytes;
  void (*initialise)(void *copy, void *original);
  void (*finish)(void *copy);
  void (*combine)(void *into, void *copy);
  uint32_t flags;
} kmpc_reduction_input;
_Static_assert(sizeof(kmpc_reduction_input) == 56, "as compilers lay it out");

typedef enum kmpc_reduced {
  KMPC_REDUCED_GROUP,
  KMPC_REDUCED_PARALLEL,
  KMPC_REDUCED_WORKSHARE,
} kmpc_reduced;

void solo_kmp_reductions_add(kmpc_thread *self, kmpc_reduced reduced, int32_t count,
                             const kmpc_reduction_input *inputs);

void solo_kmp_reductions_finish(kmpc_thread *self, kmpc_taskgroup *group);

void solo_kmp_commons_drop(kmpc_team *team);

int solo_kmp_device_is_done(kmpc_explicit_task *work);

#endif
