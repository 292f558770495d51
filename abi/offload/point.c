#include "abi/offload/point.h"

#include <stdlib.h>

ol_result_t ol_point_new(solo_device *device, ol_point **out_point) {
  ol_point *p = calloc(1, sizeof *p);
  if (!p) return ol_fail(OL_ERRC_OUT_OF_RESOURCES, "no host memory for an event");
  solo_status status = device->backend->event_open(device->handle, &p->event);
  if (status != SOLO_OK) {
    free(p);
    return ol_failed(status);
  }
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->changed, NULL);
  p->device = device;
  p->opening = device->openings;
  p->pending = 1;
  solo_store_relaxed(&p->references, 1); /* relaxed: not shared yet */
  *out_point = p;
  return OL_SUCCESS;
}

void ol_point_acquire(ol_point *point) {
  solo_add_relaxed(&point->references, 1); /* relaxed: the caller holds a reference */
}

/* Returns zero after the close of the device and in the child of fork(2). */
static int is_usable(const ol_point *point) {
  return point->device->handle && point->opening == point->device->openings;
}

void ol_point_release(ol_point *point) {
  /* Invariant: the last holder frees the point after all accesses of the other holders.
   * Ordering:  this acq_rel subtraction pairs with itself.
   * Otherwise: a point could be freed in use.
   */
  if (!point || solo_sub_acq_rel(&point->references, 1) != 1) return;
  if (is_usable(point)) {
    point->device->backend->event_close(point->device->handle, point->event);
    /* in a forked child, pthread_cond_destroy() could wait for threads of the parent */
    pthread_mutex_destroy(&point->lock);
    pthread_cond_destroy(&point->changed);
  }
  free(point);
}

void ol_point_recorded(ol_point *point, ol_result_t result) {
  pthread_mutex_lock(&point->lock);
  point->result = result;
  point->pending = 0;
  pthread_cond_broadcast(&point->changed);
  pthread_mutex_unlock(&point->lock);
}

ol_result_t ol_point_wait_record(ol_point *point) {
  pthread_mutex_lock(&point->lock);
  while (point->pending) pthread_cond_wait(&point->changed, &point->lock);
  ol_result_t result = point->result;
  pthread_mutex_unlock(&point->lock);
  return result;
}

static ol_result_t check(const ol_point *point) {
  if (is_usable(point)) return OL_SUCCESS;
  return ol_fail(OL_ERRC_INVALID_EVENT,
                 "the device of the event was closed, or the process was forked");
}

ol_result_t ol_point_wait(ol_point *point) {
  OL_TRY(check(point));
  OL_TRY(ol_point_wait_record(point));
  OL_TRY(check(point));
  OL_TRY_STATUS(point->device->backend->event_wait(point->event));
  return OL_SUCCESS;
}

ol_result_t ol_point_query(ol_point *point, int *out_done) {
  OL_TRY(check(point));
  pthread_mutex_lock(&point->lock);
  int pending = point->pending;
  ol_result_t result = point->result;
  pthread_mutex_unlock(&point->lock);
  *out_done = 0;
  if (pending) return OL_SUCCESS;
  OL_TRY(result);
  OL_TRY_STATUS(point->device->backend->event_query(point->event, out_done));
  return OL_SUCCESS;
}
