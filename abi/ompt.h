/* OMPT target callbacks (OpenMP 5.2, chapter 19; docs/design/observers.md). solo-link adds ompt.c
 * if an object defines ompt_start_tool(). The callbacks device_initialize and device_load run under
 * the device's lock, so they must not use the device. */
#ifndef SOLO_ABI_OMPT_H
#define SOLO_ABI_OMPT_H

#include "abi/include/omp-tools.h"
#include "runtime/trace/observer.h"

/* A function of libomp that calls result->initialize if a tool is active. NULL without libomp. */
extern void ompt_libomp_connect(ompt_start_tool_result_t *result) SOLO_WEAK;

/* Starts the tool; called once. Returns the observer that calls the tool's callbacks; NULL: no tool has callbacks for target
 * events. */
extern SOLO_EXPORT const solo_observer *solo_ompt_start(int (*device_count)(void)) SOLO_WEAK;

#endif
