/* The records of the host thread runtime: thread, context, team, worker team, task, ICVs.
 *
 * A *thread* is an OpenMP thread; its record is thread-local storage and lives as long as it does.
 * A *team* executes a parallel region (or is the team of one of an initial task). A team of more
 * than one thread runs on a *worker team*: its master's persistent set of workers and the words by
 * which they synchronise (team/worker_team.h). A *context* is what a thread executes now: team, number in it, current task and
 * its positions in the team's sequences of worksharing constructs; entering a region saves it, leaving
 * restores it. A *task* is the head that implicit and explicit tasks share. *ICVs* are immutable,
 * interned sets that tasks point to: inheriting is copying a pointer, setting is looking up
 * another.
 *
 * Ownership: stated per struct. Threads: a record is touched by its own thread unless a field is
 * _Atomic. Errors: kmpc has no way to return them: it warns and falls back (one thread is always
 * possible), and ends the process only where the program cannot go on (solo_kmp_fatal).
 * Internal functions are solo_kmp_*, internal types kmpc_*.
 */
#ifndef SOLO_KMPC_H
#define SOLO_KMPC_H

#include "abi/kmpc/team/eventcount.h"
#include "runtime/base/atomic.h"
#include "runtime/base/lock.h"
#include "runtime/base/platform.h"

/* What compilers pass as source location (abi-facts 6). */
typedef struct kmpc_ident {
  int32_t reserved_1;
  int32_t flags;
  int32_t reserved_2;
  int32_t source_length;
  const char *source; /* ";file;function;line;column;;" */
} kmpc_ident;
enum {
  KMPC_IDENT_ATOMIC_REDUCE = 0x10,
  KMPC_IDENT_BARRIER_EXPLICIT = 0x20,
  KMPC_IDENT_WORK_LOOP = 0x200,
  KMPC_IDENT_WORK_SECTIONS = 0x400,
  KMPC_IDENT_WORK_DISTRIBUTE = 0x800,
};

/* An outlined region; the further arguments are pointers, any number. */
typedef void (*kmpc_micro)(int32_t *gtid, int32_t *tid, ...);

typedef struct kmpc_thread kmpc_thread;
typedef struct kmpc_team kmpc_team;
typedef struct kmpc_worker_team kmpc_worker_team;
typedef struct kmpc_task kmpc_task;
typedef struct kmpc_task_team kmpc_task_team; /* task/task.h: the tasks of a team */
typedef struct kmpc_loop kmpc_loop;           /* loop.h: a thread's dynamic loop */
typedef struct kmpc_league kmpc_league;

/* --- internal control variables ----------------------------------------------------------------*/

enum { KMPC_NTHREADS_LIST = 8 };

/* A value: copied to make another. Tasks point to interned ones (icv.c), which never change and are
 * never freed. Compared as bytes: no padding. */
typedef struct kmpc_icvs {
  int32_t nthreads[KMPC_NTHREADS_LIST]; /* per nesting level from here; 0 after the last */
  int32_t proc_bind[KMPC_NTHREADS_LIST];
  int32_t nthreads_count, proc_bind_count;
  int32_t dynamic;
  int32_t max_active_levels;
  int32_t schedule, chunk; /* run-sched-var as omp_sched_t with modifier bits */
  int32_t default_device;
  int32_t thread_limit; /* of a target construct that the host runs; 0: none */
  uint64_t allocator;   /* omp_allocator_handle_t; 0: OMP_ALLOCATOR's */
} kmpc_icvs;

/* Threads that share a thread limit (OpenMP 5.2, 2.1): a program, a team of a league, a target. */
typedef struct kmpc_group {
  int32_t limit;        /* INT32_MAX: none, and used is not kept; 0: not asked for (team/group.h) */
  int32_t strict_limit; /* of what insists on its number: clauses and OMP_THREAD_LIMIT alone */
  _Atomic int32_t used; /* threads in the group, the initial one included */
} kmpc_group;

/* --- tasks -------------------------------------------------------------------------------------*/

enum {
  KMPC_TASK_EXPLICIT = 1,
  KMPC_TASK_FINAL = 2,
  /* bits from 0x100 up belong to task/task.h */
};

/* Head of every task. An implicit task's lives in its region's frame or its worker's record. */
struct kmpc_task {
  const kmpc_icvs *icvs;
  kmpc_task *parent; /* generating task; of an implicit task: the one that met the region */
  kmpc_team *team;
  uint32_t flags;
  /* what task/ keeps (task/task.h); zero in a fresh implicit task (solo_kmp_task_begin_implicit) */
  uint32_t depth;                    /* explicit tasks above it, itself included */
  kmpc_thread *_Atomic runner;       /* the thread that executes it; known once it has a child */
  uint32_t spawned, gone;            /* its deferred children: runner only */
  _Atomic int64_t remote_count;      /* its children, as other threads see them */
  struct kmpc_taskgroup *taskgroup;  /* innermost */
  struct kmpc_depend_table *depends; /* dependences among its children */
};

SOLO_INLINE void solo_kmp_task_begin_implicit(kmpc_task *task, kmpc_team *team, kmpc_task *parent,
                                              const kmpc_icvs *icvs) {
  task->icvs = icvs;
  task->parent = parent;
  task->team = team;
  task->flags = 0;
  task->depth = 0;
  solo_store_relaxed(&task->runner, NULL); /* not shared yet */
  task->spawned = 0;
  task->gone = 0;
  solo_store_relaxed(&task->remote_count, 0);
  task->taskgroup = NULL;
  task->depends = NULL;
}

/* How a thread that waits looks for work (team/wait.h). */
typedef enum kmpc_look {
  KMPC_LOOK_QUICK, /* it will look again: what another thread is busy with may be passed over */
  KMPC_LOOK_LEAVE, /* it is about to sleep: tells sleepers of tasks that only others may run */
  KMPC_LOOK_LAST,  /* it is counted as a sleeper: nothing may be passed over */
} kmpc_look;

/* What barriers and joins need of tasks. NULL until the first task of the process exists, so that
 * programs without tasks link and pay nothing. solo_kmp_tasks_begin sets it before anything sets a team's
 * task_team. A barrier releases only when all threads have arrived and all_done; threads that wait
 * call run_one. Pushing a task that others may run, and finishing one that somebody may wait for:
 * solo_kmp_notify_team. */
typedef struct kmpc_task_ops {
  int (*run_one)(kmpc_thread *self, kmpc_look look); /* one ready task of the team; 0: found none */
  int (*all_done)(kmpc_team *team);          /* no unfinished task; asked when all have arrived */
  void (*implicit_end)(kmpc_task *implicit); /* frees what depends holds; called if not NULL */
  /* cancel taskgroup (request 1) or its cancellation point (0); 1: the task must end */
  int (*cancel_taskgroup)(kmpc_thread *self, int request);
  void (*cancelled)(kmpc_team *team);    /* a cancelled region is joined */
  void (*team_end)(kmpc_team *team);     /* a team of one with task_team ends, all done */
  void (*thread_end)(kmpc_thread *self); /* task_cache may be given to another thread */
  const char *(*check)(
      kmpc_team *team); /* a team whose region is over: what is wrong; NULL: nothing */
} kmpc_task_ops;
extern const kmpc_task_ops *_Atomic solo_kmp_task_ops;

/* --- teams -------------------------------------------------------------------------------------*/

enum {
  KMPC_TEAM_LEAGUE = 1, /* initial team of one member of a league: reductions go to the league */
  KMPC_TEAM_TARGET = 2, /* initial team of a target region on the CPU */
};

/* Small, so that a team of one is cheap: multi-thread state is in the worker team. */
struct kmpc_team {
  int32_t size;
  int32_t around; /* threads of this team and of those around it, if all of these fork likewise */
  int32_t level, active_level;
  int32_t flags;
  kmpc_team *parent;             /* team of the task that met the region; NULL: initial */
  int32_t parent_tid;            /* the master's number there */
  int32_t device;                /* inside a target region: its device; else -1 */
  kmpc_worker_team *worker_team; /* NULL: one thread */
  kmpc_group *group;
  kmpc_league *league;   /* teams region around, NULL: none */
  const kmpc_icvs *icvs; /* with which its implicit tasks begin */
  int32_t proc_bind;
  _Atomic uint32_t cancel;           /* what is cancelled (team/cancellation.h) */
  kmpc_eventcount eventcount;        /* waits inside the team sleep here */
  kmpc_task_team *_Atomic task_team; /* NULL: no task yet in this region; set by task/ready.c */
};

struct kmpc_league {
  int32_t teams, team;
  int32_t thread_limit; /* clause or ICV; 0: none */
  int32_t threads;      /* of a parallel region that does not say how many */
  int32_t width;        /* threads that run the league; 1: one team after the other */
  int32_t shared;       /* reductions inside the teams' parallel regions go to the league, too */
};

/* What a thread executes. Saved on entry to a region, restored at its end. */
typedef struct kmpc_context {
  kmpc_team *team;
  kmpc_task *task; /* current task (implicit or explicit) */
  kmpc_loop *loop; /* storage for the thread's dynamic loop in this team */
  int32_t tid;
  uint32_t singles;    /* single constructs met in this region */
  uint32_t loops;      /* dynamic loops met in this region */
  uint32_t crosses;    /* doacross loops met in this region */
  uint32_t reductions; /* tree reductions met in this region */
  uint32_t works;      /* loops and sections of all kinds met in this region */
  int16_t in_slot;     /* inside a dynamic loop that it has not left yet (loop->slot) */
  int16_t crossing;    /* inside a doacross loop */
  int32_t size;        /* the team's, as the thread entered it: idle workers may not look there */
  int32_t around;      /* likewise */
} kmpc_context;

/* Consecutive places of the list (place-partition-var); count 0: all of them. */
typedef struct kmpc_partition {
  int32_t first, count;
} kmpc_partition;

/* num_threads(strict: threads) severity(...) message(...) */
typedef struct kmpc_strict {
  int32_t threads; /* 0: not said */
  int32_t severity;
  const char *message; /* NULL: none */
} kmpc_strict;
enum { KMPC_SEVERITY_WARNING = 1, KMPC_SEVERITY_FATAL = 2 };

enum { KMPC_NOT_SHOWN = 1 };

struct kmpc_thread {
  kmpc_context context; /* context.team NULL: record not yet in use */
  int32_t gtid;
  uint32_t shown; /* how it stood when its affinity was displayed; KMPC_NOT_SHOWN: it is not */
  /* clauses that a push call announced for the next region */
  int32_t push_threads, push_bind, push_teams, push_thread_limit;
  kmpc_strict push_strict;
  kmpc_worker_team
      *worker_team; /* the worker team that this thread leads when it forks; NULL: none yet */
  struct kmpc_worker *worker;      /* of pool threads; NULL: a thread of the program's */
  struct kmpc_serial *serial_free; /* frames of serialized regions kept for reuse */
  struct kmpc_serial *serial_used; /* those in use, innermost first */
  void *task_cache;                /* task/memory.h: free lists of this thread */
  struct kmpc_held *held_tasks;    /* task/held.h: while it runs what it took from another thread */
  void *copyprivate;
  int32_t reduce_method;    /* between reduce and end_reduce */
  int32_t place;            /* where it is bound; -1: nowhere */
  kmpc_partition partition; /* of its implicit task */
  uint32_t place_version;   /* its worker record's, when it last took its place over from there */
  _Atomic int32_t cpu;      /* processor + 1 at its last long wait; 0: not known */
};

extern _Thread_local kmpc_thread solo_kmp_thread_record;

/* --- across files ------------------------------------------------------------------------------*/

/* Barrier of self's team: helps with tasks, releases when all arrived and all tasks are done; ends
 * early when the region is cancelled. */
void solo_kmp_barrier(kmpc_thread *self);
/* barrier.c: waits for the tasks of a team of one, whose record may then serve another. */
void solo_kmp_finish_tasks(kmpc_thread *self) SOLO_COLD;

/* Calls micro(gtid, tid, args[0], ..., args[count - 1]). */
void solo_kmp_invoke(kmpc_micro micro, int32_t *gtid, int32_t *tid, int32_t count, void **args);

/* How many threads the worker team's task structures must provide for: numbers 0 .. capacity - 1. */
int32_t solo_kmp_team_capacity(const kmpc_team *team);

/* worker_pool.c: the thread holds something (worker team, frames, tasks' memory) that goes back when it ends. */
void solo_kmp_watch_end(kmpc_thread *self);

/* Wakes the threads that sleep in the team, or (count 1) one of them at least. */
void solo_kmp_wake_team(kmpc_team *team, int count) SOLO_COLD;
/* solo_kmp_notify for the threads that wait inside the team, wherever they sleep: for what concerns all, as tasks do.
 * The region is not over. */
SOLO_INLINE void solo_kmp_notify_team(kmpc_team *team) {
  if (SOLO_UNLIKELY(solo_load_seq_cst(
          &team->eventcount.sleepers))) /* pairs with solo_kmp_eventcount_prepare */
    solo_kmp_wake_team(team, INT32_MAX);
}
/* The same after stores of any order. */
SOLO_INLINE void solo_kmp_publish_and_notify_team(kmpc_team *team) {
  solo_fence_seq_cst(); /* pairs with solo_kmp_eventcount_prepare */
  solo_kmp_notify_team(team);
}

/* Wakes the worker team's workers that wait for the next region; called inside a region. */
void solo_kmp_wake_worker_team(kmpc_team *team);

/* Storage that task/ready.c keeps with a worker team between regions (deques); one block of the heap, freed with
 * the worker team. NULL for teams of one. */
void **solo_kmp_task_storage(kmpc_team *team);

void solo_kmp_fatal(const char *format, ...) SOLO_PRINTF(1, 2) SOLO_COLD __attribute__((noreturn));
void solo_kmp_warn(const char *format, ...) SOLO_PRINTF(1, 2) SOLO_COLD;
void solo_kmp_set_warnings(int on);
void solo_kmp_line(const char *text); /* one line on standard error */

#endif
