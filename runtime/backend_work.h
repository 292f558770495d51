/* Work of a device in another process, for the profile; recorded from device_open on if
 * solo_settings()->profile is set. Names stay valid. Times: ns of this process's CLOCK_MONOTONIC. */
#ifndef SOLO_BACKEND_WORK_H
#define SOLO_BACKEND_WORK_H

#include "runtime/backend.h"

typedef enum solo_work_kind {
  SOLO_WORK_KERNEL,
  SOLO_WORK_COPY_IN,
  SOLO_WORK_COPY_OUT,
  SOLO_WORK_COPY_WITHIN,
  SOLO_WORK_FILL,
  SOLO_WORK_KINDS
} solo_work_kind;

struct solo_device_work {
  solo_work_kind kind;
  int device;
  uint32_t queue; /* the backend's number */
  uint64_t begin_ns, end_ns, bytes;
  uint64_t clock_error_ns; /* maximum */
  const char *name;        /* of a kernel; NULL: unknown */
  const char *where;       /* process, as the profile names it */
};

#endif
