#ifndef SOLO_FEWER_THREADS_H
#define SOLO_FEWER_THREADS_H

#include "runtime/base/platform.h"

/* Once, under LIBOMPTARGET_INFO: a parallel region on the CPU device is smaller than requested. */
SOLO_EXPORT void solo_report_fewer_threads(int requested, int granted) SOLO_COLD;

#endif
