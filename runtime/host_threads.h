/* Tables through which the core and the host threads call each other. In static programs abi/kmpc
 * defines the tables; in programs with libomp their addresses are NULL. tests/lint/upward.list has
 * the core's other references to abi/kmpc. */
#ifndef SOLO_THREADS_H
#define SOLO_THREADS_H

#include "runtime/base/platform.h"

typedef struct solo_target_frame {
  SOLO_ALIGNED(64) unsigned char storage[512];
} solo_target_frame;

/* flang's kernels call `enter` once per team (abi/kmpc/fortran/device_region.c). */
struct solo_launch_record;
typedef struct solo_target_call {
  void (*enter)(const struct solo_target_call *call);
  const void *code;
  const struct solo_launch_record *launch;
} solo_target_call;

/* A target region is a new initial task (OpenMP 5.2, 13.8): levels are 0, ICVs have initial values.
 * Workers of nested teams inherit this state. The caller passes an uninitialised frame to
 * enter_target, and the same frame to leave_target. Calls nest on one thread and allocate nothing. */
typedef struct solo_host_threads_seam {
  /* device: global number */
  void (*enter_target)(solo_target_frame *frame, int device, const solo_target_call *call);
  void (*leave_target)(solo_target_frame *frame);
  int (*device)(void);
} solo_host_threads_seam;
SOLO_EXPORT extern const solo_host_threads_seam solo_host_threads SOLO_WEAK;

/* Detects a libomp that is loaded into a process with solo's host threads
 * (team/second_runtime.c). */
typedef struct solo_second_runtime_seam {
  void (*reject_at_start)(void);
  void (*warn_once)(void);
} solo_second_runtime_seam;
SOLO_EXPORT extern const solo_second_runtime_seam solo_second_runtime SOLO_WEAK;

/* Functions for target tasks (nowait) that enqueue work on a device (docs/design/constructs.md;
 * tests/kmpc/task_target.c). Outside of a target task they have no effect and return 0. */
enum { SOLO_TASK_QUEUES = 4 }; /* maximum of queues() */
typedef struct solo_host_tasks_seam {
  /* Returns the location of the current target task's handle, or NULL. Waiting threads call
   * query(&handle); each call passes the same query. The task completes when query sets the handle
   * to NULL. */
  void **(*handle_slot)(void (*query)(void **handle));
  /* Declares that all work of the task is in this in-order queue. Dependent target tasks of the
   * device may start before the work completes. */
  void (*queued_on)(void *queue);
  /* Writes at most capacity queues that the task's work must follow. Returns their number. */
  int32_t (*queues)(void **out_queues, int32_t capacity);
} solo_host_tasks_seam;
SOLO_EXPORT extern const solo_host_tasks_seam solo_host_tasks SOLO_WEAK;

/* Context of the calling thread in programs without solo_host_threads. Threads of parallel regions
 * inside the target region inherit it (backends/host/host_libomp.h). */
typedef struct solo_target_context {
  int device;              /* -1: not inside a target region */
  int level, active_level; /* levels of libomp outside the target region; queries subtract them */
  /* number of the team, size of the league (team/league_libomp.c); teams 0: no league */
  int32_t team, teams;
  /* number of enclosing parallel regions that run as plain calls (is_alone) */
  int32_t alone;
  uint8_t is_alone; /* parallel regions run as plain calls on this thread */
  /* is_plain: the innermost parallel region encloses the target region */
  uint8_t is_plain, is_serialized, /* host_orphans.c has started a serialized parallel region */
      unused; /* makes the size a multiple of 16, so that three moves save the context */
  /* clauses of the next league (__kmpc_push_num_teams) */
  int32_t announced_teams, announced_limit;
  int32_t
      /* in a league: libomp's thread number plus 1; 0: unknown */
      libomp_thread;
  const solo_target_call *call;
} solo_target_context;
/* musl provides 112 bytes for thread-local variables without mmap(2). A larger context would cost
 * each program a system call at its start. */
_Static_assert(sizeof(solo_target_context) <= 48, "short programs make no system call");
extern SOLO_HIDDEN _Thread_local solo_target_context solo_target_current;

SOLO_INLINE void solo_target_enter_alone(void) {
  solo_target_current.alone++;
  solo_target_current.level--;
}

SOLO_INLINE void solo_target_leave_alone(void) {
  solo_target_current.level++;
  solo_target_current.alone--;
}

#endif
