/* Progress of the event graph. The caller holds no locks. */
#ifndef SOLO_ABI_TGT_RTL_PROGRESS_H
#define SOLO_ABI_TGT_RTL_PROGRESS_H

#include "abi/rtl/event.h"

void tgt_rtl_run_todo(tgt_rtl_todo *todo);

/* Adds an event for the work (async.c). Owns work->arguments, even on failure. *out_event: a new
 * reference; out_event may be NULL. */
solo_status tgt_rtl_add(const tgt_rtl_work *work, int32_t count, tgt_event_t *events,
                        tgt_event_t *out_event) SOLO_MUST_CHECK;

#endif
