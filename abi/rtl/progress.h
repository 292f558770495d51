/* The graph of events goes on. Threads: any, without locks. */
#ifndef SOLO_ABI_TGT_RTL_PROGRESS_H
#define SOLO_ABI_TGT_RTL_PROGRESS_H

#include "abi/rtl/event.h"

/* Issues what is ready and calls back, until nothing is left. */
void tgt_rtl_do(tgt_rtl_todo *todo);

/* rtl/async.c: makes an event of the work and adds it; the arguments are taken over, whatever happens. out_event NULL:
 * nobody wants to know. */
solo_status tgt_rtl_add(const tgt_rtl_work *work, int32_t count, tgt_event_t *events,
                        tgt_event_t *out_event) SOLO_MUST_CHECK;

#endif
