/* Cancellation. GCC passes the kind of a construct as a bit. */
#include "abi/gomp/internal.h"

enum { PARALLEL = 1, LOOP = 2, SECTIONS = 3, TASKGROUP = 4 };

static int32_t kind_of(int construct) {
  switch (construct) {
  case GOMP_CANCEL_PARALLEL:
    return PARALLEL;
  case GOMP_CANCEL_LOOP:
    return LOOP;
  case GOMP_CANCEL_SECTIONS:
    return SECTIONS;
  default:
    return TASKGROUP;
  }
}

/* A construct inside a cancelled region is cancelled too. */
SOLO_EXPORT bool GOMP_cancellation_point(int construct) {
  int32_t kind = kind_of(construct);
  if (__kmpc_cancellationpoint(NULL, 0, kind)) return true;
  return kind != PARALLEL && __kmpc_cancellationpoint(NULL, 0, PARALLEL);
}

SOLO_EXPORT bool GOMP_cancel(int construct, bool cancels) {
  if (!cancels) return GOMP_cancellation_point(construct);
  return __kmpc_cancel(NULL, 0, kind_of(construct)) != 0;
}
