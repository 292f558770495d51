#ifndef SOLO_FEWER_THREADS_H
#define SOLO_FEWER_THREADS_H

#include "runtime/base/platform.h"

/* Reports once, under LIBOMPTARGET_INFO, that a parallel region on the CPU device is smaller than
 * requested (docs/how-to/gpu-programs.md). */
SOLO_EXPORT void solo_report_fewer_threads(int requested, int granted) SOLO_COLD;

#endif
