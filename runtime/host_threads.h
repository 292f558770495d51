/* Tables through which core and host threads call each other. abi/kmpc defines them in static
 * programs; with libomp the addresses are NULL. tests/lint/upward.list has other references to
 * abi/kmpc. Frames are uninitialised; enter and leave nest on one thread and allocate nothing. */
#ifndef SOLO_THREADS_H
#define SOLO_THREADS_H

#include "runtime/base/platform.h"

typedef struct solo_target_frame {
  SOLO_ALIGNED(64) unsigned char storage[512];
} solo_target_frame;

/* A launched kernel. flang's kernels call enter once per team (abi/kmpc/fortran/device_region.c). */
struct solo_launch_record;
typedef struct solo_target_call {
  void (*enter)(const struct solo_target_call *call);
  const void *code;
  const struct solo_launch_record *launch;
} solo_target_call;

/* A target region is a new initial task (OpenMP 5.2, 13.8): levels are 0, ICVs have initial values.
 * Workers of nested teams inherit it. */
typedef struct solo_host_threads_seam {
  /* device: global number */
  void (*enter_target)(solo_target_frame *frame, int device, const solo_target_call *call);
  void (*leave_target)(solo_target_frame *frame);
  /* -1: not inside a target region */
  int (*device)(void);
} solo_host_threads_seam;
SOLO_EXPORT extern const solo_host_threads_seam solo_host_threads SOLO_WEAK;

/* Detects libomp in dynamic programs (abi/kmpc/team/second_runtime.c). */
typedef struct solo_second_runtime_seam {
  void (*reject_at_start)(void);
  void (*warn_once)(void);
} solo_second_runtime_seam;
SOLO_EXPORT extern const solo_second_runtime_seam solo_second_runtime SOLO_WEAK;

/* Target tasks (nowait) that leave work on a device (docs/design/constructs.md;
 * tests/kmpc/task_target.c). queued_on(queue): all work is in this in-order queue, and dependent
 * target tasks for the device may start. queues(): the queues that the task must follow; 0: none.
 * Outside a target task they have no effect and return 0. */
enum { SOLO_TASK_QUEUES = 4 }; /* maximum of queues() */
typedef struct solo_host_tasks_seam {
  /* The current target task's handle, or NULL. Waiting threads call query(&handle), always the same
   * function, until it sets the handle to NULL, which completes the task. */
  void **(*handle_slot)(void (*query)(void **handle));
  void (*queued_on)(void *queue);
  int32_t (*queues)(void **out_queues, int32_t capacity);
} solo_host_tasks_seam;
SOLO_EXPORT extern const solo_host_tasks_seam solo_host_tasks SOLO_WEAK;

/* Context of the calling thread without solo_host_threads; nested regions inherit it
 * (backends/host/host_libomp.h). */
typedef struct solo_target_context {
  int device;              /* -1: not inside a target region */
  int level, active_level; /* libomp's, before the region */
  int32_t team, teams;     /* of a league (abi/kmpc/team/league_libomp.c); 0: none */
  int32_t alone;           /* enclosing regions with is_alone */
  uint8_t is_alone;        /* parallel regions are calls */
  uint8_t is_plain,        /* inside a host parallel region */
      is_serialized,       /* was is_plain (backends/host/host_orphans.c) */
      unused;              /* saved in three moves */
  int32_t announced_teams, announced_limit; /* of the next league */
  int32_t
      /* libomp's thread number plus 1, in a league; 0: unknown */
      libomp_thread;
  const solo_target_call *call;
} solo_target_context;
/* musl provides 112 bytes of thread-local variables without mmap. */
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
