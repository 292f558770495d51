/* The streams of the target RTL interface: queues of its own on each device.
 *
 * Threads: any. Errors: become statuses of events. What follows from a change is in the todo.
 */
#ifndef SOLO_ABI_TGT_RTL_QUEUE_H
#define SOLO_ABI_TGT_RTL_QUEUE_H

#include "abi/rtl/event.h"

/* Gives the work to its device, or ends it. */
void tgt_rtl_issue(struct tgt_event *e, tgt_rtl_todo *todo);
/* Looks at all streams once; nonzero: something became DONE. */
int tgt_rtl_poll(tgt_rtl_todo *todo);
/* The device goes (solo_fini): its streams' work has ended by then, or ends here. */
void tgt_rtl_close_streams(solo_device *device, tgt_rtl_todo *todo);

#endif
