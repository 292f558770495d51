/* Progress of the graph. Called without locks. */
#ifndef SOLO_ABI_TGT_RTL_PROGRESS_H
#define SOLO_ABI_TGT_RTL_PROGRESS_H

#include "abi/rtl/event.h"

void tgt_rtl_run_todo(tgt_rtl_todo *todo);

/* async.c: adds an event. Takes ownership of the arguments, also on failure. out_event may be NULL. */
solo_status tgt_rtl_add(const tgt_rtl_work *work, int32_t count, tgt_event_t *events,
                        tgt_event_t *out_event) SOLO_MUST_CHECK;

#endif
