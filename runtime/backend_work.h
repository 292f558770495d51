/* Records of kernels and copies that a device of another process has executed, for the profile. If
 * solo_settings()->profile is set, the backend collects records from device_open on. The strings
 * are never freed. Times: ns of this process's CLOCK_MONOTONIC. */
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
  uint32_t queue;
  uint64_t begin_ns, end_ns, bytes;
  uint64_t clock_error_ns; /* maximum error of begin_ns and end_ns */
  const char *name;
  const char *where; /* name of the process in the profile */
};

#endif
