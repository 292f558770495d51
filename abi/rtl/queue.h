/* The streams of the target RTL interface. Errors become statuses of events. */
#ifndef SOLO_ABI_TGT_RTL_QUEUE_H
#define SOLO_ABI_TGT_RTL_QUEUE_H

#include "abi/rtl/event.h"

void tgt_rtl_issue(struct tgt_event *e, tgt_rtl_todo *todo);
/* Ends the complete events of all streams. Returns nonzero if at least one event is DONE. */
int tgt_rtl_poll(tgt_rtl_todo *todo);
void tgt_rtl_close_streams(solo_device *device, tgt_rtl_todo *todo);

#endif
