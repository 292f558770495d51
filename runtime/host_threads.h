/* The tables through which the core and the host threads call each other. abi/kmpc defines them in
 * static programs; with libomp the addresses are NULL. tests/lint/upward.list has the other
 * references to abi/kmpc. Ownership: the caller allocates the frame, uninitialised. Threads: enter
 * and leave on the same thread, nested. No allocation. */
#ifndef SOLO_THREADS_H
#define SOLO_THREADS_H

#include "runtime/base/platform.h"

typedef struct solo_target_frame {
  SOLO_ALIGNED(64) unsigned char storage[512]; /* abi/kmpc asserts its size */
} solo_target_frame;

/* A launched kernel, valid while it executes. flang's kernels call enter once per team
 * (abi/kmpc/fortran/device_region.c). */
struct solo_launch_record;
typedef struct solo_target_call {
  void (*enter)(const struct solo_target_call *call);
  const void *code;
  const struct solo_launch_record *launch; /* backend.h */
} solo_target_call;

/* A target region is a new initial task (OpenMP 5.2, 13.8): omp_get_level() is 0, ICVs have initial
 * values, omp_get_device_num() is the device's number. Workers of nested teams inherit this. */
typedef struct solo_host_threads_seam {
  /* device: global number */
  void (*enter_target)(solo_target_frame *frame, int device, const solo_target_call *call);
  void (*leave_target)(solo_target_frame *frame);
  /* device of the calling thread; -1: not inside a target region */
  int (*device)(void);
} solo_host_threads_seam;
SOLO_EXPORT extern const solo_host_threads_seam solo_host_threads SOLO_WEAK;

/* Detects libomp in the same process (abi/kmpc/team/second_runtime.c). Only in dynamic programs. */
typedef struct solo_second_runtime_seam {
  void (*refuse_at_start)(void); /* ends the process if libomp is linked */
  void (*tell_once)(void);       /* warns if dlopen loaded libomp later */
} solo_second_runtime_seam;
SOLO_EXPORT extern const solo_second_runtime_seam solo_second_runtime SOLO_WEAK;

/* Target tasks (nowait) whose body leaves work on a device (docs/design/constructs.md).
 *
 * A body that has enqueued all its work on one in-order queue and has set a handle calls
 * queued_on(queue). Dependent target tasks for the device then run their bodies early. Their bodies
 * call queues() and order their work after these queues, on the device or by a wait. 0: all
 * predecessors are complete. Other tasks and taskwait wait for completion. Only task routines that
 * have called queues() are released early, because a body may execute without the core (else branch
 * of an if clause).
 *
 * queue is an opaque key. Outside a target task queued_on does nothing and the others return 0.
 * Tests: tests/kmpc/task_target.c. */
enum { SOLO_TASK_QUEUES = 4 }; /* maximum that queues() returns */
typedef struct solo_host_tasks_seam {
  /* The current target task's handle; NULL: complete the work before the return. Waiting threads
   * call query(&handle), always the same function, until it sets the handle to NULL and so
   * completes the task. */
  void **(*handle_slot)(void (*query)(void **handle));
  void (*queued_on)(void *queue);
  int32_t (*queues)(void **out_queues, int32_t capacity);
} solo_host_tasks_seam;
SOLO_EXPORT extern const solo_host_tasks_seam solo_host_tasks SOLO_WEAK;

/* Context of the calling thread if solo_host_threads is undefined. Threads of nested regions
 * inherit it (backends/host/host_libomp.h). */
typedef struct solo_target_context {
  int device;              /* -1: not inside a target region */
  int level, active_level; /* libomp's, before the region */
  int32_t team, teams;     /* of a league of abi/kmpc/team/league_libomp.c; 0: none */
  int32_t alone;           /* number of enclosing regions with is_alone */
  uint8_t is_alone;        /* teams have one thread; parallel regions are calls */
  uint8_t is_plain,        /* launched inside a host parallel region */
      is_serialized,       /* was is_plain (backends/host/host_orphans.c) */
      unused;              /* no padding: saved in three moves */
  int32_t announced_teams, announced_limit; /* clauses of the next league */
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
