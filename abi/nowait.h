/* Handles of nowait constructs in target tasks. The body of the task starts the construct and
 * stores a handle. The host-task runtime calls __tgt_target_nowait_query(), on any thread, until
 * the handle is NULL; then the task ends. The function also reports errors. */
#ifndef SOLO_ABI_NOWAIT_H
#define SOLO_ABI_NOWAIT_H

#include "runtime/construct/nowait.h"

/* Returns the location for the current task's handle. NULL: no handle can be stored, so the caller must wait for the work. */
void **tgt_handle_slot(void);

SOLO_EXPORT void __tgt_target_nowait_query(void **handle);

#endif
