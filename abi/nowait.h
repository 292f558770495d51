/* Handles of nowait constructs in target tasks. The task's body starts the construct and stores a
 * handle. The host-task runtime calls __tgt_target_nowait_query(), on any thread, until the handle
 * is NULL, and then ends the task. The function also reports errors. */
#ifndef SOLO_ABI_NOWAIT_H
#define SOLO_ABI_NOWAIT_H

#include "runtime/construct/nowait.h"

/* Location of the current task's handle. NULL: complete the work before returning. */
void **tgt_handle_slot(void);

SOLO_EXPORT void __tgt_target_nowait_query(void **handle);

#endif
