/* An ol_point is the driver's event of an ol_event, with counted references. */
#ifndef SOLO_ABI_OFFLOAD_POINT_H
#define SOLO_ABI_OFFLOAD_POINT_H

#include "abi/offload/internal.h"

typedef struct ol_point {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int pending; /* nonzero: the stream has not recorded `event` yet */
  _Atomic unsigned references;
  solo_device *device;
  uint32_t opening; /* the device's `openings` at creation */
  solo_bevent *event;
  ol_result_t result; /* result of the recording */
} ol_point;

ol_result_t ol_point_new(solo_device *device, ol_point **out_point) SOLO_MUST_CHECK;
void ol_point_acquire(ol_point *point);
void ol_point_release(ol_point *point);
/* Sets the result, and wakes the threads in ol_point_wait_record(). */
void ol_point_recorded(ol_point *point, ol_result_t result);
/* Waits until the event is recorded. Returns the result of the recording. */
ol_result_t ol_point_wait_record(ol_point *point) SOLO_MUST_CHECK;
/* Waits until the device has reached the event. */
ol_result_t ol_point_wait(ol_point *point) SOLO_MUST_CHECK;
ol_result_t ol_point_query(ol_point *point, int *out_done) SOLO_MUST_CHECK;

#endif
