/* A launch calls the kernel on the launching thread. The launch allocates and locks nothing. */
#include "backends/host/host.h"

#include "backends/host/host_call.h"
#include "backends/host/host_orphans.h"
#include "runtime/device/exit_watch.h"
#include "runtime/exports.h"
#include "runtime/host_threads.h"

static void enter(const solo_target_call *call) {
  solo_host_call(call->code, call->launch->arguments, call->launch->argument_bytes / 8);
}

/* For a launch inside a parallel region of the host (host_orphans.c). */
static SOLO_NOINLINE void call_inside(const void *code, const solo_launch_record *launch) {
  solo_host_orphans.enter_plain();
  solo_host_call(code, launch->arguments, launch->argument_bytes / 8);
  solo_host_orphans.leave_plain();
}

typedef struct plain_frame {
  solo_target_call call;
  solo_target_context outer;
} plain_frame;

/* For programs without solo's host threads: saves and sets the target context. */
static SOLO_NOINLINE void call_plainly(solo_bqueue *queue, const void *code,
                                       const solo_launch_record *launch) {
  plain_frame frame = {{enter, code, launch}, solo_target_current};
  solo_target_current = (solo_target_context){.device = queue->number, .call = &frame.call};
  /* At exit, omp_get_level() is not called, because libomp may be unloaded. */
  if (&solo_host_orphans && omp_get_level && !solo_exit_has_begun() &&
      SOLO_UNLIKELY(omp_get_level() > 0))
    call_inside(code, launch);
  else
    solo_host_call(code, launch->arguments, launch->argument_bytes / 8);
  solo_target_current = frame.outer;
}

/* For programs with solo's host threads: the kernel is a new initial task. */
static SOLO_NOINLINE void call_in_context(solo_bqueue *queue, const void *code,
                                          const solo_launch_record *launch) {
  solo_target_frame frame;
  const solo_target_call call = {enter, code, launch};
  solo_host_threads.enter_target(&frame, queue->number, &call);
  solo_host_call(code, launch->arguments, launch->argument_bytes / 8);
  solo_host_threads.leave_target(&frame);
}

solo_status solo_host_queue_launch(solo_bqueue *queue, solo_bkernel *kernel,
                                   const solo_launch_record *launch) {
  if (SOLO_UNLIKELY(launch->argument_bytes % 8))
    return solo_fail(SOLO_INVALID,
                     "launch of a CPU kernel with %u argument bytes: not a multiple of 8",
                     launch->argument_bytes);
  if (&solo_host_threads)
    call_in_context(queue, kernel, launch);
  else
    call_plainly(queue, kernel, launch);
  return SOLO_OK;
}
