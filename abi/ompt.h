/* OMPT's target callbacks (OpenMP 5.2, chapter 19): an observer (runtime/trace/observer.h) that hands its
 * events on to a tool.
 *
 * Beside libomp the tool is libomp's: ompt_libomp_connect gives its callbacks and task data.
 * Without libomp an ompt_start_tool that was linked into the program is the tool, and target
 * callbacks are all it gets; solo-link asks for this file when an object defines that function.
 * There is no dlopen, and OMP_TOOL_LIBRARIES is not read.
 *
 * Threads: any. A tool is started by the first use of a device; without libomp also by the question how many there
 * are. Callbacks device_initialize and device_load come under the device's lock: they must not use the device.
 */
#ifndef SOLO_ABI_OMPT_H
#define SOLO_ABI_OMPT_H

#include "abi/include/omp-tools.h"
#include "runtime/trace/observer.h"

/* libomp's: calls initialize if a tool is at work, and finalize before it ends. NULL: there is no libomp. */
extern void ompt_libomp_connect(ompt_start_tool_result_t *result) SOLO_WEAK;

/* Called once. NULL: no tool wants target callbacks. device_count: the initial device's number, too. */
extern SOLO_EXPORT const solo_observer *solo_ompt_start(int (*device_count)(void)) SOLO_WEAK;

#endif
