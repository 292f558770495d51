/* What a device reports of its work, where this process cannot time it: the operation device_work of the
 * contract (runtime/backend.h), for a profile.
 *
 * The backend keeps records of a device, or of all that share its driver, from device_open on, if
 * solo_settings()->profile is set then. The operation returns how many records it has written, up to the number asked for; 0: no more for now.
 *
 * Ownership: names stay until the process ends. Threads: any. Units: bytes; ns of CLOCK_MONOTONIC as
 * this process reads it, however the device's own clock runs.
 */
#ifndef SOLO_BACKEND_WORK_H
#define SOLO_BACKEND_WORK_H

#include "runtime/backend.h"

typedef enum solo_work_kind {
  SOLO_WORK_KERNEL,
  SOLO_WORK_COPY_IN,
  SOLO_WORK_COPY_OUT,
  SOLO_WORK_COPY_WITHIN, /* on the device, or between two */
  SOLO_WORK_FILL,
  SOLO_WORK_KINDS
} solo_work_kind;

/* Something that a device did. */
struct solo_device_work {
  solo_work_kind kind;
  int device;     /* the runtime's number */
  uint32_t queue; /* a number of the backend's */
  uint64_t begin_ns, end_ns, bytes;
  uint64_t clock_error_ns; /* begin and end are wrong by at most so much */
  const char *name;        /* of a kernel; NULL: not known */
  const char *where;       /* whose clock and process: one line each in a profile */
};

#endif
