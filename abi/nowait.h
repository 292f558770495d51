/* Constructs with nowait inside target tasks: enqueued, and ended when their task is asked about.
 *
 * The body of a target task leaves a handle where __kmpc_omp_get_target_async_handle_ptr says; the
 * host task runtime (abi/kmpc, libomp) then asks __tgt_target_nowait_query about it, on whichever
 * thread, until the handle is NULL, and only then completes the task. That call reports errors.
 */
#ifndef SOLO_ABI_NOWAIT_H
#define SOLO_ABI_NOWAIT_H

#include "runtime/construct/nowait.h"

/* Where the current task takes a handle; NULL: its work must be over when the call returns. */
void **tgt_handle_slot(void);

SOLO_EXPORT void __tgt_target_nowait_query(void **handle);

#endif
