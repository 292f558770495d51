/* The records of the host thread runtime. Design: docs/design/host-threads.md.
 *
 * Members of kmpc_thread that are not _Atomic are private to that thread. After an error the runtime
 * warns and continues, if necessary with one thread; solo_kmp_fatal() ends the process. */
#ifndef SOLO_KMPC_H
#define SOLO_KMPC_H

#include "abi/kmpc/team/eventcount.h"
#include "runtime/base/atomic.h"
#include "runtime/base/lock.h"
#include "runtime/base/platform.h"

/* The source location that compilers pass to each entry point (abi-facts 6). */
typedef struct kmpc_ident {
  int32_t reserved_1;
  int32_t flags;
  int32_t reserved_2;
  int32_t source_length;
  const char *source;
} kmpc_ident;
enum {
  KMPC_IDENT_ATOMIC_REDUCE = 0x10,
  KMPC_IDENT_BARRIER_EXPLICIT = 0x20,
  KMPC_IDENT_WORK_LOOP = 0x200,
  KMPC_IDENT_WORK_SECTIONS = 0x400,
  KMPC_IDENT_WORK_DISTRIBUTE = 0x800,
};

typedef void (*kmpc_micro)(int32_t *gtid, int32_t *tid, ...);

typedef struct kmpc_thread kmpc_thread;
typedef struct kmpc_team kmpc_team;
typedef struct kmpc_worker_team kmpc_worker_team;
typedef struct kmpc_task kmpc_task;
typedef struct kmpc_task_team kmpc_task_team;
typedef struct kmpc_loop kmpc_loop;
typedef struct kmpc_league kmpc_league;

enum { KMPC_NTHREADS_LIST = 8 };

/* A set of ICVs. Tasks point to interned sets (env/icv.c), which are immutable and never freed.
 * Sets are compared as bytes, so they have no padding. */
typedef struct kmpc_icvs {
  int32_t nthreads[KMPC_NTHREADS_LIST]; /* per nesting level; 0 after the last */
  int32_t proc_bind[KMPC_NTHREADS_LIST];
  int32_t nthreads_count;
  int16_t proc_bind_count, default_device_is_set; /* 1: omp_set_default_device() was called */
  int32_t dynamic;
  int32_t max_active_levels;
  int32_t schedule, chunk;
  int32_t default_device;
  int32_t thread_limit; /* thread_limit of a target construct that the host executes; 0: none */
  uint64_t allocator;   /* omp_allocator_handle_t; 0: the value of OMP_ALLOCATOR */
} kmpc_icvs;

/* A contention group (OpenMP 5.2, 2.1): the threads that share a thread limit. */
typedef struct kmpc_group {
  /* INT32_MAX: no limit, and `used` is not updated; 0: not yet computed (team/group.h) */
  int32_t limit;
  /* limit of num_threads(strict: ...): as `limit`, but can exceed the number of processors */
  int32_t strict_limit;
  _Atomic int32_t used;
} kmpc_group;

enum {
  KMPC_TASK_EXPLICIT = 1,
  KMPC_TASK_FINAL = 2,
  /* task/task.h defines the bits from 0x100 */
};

struct kmpc_task {
  const kmpc_icvs *icvs;
  /* generating task; for an implicit task, the task that encountered the region */
  kmpc_task *parent;
  kmpc_team *team;
  uint32_t flags;
  /* only task/ uses the following members; in a new implicit task they are 0 */
  uint32_t depth; /* nesting depth of explicit tasks, including this one; 0: implicit task */
  /* thread that executes the task; set before the first child is created */
  kmpc_thread *_Atomic runner;
  /* spawned: number of created deferred children; ended: number of ended children that the runner
   * counted. Only the runner accesses both. */
  uint32_t spawned, ended;
  /* number of ended children that other threads counted, plus 2^32 per lingering child (life.c) */
  _Atomic int64_t remote_count;
  struct kmpc_taskgroup *taskgroup;
  struct kmpc_depend_table *depends;
};

SOLO_INLINE void solo_kmp_task_begin_implicit(kmpc_task *task, kmpc_team *team, kmpc_task *parent,
                                              const kmpc_icvs *icvs) {
  task->icvs = icvs;
  task->parent = parent;
  task->team = team;
  task->flags = 0;
  task->depth = 0;
  /* The release store that publishes the region orders these relaxed stores. */
  solo_store_relaxed(&task->runner, NULL);
  task->spawned = 0;
  task->ended = 0;
  solo_store_relaxed(&task->remote_count, 0);
  task->taskgroup = NULL;
  task->depends = NULL;
}

/* How far a waiting thread searches for work (team/wait.h). */
typedef enum kmpc_search {
  /* the search may skip a locked deque, because the waiting thread repeats the search */
  KMPC_SEARCH_QUICK,
  /* no search: the thread is about to sleep and wakes others that can execute tasks of its deque */
  KMPC_SEARCH_BEFORE_SLEEP,
  /* the thread has counted itself as a sleeper; the search waits for the locks of deques */
  KMPC_SEARCH_LAST,
} kmpc_search;

/* The operations of task/ for barriers and joins. solo_kmp_task_ops is NULL until the process creates
 * its first task, so that programs without tasks do not link task/.
 * Invariant: solo_kmp_task_ops is set before the task_team of any team.
 * Ordering:  each acquire load of solo_kmp_task_ops pairs with solo_kmp_tasks_begin.
 * Otherwise: a thread that sees a task_team could call a null pointer.
 */
typedef struct kmpc_task_ops {
  /* executes one ready task of the team; returns 0 if there is none */
  int (*run_one)(kmpc_thread *self, kmpc_search look);
  /* returns 1 if the team has no unfinished task; called after all threads have arrived */
  int (*all_done)(kmpc_team *team);
  void (*implicit_end)(kmpc_task *implicit);
  /* request 1: cancels the taskgroup; 0: only tests; returns 1 if the calling task must end */
  int (*cancel_taskgroup)(kmpc_thread *self, int request);
  /* called after the join of a cancelled region: frees the shared copies of task reductions */
  void (*cancelled)(kmpc_team *team);
  /* called at the end of a team of one, after all its tasks: releases its task_team */
  void (*team_end)(kmpc_team *team);
  void (*thread_end)(kmpc_thread *self);
  const char *(*check)(kmpc_team *team); /* checks a joined team; returns NULL or an error text */
} kmpc_task_ops;
extern const kmpc_task_ops *_Atomic solo_kmp_task_ops;

enum {
  KMPC_TEAM_LEAGUE = 1, /* one of the initial teams of a league */
  KMPC_TEAM_TARGET = 2, /* initial team of a target region on the CPU */
};

/* The state of a team of one. Teams of several threads also have a worker team. */
struct kmpc_team {
  int32_t size;
  /* product of the sizes of this team and all enclosing teams */
  int32_t around;
  int32_t level, active_level;
  int32_t flags;
  kmpc_team *parent;             /* team of the encountering task; NULL: initial team */
  int32_t parent_tid;            /* number of the primary thread in `parent` */
  int32_t device;                /* device of the target region; -1: host */
  kmpc_worker_team *worker_team; /* NULL: team of one */
  kmpc_group *group;
  kmpc_league *league;
  const kmpc_icvs *icvs;
  int32_t proc_bind;
  _Atomic uint32_t cancel;           /* cancelled constructs (team/cancellation.h) */
  kmpc_eventcount eventcount;        /* threads that wait inside the team sleep here */
  kmpc_task_team *_Atomic task_team; /* NULL: no task was created; set by task/ready.c */
};

struct kmpc_league {
  int32_t teams, team;
  int32_t thread_limit; /* clause or ICV; 0: none */
  int32_t threads;
  int32_t width; /* number of threads that execute the league; 1: the calling thread only */
  /* 1: reductions in parallel regions combine the values of all teams of the league (flang) */
  int32_t shared;
};

/* What a thread executes. Saved on entry to a region, restored at its end. */
typedef struct kmpc_context {
  kmpc_team *team;
  kmpc_task *task;
  kmpc_loop *loop;
  int32_t tid;
  uint32_t singles;    /* single constructs encountered in this region */
  uint32_t loops;      /* dynamic loops */
  uint32_t crosses;    /* doacross loops */
  uint32_t reductions; /* tree reductions */
  uint32_t works;      /* loops and sections of all kinds */
  int16_t in_slot;     /* 1: inside a dynamic loop with a slot (loop->slot) */
  int16_t crossing;
  /* copies of team->size and team->around, because an idle worker must not read the team record */
  int32_t size;
  int32_t around;
} kmpc_context;

/* Consecutive places (place-partition-var); count 0: all places. */
typedef struct kmpc_partition {
  int32_t first, count;
} kmpc_partition;

/* Arguments of num_threads(strict: threads) severity(...) message(...). */
typedef struct kmpc_strict {
  int32_t threads; /* 0: no strict clause */
  int32_t severity;
  const char *message;
} kmpc_strict;
enum { KMPC_SEVERITY_WARNING = 1, KMPC_SEVERITY_FATAL = 2 };

enum { KMPC_NOT_SHOWN = 1 };

struct kmpc_thread {
  kmpc_context context; /* context.team NULL: record not in use */
  int32_t gtid;
  uint32_t shown; /* hash of the last displayed affinity; KMPC_NOT_SHOWN: not displayed */
  /* clauses of the next region, which the __kmpc_push functions have stored */
  int32_t push_threads, push_bind, push_teams, push_thread_limit;
  kmpc_strict push_strict;
  kmpc_worker_team *worker_team; /* for the next region that this thread forks; NULL: none */
  struct kmpc_worker *worker;
  struct kmpc_serial *serial_free;
  struct kmpc_serial *serial_used;
  void *task_cache;             /* task/memory.h: free lists */
  struct kmpc_held *held_tasks; /* task/held.h: tasks stolen from another thread */
  void *copyprivate;
  int32_t reduce_method; /* valid between __kmpc_reduce and __kmpc_end_reduce */
  int32_t place;         /* -1: not bound */
  kmpc_partition partition;
  uint32_t place_version; /* worker->place_version when the thread last applied its place */
  _Atomic int32_t cpu;    /* processor + 1 during the last long wait; 0: unknown */
};

extern _Thread_local kmpc_thread solo_kmp_thread_record;

/* Executes a barrier of the team of `self`. Runs tasks during the wait. Returns when all threads
 * have arrived and all tasks are done, or when the region is cancelled. */
void solo_kmp_barrier(kmpc_thread *self);
/* Waits for the tasks of a team of one. Then the caller may reuse the team's record. */
void solo_kmp_finish_tasks(kmpc_thread *self) SOLO_COLD;

void solo_kmp_invoke(kmpc_micro micro, int32_t *gtid, int32_t *tid, int32_t count, void **args);

int32_t solo_kmp_team_capacity(const kmpc_team *team);

/* Registers the destructor that releases the thread's worker teams, frames and task memory. */
void solo_kmp_register_thread_end(kmpc_thread *self);

/* Wakes threads that sleep in the team: at least one if `count` is 1, otherwise all. */
void solo_kmp_wake_team(kmpc_team *team, int count) SOLO_COLD;
/* Wakes all threads that sleep inside the team. The caller has changed their condition with a seq_cst
 * operation. The region must not have ended. */
SOLO_INLINE void solo_kmp_notify_team(kmpc_team *team) {
  if (SOLO_UNLIKELY(solo_load_seq_cst(
          &team->eventcount.sleepers))) /* pairs with solo_kmp_eventcount_prepare */
    solo_kmp_wake_team(team, INT32_MAX);
}
/* As solo_kmp_notify_team(), after changes by stores of any memory order. */
SOLO_INLINE void solo_kmp_publish_and_notify_team(kmpc_team *team) {
  solo_fence_seq_cst(); /* pairs with solo_kmp_eventcount_prepare */
  solo_kmp_notify_team(team);
}

/* Wakes workers that wait for the next region, so that they execute tasks of the current region. */
void solo_kmp_wake_worker_team(kmpc_team *team);

/* Returns the location of the worker team's pointer to its task team (task/ready.c). NULL: team
 * of one. */
void **solo_kmp_task_storage(kmpc_team *team);

void solo_kmp_fatal(const char *format, ...) SOLO_PRINTF(1, 2) SOLO_COLD __attribute__((noreturn));
void solo_kmp_warn(const char *format, ...) SOLO_PRINTF(1, 2) SOLO_COLD;
void solo_kmp_set_warnings(int on);
void solo_kmp_line(const char *text);

#endif
