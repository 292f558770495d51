/* Conversions between OpenMP and the interface (include/solo_offload.h). */
#include "abi/offload/stream.h"

#include "abi/include/solo_offload.h"

extern int omp_get_initial_device(void);

typedef struct search {
  int number;
  ol_device_handle_t found;
} search;

static bool compare(ol_device_handle_t device, void *user) {
  search *s = user;
  const ol_device *on = ol_find(&ol_devices, device);
  if (on && on->number == s->number) s->found = device;
  return !s->found;
}

ol_result_t solo_offload_device(int number, ol_device_handle_t *device) {
  search s = {number, NULL};
  OL_ENTER();
  OL_POINTER(device);
  OL_TRY(olIterateDevices(compare, &s));
  if (!s.found && number == omp_get_initial_device()) s.found = ol_handle_of(&ol_devices, ol_host);
  if (!s.found) return ol_fail(OL_ERRC_INVALID_DEVICE, "there is no device number %d", number);
  *device = s.found;
  return OL_SUCCESS;
}

ol_result_t solo_offload_device_number(ol_device_handle_t device, int *number) {
  ol_device *on;
  OL_ENTER();
  if (!device) return ol_null_handle("device");
  OL_POINTER(number);
  OL_FIND_DEVICE(on, device);
  *number = on->device ? on->number : omp_get_initial_device();
  return OL_SUCCESS;
}

ol_result_t solo_offload_queue_of_interop(void *interop, ol_queue_handle_t *queue) {
  solo_device *device;
  solo_queue_lease *lease;
  ol_device_handle_t handle;
  ol_device *on;
  OL_ENTER();
  OL_POINTER(interop);
  OL_POINTER(queue);
  OL_TRY_STATUS(ol_core->interop_queue(interop, &device, &lease));
  if (!lease)
    return ol_fail(OL_ERRC_INVALID_ARGUMENT, "the interop object has no queue; use targetsync");
  OL_TRY(solo_offload_device(device->number, &handle));
  OL_FIND_DEVICE(on, handle);
  OL_TRY(ol_open(on));
  return ol_queue_create(on, lease, queue);
}

ol_result_t solo_offload_interop_of_queue(ol_queue_handle_t queue, void **interop) {
  ol_queue *it;
  struct tgt_interop *made;
  solo_queue_lease *lease = NULL;
  OL_ENTER();
  if (!queue) return ol_null_handle("queue");
  OL_POINTER(interop);
  OL_FIND_QUEUE(it, queue);
  if (it->stream) lease = ol_stream_lease(it->stream);
  OL_TRY_STATUS(ol_core->interop_make(it->on->device, lease, &made));
  *interop = made;
  return OL_SUCCESS;
}
