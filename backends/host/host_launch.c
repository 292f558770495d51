/* A launch on the CPU device: a call on this thread. The shortest path of the library; tests:
 * ports/conformance counts its allocations and locks (none). */
#include "backends/host/host.h"

#include "backends/host/host_call.h"
#include "backends/host/host_orphans.h"
#include "runtime/device/exit_watch.h"
#include "runtime/exports.h"
#include "runtime/host_threads.h"

static void enter(const solo_target_call *call) {
  solo_host_call(call->code, call->launch->arguments, call->launch->argument_bytes / 8);
}

/* Launched from inside a parallel region of the host's. */
static SOLO_NOINLINE void call_inside(const void *code, const solo_launch_record *launch) {
  solo_host_orphans.enter_plain();
  solo_host_call(code, launch->arguments, launch->argument_bytes / 8);
  solo_host_orphans.leave_plain();
}

/* A launch's end gives the thread back where it was. One record, whose address is known elsewhere: so the
 * compiler moves what it keeps in the largest pieces. */
typedef struct plain_frame {
  solo_target_call call;
  solo_target_context outer;
} plain_frame;

/* Without one, where the thread is is kept, and libomp is told what it understands. */
static SOLO_NOINLINE void call_plainly(solo_bqueue *queue, const void *code,
                                       const solo_launch_record *launch) {
  plain_frame frame = {{enter, code, launch}, solo_target_current};
  solo_target_current = (solo_target_context){.device = queue->number, .call = &frame.call};
  /* at exit libomp may be gone already: it is not asked any more (policy.h, tgt_keep_default_device) */
  if (&solo_host_orphans && omp_get_level && !solo_exit_has_begun() &&
      SOLO_UNLIKELY(omp_get_level() > 0))
    call_inside(code, launch);
  else
    solo_host_call(code, launch->arguments, launch->argument_bytes / 8);
  solo_target_current = frame.outer;
}

/* The kernel runs as a new initial task where a host thread runtime of ours is linked. */
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
    return solo_fail(SOLO_INVALID, "%u argument bytes: a CPU kernel takes 8-byte slots only",
                     launch->argument_bytes);
  if (&solo_host_threads)
    call_in_context(queue, kernel, launch);
  else
    call_plainly(queue, kernel, launch);
  return SOLO_OK;
}
