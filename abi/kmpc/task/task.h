/* Explicit tasks: their record, and what the files of task/ share.
 *
 * A deferred task is *counted* three ways until it is complete: in its generating task (taskwait),
 * in its taskgroup, and in the counters of its team (barriers). Each count is split so that the
 * common case, a task that is run by the thread that generated it, needs no atomic operation:
 *
 *   generating task   spawned, gone: by its runner alone.  remote_count: children | lingering << 32,
 *                     by other threads. children unfinished = spawned - gone - both parts.
 *   taskgroup         local_count: by the thread that opened it.  remote_count: by others. Sum 0: over.
 *   team              each thread's slot: created, done, by that thread alone. Equal sums: over.
 *
 * Memory. A task's record stays until it is complete and the records of its children are gone, so
 * that the way up from a task to its ancestors can always be walked. A child that is complete but
 * not gone is *lingering*. When its body ends a task with living children becomes *retired*: what
 * is left to come is taken off remote_count, which brings it below zero, and who brings it back to
 * zero frees the record.
 *
 *   ALLOCATED --submit--> WAITING (dependences) --> READY (deque, list) --> RUNNING --body ends-->
 *     nothing pending:  complete --children gone--> freed
 *                               \--else----------> lingering --last child gone--> freed
 *     event or device pending:  retired, then complete as above (by whoever sees the end of it)
 *
 * Ownership: a record belongs to the runtime; the object in it is the compiler's. Threads: as said
 * per field. Errors: out of memory ends the process. Held by tests/kmpc/task_*.c.
 */
#ifndef SOLO_KMPC_TASK_H
#define SOLO_KMPC_TASK_H

#include "abi/kmpc/env/icv.h"
#include "abi/kmpc/task/depend_table.h"
#include "abi/kmpc/task/deque.h"
#include "abi/kmpc/team/wait.h"
#include "runtime/base/assert.h"

/* What compilers see of a task (abi-facts 4.5); privates follow, then shareds. */
typedef struct kmpc_task_entry {
  void *shareds;
  int32_t (*routine)(int32_t gtid, struct kmpc_task_entry *object);
  int32_t part; /* untied tasks: where to go on */
  int32_t unused_1;
  int32_t (*destructors)(int32_t gtid, struct kmpc_task_entry *object);
  int32_t priority;
  int32_t unused_2;
} kmpc_task_entry;

/* Flags of __kmpc_omp_task_alloc. */
enum {
  KMPC_ALLOC_TIED = 1,
  KMPC_ALLOC_FINAL = 2,
  KMPC_ALLOC_DESTRUCTORS = 8,
  KMPC_ALLOC_PROXY = 16,
  KMPC_ALLOC_PRIORITY = 32,
  KMPC_ALLOC_DETACHABLE = 64,
};

/* Flags of a task above those of kmpc.h; written by its runner, or before it is shared. */
enum {
  KMPC_TASK_COUNTED = 0x100,     /* in all three counts */
  KMPC_TASK_CHILD = 0x200,       /* its parent counts it as a child that is not gone */
  KMPC_TASK_AGAIN = 0x400,       /* untied: the body wants to be called again */
  KMPC_TASK_DESTRUCTORS = 0x800, /* object.destructors after the body */
  KMPC_TASK_DETACHABLE = 0x1000, /* complete only when its event is fulfilled too */
  KMPC_TASK_TARGET = 0x2000,     /* target task: may leave a device handle behind */
  KMPC_TASK_PRIORITY = 0x4000,
  KMPC_TASK_ABANDONED = 0x8000, /* cancelled, but its event may still be fulfilled: never freed */
};

/* Bits of kmpc_explicit_task.event; who sets the second one completes the task. */
enum { KMPC_EVENT_FULFILLED = 1, KMPC_EVENT_BODY_ENDED = 2 };

typedef struct kmpc_explicit_task {
  kmpc_task head;
  kmpc_depend_node *node; /* NULL: no depend clause, or it did not matter */
  union {
    struct kmpc_explicit_task *next; /* in a list of the team; NULL outside */
    void *device_queue; /* while the body runs: the in-order queue that its work is on */
  };
  void *device_handle; /* target task: not NULL while the device is at work */
  _Atomic uint32_t event;
  uint32_t object_bytes, shareds_bytes;
  int32_t device; /* target task: the device that the construct names */
  kmpc_task_entry object;
} kmpc_explicit_task;

_Static_assert(offsetof(kmpc_explicit_task, object) == 112 && sizeof(kmpc_task_entry) == 40,
               "with the 16 bytes before it the object is aligned to 64 bytes");

typedef struct kmpc_taskgroup {
  struct kmpc_taskgroup *outer;
  kmpc_thread *owner;
  int64_t local_count;
  _Atomic int32_t cancelled;
  struct kmpc_reductions *reductions; /* newest first (task/reduction.c) */
  uint64_t unused[3];
  _Atomic int64_t remote_count; /* on another line than what the owner changes with each task */
} kmpc_taskgroup;

/* Per thread of a team. */
typedef struct kmpc_task_slot {
  kmpc_deque deque;
  /* of counted tasks; those who wait for their end read them all again and again */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t created, done;
  /* the owner's; it writes some at each look */
  SOLO_ALIGNED(SOLO_CACHE_LINE) uint32_t victim; /* where the last theft succeeded */
  uint32_t unannounced; /* tasks done since waiting threads were notified */
  uint32_t tick;        /* looks for work, to ask devices now and then */
  /* task/call.h */
  uint32_t callee;              /* whom to call next */
  int32_t called;               /* number + 1 of the thread that was called last; 0: nobody */
  uint32_t waited, quiet;       /* pushes */
  int32_t must_look;            /* has slept: looks at all deques */
  _Atomic int32_t waits_within; /* waits amid a task, and may run only what descends from that */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint32_t bell;
} kmpc_task_slot;

typedef struct kmpc_task_list {
  _Atomic int32_t count;
  kmpc_explicit_task *first, *last;
} kmpc_task_list;

/* Per team with deferred tasks; kept between regions. */
struct kmpc_task_team {
  int32_t capacity;
  int32_t has_calls;             /* the team is large: task/call.h */
  kmpc_task_team *next_free;     /* while no team of one uses it */
  solo_lock lock;                /* guards the rest; lists' counts are hints outside it */
  kmpc_task_list ready;          /* by priority; and what found no place in a deque */
  kmpc_task_list fulfilled;      /* body and event are through: to be completed */
  kmpc_task_list on_device;      /* to be asked about, the oldest first */
  struct kmpc_common *common[2]; /* reduction(task, ...) of parallel, of worksharing */
  kmpc_task_slot slot[];
};

SOLO_INLINE kmpc_explicit_task *solo_kmp_task_of(kmpc_task_entry *object) {
  return (kmpc_explicit_task *)(void *)((char *)object - offsetof(kmpc_explicit_task, object));
}

/* task/run.c: the thread meets its first task. Called where a task, a taskgroup or somebody else's task comes to a
 * thread, so that everything behind has a cache. */
void solo_kmp_tasks_begin(kmpc_thread *self) SOLO_COLD;
SOLO_INLINE void solo_kmp_meet_tasks(kmpc_thread *self) {
  if (SOLO_UNLIKELY(!self->task_cache)) solo_kmp_tasks_begin(self);
}
SOLO_INLINE kmpc_cache *solo_kmp_cache(kmpc_thread *self) {
  SOLO_ASSERT(self->task_cache, "a thread has a task before it met one");
  return self->task_cache;
}

SOLO_INLINE int solo_kmp_is_included(const kmpc_thread *self, const kmpc_explicit_task *work) {
  return (work->head.parent->flags & KMPC_TASK_FINAL) != 0 || self->context.team->size == 1;
}

/* Children that are neither complete nor gone. By the task's runner. */
SOLO_INLINE int32_t solo_kmp_children(kmpc_task *task) {
  int64_t remote_count = solo_load_acquire(&task->remote_count); /* pairs with gone in life.c */
  int32_t left = (int32_t)remote_count;
  int32_t lingering = (int32_t)((remote_count - left) >> 32);
  return (int32_t)(task->spawned - task->gone) - left - lingering;
}

/* Is the task among the descendants of the ancestor? */
SOLO_INLINE int solo_kmp_descends(const void *item, const void *ancestor) {
  const kmpc_task *at = ((const kmpc_explicit_task *)item)->head.parent, *wanted = ancestor;
  while (at != wanted) {
    if (at->depth <= wanted->depth) return 0;
    at = at->parent;
  }
  return 1;
}

/* --- life.c: life of a task --------------------------------------------------------------------*/

typedef struct kmpc_task_layout {
  size_t object_bytes, shareds_bytes;
  uint32_t alloc_flags;
  int32_t (*routine)(int32_t gtid, kmpc_task_entry *object);
} kmpc_task_layout;

kmpc_explicit_task *solo_kmp_task_make(kmpc_thread *self, const kmpc_task_layout *layout);

/* Runs the task now or hands it to the team; lists: its depend clauses, NULL: none. */
void solo_kmp_submit(kmpc_thread *self, kmpc_explicit_task *work, const kmpc_depend_list lists[2]);

/* Runs a ready task here and completes it, unless its event or a device is still out. */
void solo_kmp_execute(kmpc_thread *self, kmpc_explicit_task *work, const kmpc_depend_list lists[2]);

/* The second half of it, for bodies that the compiler called itself (if(0)). */
void solo_kmp_body_ended(kmpc_thread *self, kmpc_explicit_task *work,
                         const kmpc_depend_list lists[2]);

/* Completes a task whose body ended before (event fulfilled, device ready). */
void solo_kmp_complete_late(kmpc_thread *self, kmpc_explicit_task *work);

/* A second task like the first, privates copied as they lie. */
kmpc_explicit_task *solo_kmp_task_copy(kmpc_thread *self, const kmpc_explicit_task *model);

/* Gives back a task that is never to run. */
void solo_kmp_discard(kmpc_thread *self, kmpc_explicit_task *work);

/* --- ready.c: the tasks of a team that do not run ----------------------------------------------*/

/* The team's record and self's slot in it, made when missing. */
kmpc_task_team *solo_kmp_task_team_make(kmpc_thread *self) SOLO_COLD;
SOLO_INLINE kmpc_task_team *solo_kmp_task_team(kmpc_thread *self) {
  kmpc_task_team *tasks =
      solo_load_acquire(&self->context.team->task_team); /* pairs with solo_kmp_task_team_make */
  return SOLO_LIKELY(tasks != NULL) ? tasks : solo_kmp_task_team_make(self);
}
SOLO_INLINE kmpc_task_slot *solo_kmp_task_slot(kmpc_thread *self) {
  return &solo_kmp_task_team(self)->slot[self->context.tid];
}

/* 0: the deque is full and nothing was done. */
int solo_kmp_push(kmpc_thread *self, kmpc_explicit_task *work);
/* Never refuses. */
void solo_kmp_push_always(kmpc_thread *self, kmpc_explicit_task *work);
/* Ready ones that solo_kmp_depend_done or _unlock returned. */
void solo_kmp_push_nodes(kmpc_thread *self, kmpc_depend_node *nodes);
/* Some thread of the team is to complete the task; called by any thread, the team's or not. */
void solo_kmp_push_fulfilled(kmpc_explicit_task *work);
/* The team's threads ask the device until it is through. */
void solo_kmp_push_on_device(kmpc_thread *self, kmpc_explicit_task *work);
/* The same, by who just asked. */
void solo_kmp_list_on_device(kmpc_task_team *tasks, kmpc_explicit_task *work);

/* The first of the list that may run within (NULL: any), taken out. */
kmpc_explicit_task *solo_kmp_list_take_slow(kmpc_task_team *tasks, kmpc_task_list *list,
                                            const kmpc_task *within);
SOLO_INLINE kmpc_explicit_task *solo_kmp_list_take(kmpc_task_team *tasks, kmpc_task_list *list,
                                                   const kmpc_task *within) {
  if (!solo_load_relaxed(&list->count)) return NULL; /* a hint; the lock decides */
  return solo_kmp_list_take_slow(tasks, list, within);
}

/* Is none of the team's tasks unfinished? */
int solo_kmp_tasks_all_done(kmpc_team *team);
/* For SOLO_ASSERT_SOUND, of a team whose region is over: nobody else has the record. */
const char *solo_kmp_tasks_check(kmpc_team *team);
/* A team of one ends: its record may serve another. */
void solo_kmp_task_team_release(kmpc_team *team);

/* --- run.c: who waits looks for a task ---------------------------------------------------------*/

/* Runs one task that may run while within (NULL: self is in a barrier) is suspended, or completes
 * one; 0: found nothing to do. */
int solo_kmp_run_one(kmpc_thread *self, const kmpc_task *within, kmpc_look look);

/* Helps until is_over(what), within self's current task. What makes it true must notify the team's
 * event. */
void solo_kmp_help_until(kmpc_thread *self, kmpc_is_over is_over, void *what);

/* --- others ------------------------------------------------------------------------------------*/

/* task/cancel.c */
int solo_kmp_group_is_cancelled(const kmpc_taskgroup *group);
/* request 1: cancel; 0: is it cancelled? Returns 1: leave the task. */
int solo_kmp_cancel_taskgroup(kmpc_thread *self, int request);

/* task/group.c */
kmpc_taskgroup *solo_kmp_taskgroup_open(kmpc_thread *self);
void solo_kmp_taskgroup_close(kmpc_thread *self);

/* As compilers describe a variable (abi-facts 4.5). */
typedef struct kmpc_reduction_input {
  void *shared, *original;
  size_t bytes;
  void (*initialise)(void *copy, void *original); /* NULL: zero */
  void (*finish)(void *copy);                     /* NULL: nothing */
  void (*combine)(void *into, void *copy);
  uint32_t flags; /* 1: copies as late as possible; ours always are */
} kmpc_reduction_input;
_Static_assert(sizeof(kmpc_reduction_input) == 56, "as compilers lay it out");

/* Whose copies the variables have: their taskgroup's, or the team's in a parallel region or worksharing construct. */
typedef enum kmpc_reduced {
  KMPC_REDUCED_GROUP,
  KMPC_REDUCED_PARALLEL,
  KMPC_REDUCED_WORKSHARE,
} kmpc_reduced;

/* task/reduction.c: the innermost taskgroup reduces the variables. */
void solo_kmp_reductions_add(kmpc_thread *self, kmpc_reduced reduced, int32_t count,
                             const kmpc_reduction_input *inputs);

/* task/reduction.c: combines and frees what the group's reductions hold. */
void solo_kmp_reductions_finish(kmpc_thread *self, kmpc_taskgroup *group);

/* task/reduction.c: frees what threads that left a cancelled region have not combined. */
void solo_kmp_commons_drop(kmpc_team *team);

/* task/device.c: is the device through with the task? */
int solo_kmp_device_is_done(kmpc_explicit_task *work);

#endif
