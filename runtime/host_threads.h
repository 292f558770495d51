/* The seams between the core and the host thread runtime: one table each for threads and for tasks.
 *
 * abi/kmpc, in static programs, defines them. Beside libomp nobody does: their addresses are NULL, and libomp's view
 * of threads and tasks stands. Besides the tables runtime/ and backends/ refer to abi/kmpc by public names alone, which libomp
 * has, too; tests/lint/upward.list has all of it.
 *
 * Ownership: the frame is the caller's, on its stack, uninitialised; kmpc keeps what it pushes in
 * it. Threads: enter and leave on the same thread, nested properly. Errors: none; no allocation.
 */
#ifndef SOLO_THREADS_H
#define SOLO_THREADS_H

#include "runtime/base/platform.h"

typedef struct solo_target_frame {
  SOLO_ALIGNED(64) unsigned char storage[512]; /* kmpc asserts that its record fits */
} solo_target_frame;

/* A kernel as it was launched. Kernels of flang divide themselves among teams by being entered once
 * per team (abi/kmpc/fortran/device_region.c): they find here how. Lives while the kernel runs. */
struct solo_launch_record;
typedef struct solo_target_call {
  void (*enter)(const struct solo_target_call *call); /* on the calling thread */
  const void *code;
  const struct solo_launch_record *launch; /* backend.h; teams and threads as the launch asks */
} solo_target_call;

/* A target region is a new initial task (OpenMP 5.2, 13.8): inside a CPU kernel omp_get_level() is 0,
 * omp_get_num_threads() 1, ICVs have their initial values, and omp_get_device_num() is the device's; workers of
 * teams forked inside inherit that. The host backend enters and leaves such a context around each kernel. */
typedef struct solo_host_threads_seam {
  /* device: global number. */
  void (*enter_target)(solo_target_frame *frame, int device, const solo_target_call *call);
  void (*leave_target)(solo_target_frame *frame);
  /* The device on which the calling thread executes: a number, or -1: not inside a target region. */
  int (*device)(void);
} solo_host_threads_seam;
SOLO_EXPORT extern const solo_host_threads_seam solo_host_threads SOLO_WEAK;

/* A libomp beside these host threads (abi/kmpc/team/second_runtime.c). In dynamic programs only. */
typedef struct solo_second_runtime_seam {
  void (*refuse_at_start)(void); /* ends the process where one was linked in */
  void (*tell_once)(void);       /* a warning where dlopen brought one since */
} solo_second_runtime_seam;
SOLO_EXPORT extern const solo_second_runtime_seam solo_second_runtime SOLO_WEAK;

/* Target tasks (flag nowait) whose body leaves work on a device, and the early release of what depends on them.
 *
 * The body of a target task that has put all its work on an in-order queue and leaves a handle behind may say so:
 * queued_on(queue). Then target tasks for the same device that depend on it run their bodies without waiting for its
 * end. Such a body finds the queues of all it depends on with queues() and must put its work behind theirs (on one
 * of them, after the present end of the others), or wait for them before it works elsewhere (another device, the
 * host). 0 of them: all that the task depends on is complete. Other tasks, and taskwait, wait for the real end.
 * Since a body may also do its work without the core (the else branch of an if clause), only routines that were seen
 * to ask are let go early. queue: compared, never followed; must stay the same queue until the handle is NULL.
 * Outside a target task queued_on does nothing and the others return 0. Held by tests/kmpc/task_target.c. */
enum { SOLO_TASK_QUEUES = 4 }; /* at most so many are reported */
typedef struct solo_host_tasks_seam {
  /* Where the current target task keeps a handle; NULL: it must finish its work before it returns. While the handle
   * is not NULL the team's waiting threads call query(&handle), until that sets it to NULL: the task is complete.
   * query: the same function in every call. */
  void **(*handle_slot)(void (*query)(void **handle));
  void (*queued_on)(void *queue);
  int32_t (*queues)(void **out_queues, int32_t capacity);
} solo_host_tasks_seam;
SOLO_EXPORT extern const solo_host_tasks_seam solo_host_tasks SOLO_WEAK;

/* Where the calling thread is, kept by the host backend where nobody defines solo_host_threads;
 * threads that a region forks inherit it (backends/host/host_libomp.h). */
typedef struct solo_target_context {
  int device;              /* -1: not inside a target region */
  int level, active_level; /* of libomp's, before the region */
  int32_t team,
      teams;         /* of a league that is not libomp's (abi/kmpc/team/league_libomp.c); 0: none */
  int32_t alone;     /* regions around of the kind that is_alone tells */
  uint8_t is_alone;  /* each of its teams has one thread, which runs parallel regions by itself */
  uint8_t is_plain,  /* launched inside a parallel region, which is still around it */
      is_serialized, /* was is_plain; is now in a serialized region (backends/host/host_orphans.c) */
      unused;        /* no gaps, here and below: then each launch saves it in three moves */
  int32_t announced_teams, announced_limit; /* clauses of the league that comes next */
  int32_t
      libomp_thread; /* in a league that is not libomp's: libomp's number of the thread, and 1; 0: not asked */
  const solo_target_call *call;
} solo_target_context;
/* A static program's thread-local variables have room for 112 bytes in musl before it calls mmap. */
_Static_assert(sizeof(solo_target_context) <= 48, "short programs make no system call");
extern SOLO_HIDDEN _Thread_local solo_target_context solo_target_current;

/* Around a parallel region that is a call (is_alone): one level further in. */
SOLO_INLINE void solo_target_enter_alone(void) {
  solo_target_current.alone++;
  solo_target_current.level--;
}

SOLO_INLINE void solo_target_leave_alone(void) {
  solo_target_current.level++;
  solo_target_current.alone--;
}

#endif
