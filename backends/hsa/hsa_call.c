/* Calls of host functions by a queue.
 *
 * The operation's point is set by the handler that the runtime calls when the operation before is
 * complete. State of a call: ARMED --(handler)--> RUNNING --> DONE, freed by the queue's user;
 * ARMED --(queue closed: its device is lost)--> CANCELLED: the runtime may still hold its address,
 * so it stays.
 */
#include "backends/hsa/hsa.h"

#include <stdlib.h>

enum { ARMED, RUNNING, DONE, CANCELLED };

struct solo_hsa_call {
  solo_hsa_call *next; /* of the queue; the queue's user's */
  void (*function)(void *);
  void *context;
  hsa_signal_t done;
  _Atomic int state;
};

static _Atomic(solo_hsa_call *) cancelled; /* only kept, never read */

/* On a thread of the runtime's. Negative signals (a failed copy before it) do not come here. */
static bool run(hsa_signal_value_t value, void *argument) {
  solo_hsa_call *call = argument;
  int state = ARMED;
  (void)value;
  /* acquire: pairs with the release of who armed or cancelled it */
  if (!solo_cas_acq_rel(&call->state, &state, RUNNING)) return false;
  call->function(call->context);
  hsa_signal_store_screlease(call->done, 0);
  solo_store_release(&call->state, DONE); /* pairs with reap */
  return false;                           /* once */
}

/* Frees those that are done. */
static void reap(solo_bqueue *queue) {
  for (solo_hsa_call **at = &queue->calls; *at;) {
    solo_hsa_call *call = *at;
    if (solo_load_acquire(&call->state) != DONE) { /* pairs with run */
      at = &call->next;
      continue;
    }
    *at = call->next;
    free(call);
  }
}

void solo_hsa_calls_close(solo_bqueue *queue) {
  while (queue->calls) {
    solo_hsa_call *call = queue->calls;
    int state = ARMED;
    if (solo_cas_acq_rel(&call->state, &state, CANCELLED)) { /* pairs with run */
      queue->calls = call->next;
      call->next = solo_load_relaxed(&cancelled); /* relaxed: a list that nobody walks */
      while (!solo_cas_relaxed(&cancelled, &call->next, call)) {
      }
      continue;
    }
    reap(queue);
    solo_cpu_relax(); /* running: it ends by itself */
  }
}

solo_status solo_hsa_queue_host_call(solo_bqueue *queue, void (*function)(void *), void *context) {
  solo_bdevice *device = queue->device;
  solo_hsa_operation *operation;
  SOLO_HSA_CHECK_LOST(device);
  reap(queue);
  /* There must be one operation whose end stands for all before. */
  if (queue->waiting || !queue->count) SOLO_TRY(solo_hsa_operation_wait(queue));
  SOLO_TRY(solo_hsa_operation_begin(queue, SOLO_HSA_ELSEWHERE, &operation));
  solo_hsa_call *call = malloc(sizeof *call);
  if (!call) return solo_fail(SOLO_NOMEM, "hsa: no memory for a call of the host");
  *call = (solo_hsa_call){.function = function,
                          .context = context,
                          .done = operation->completion->signal,
                          .state = ARMED};
  const solo_hsa_completion_signal *before =
      solo_hsa_operation_at(queue, queue->count - 1)->completion;
  hsa_status_t result =
      hsa_amd_signal_async_handler(before->signal, HSA_SIGNAL_CONDITION_EQ, 0, run, call);
  if (result != HSA_STATUS_SUCCESS) {
    free(call);
    return solo_hsa_fail(device, result, "asking for a call of the host");
  }
  call->next = queue->calls;
  queue->calls = call;
  solo_hsa_operation_commit(queue);
  return SOLO_OK;
}
