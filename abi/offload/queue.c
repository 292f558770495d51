/* Queues, events and host functions. */
#include "abi/offload/stream.h"

ol_result_t ol_queue_create(ol_device *on, solo_queue_lease *lease, ol_queue_handle_t *out_queue) {
  ol_stream *stream = NULL;
  solo_device *device = on->device;
  if (!device->synchronous) OL_TRY(ol_stream_open(on, lease, &stream));
  pthread_mutex_lock(&ol_lock);
  ol_queue *queue = ol_create(&ol_queues);
  if (queue) {
    queue->on = on;
    queue->stream = stream;
    queue->queue = stream ? ol_stream_queue(stream) : device->shared_queue;
    ol_publish(queue);
    *out_queue = ol_handle_of(&ol_queues, queue);
  }
  pthread_mutex_unlock(&ol_lock);
  if (queue) return OL_SUCCESS;
  if (stream) ol_stream_close(stream);
  return ol_fail(OL_ERRC_OUT_OF_RESOURCES, "no host memory for a queue");
}

ol_result_t olCreateQueue(ol_device_handle_t device, ol_queue_handle_t *queue) {
  ol_device *on;
  OL_ENTER();
  if (!device) return ol_null_handle("device");
  OL_POINTER(queue);
  OL_FIND_DEVICE(on, device);
  OL_TRY(ol_open(on));
  return ol_queue_create(on, NULL, queue);
}

static ol_stream *ended; /* streams of destroyed queues */

static void end_queue(void *object) {
  ol_queue *queue = object;
  if (queue->stream) ol_stream_push(queue->stream, &ended);
  ol_destroy(&ol_queues, queue);
}

ol_stream *ol_queues_end(void) {
  ol_each(&ol_queues, end_queue);
  ol_stream *list = ended;
  ended = NULL;
  return list;
}

ol_result_t olDestroyQueue(ol_queue_handle_t queue) {
  ol_queue *it;
  OL_ENTER();
  OL_FIND_QUEUE(it, queue);
  pthread_mutex_lock(&ol_lock);
  ol_stream *stream = it->stream;
  ol_destroy(&ol_queues, it);
  pthread_mutex_unlock(&ol_lock);
  if (stream) ol_stream_close(stream);
  return OL_SUCCESS;
}

ol_result_t olSyncQueue(ol_queue_handle_t queue) {
  ol_queue *it;
  OL_ENTER();
  OL_FIND_QUEUE(it, queue);
  return it->stream ? ol_stream_sync(it->stream) : OL_SUCCESS;
}

static ol_result_t queue_property(ol_queue_handle_t queue, ol_queue_info_t prop_name,
                                  const ol_property *p) {
  ol_queue *it;
  OL_ENTER();
  OL_TRY(ol_check_property(p, "queue", queue));
  OL_FIND_QUEUE(it, queue);
  void *device = ol_handle_of(&ol_devices, it->on);
  int empty = 1;
  switch (prop_name) {
  case OL_QUEUE_INFO_DEVICE:
    return ol_put(p, &device, sizeof device);
  case OL_QUEUE_INFO_EMPTY:
    if (it->stream && p->value) OL_TRY(ol_stream_query(it->stream, &empty));
    return ol_put(p, &(bool){empty != 0}, sizeof(bool));
  default:
    return ol_fail(OL_ERRC_INVALID_ENUMERATION, "property %d of a queue does not exist",
                   (int)prop_name);
  }
}

ol_result_t olGetQueueInfo(ol_queue_handle_t queue, ol_queue_info_t prop_name, size_t prop_size,
                           void *prop_value) {
  return queue_property(queue, prop_name, &(ol_property){prop_size, NULL, prop_value});
}

ol_result_t olGetQueueInfoSize(ol_queue_handle_t queue, ol_queue_info_t prop_name,
                               size_t *prop_size_ret) {
  return queue_property(queue, prop_name, &(ol_property){SIZE_MAX, prop_size_ret, NULL});
}

ol_result_t olLaunchHostFunction(ol_queue_handle_t queue, ol_host_function_cb_t callback,
                                 void *user_data) {
  ol_queue *it;
  OL_ENTER();
  if (!queue) return ol_null_handle("queue");
  OL_POINTER(callback);
  OL_FIND_QUEUE(it, queue);
  if (it->stream)
    return ol_stream_add(it->stream,
                         &(ol_work){.kind = OL_WORK_CALL, .function = callback, .data = user_data});
  callback(user_data);
  return OL_SUCCESS;
}

ol_result_t olCreateEvent(ol_queue_handle_t queue, ol_event_handle_t *event) {
  ol_queue *it;
  ol_point *point = NULL;
  OL_ENTER();
  if (!queue) return ol_null_handle("queue");
  OL_POINTER(event);
  OL_FIND_QUEUE(it, queue);
  if (it->stream) {
    OL_TRY(ol_point_new(it->on->device, &point));
    ol_result_t result =
        ol_stream_add(it->stream, &(ol_work){.kind = OL_WORK_RECORD, .point = point});
    if (result) {
      ol_point_release(point);
      return result;
    }
  }
  pthread_mutex_lock(&ol_lock);
  ol_event *made = ol_create(&ol_events);
  if (made) {
    made->on = it->on;
    made->queue = queue;
    made->point = point;
    ol_publish(made);
    *event = ol_handle_of(&ol_events, made);
  }
  pthread_mutex_unlock(&ol_lock);
  if (made) return OL_SUCCESS;
  ol_point_release(point);
  return ol_fail(OL_ERRC_OUT_OF_RESOURCES, "no host memory for an event");
}

void ol_event_end(void *object) {
  ol_event *event = object;
  ol_point *point = event->point;
  ol_destroy(&ol_events, event);
  ol_point_release(point);
}

ol_result_t olDestroyEvent(ol_event_handle_t event) {
  ol_event *it;
  OL_ENTER();
  OL_FIND_EVENT(it, event);
  pthread_mutex_lock(&ol_lock);
  ol_event_end(it);
  pthread_mutex_unlock(&ol_lock);
  return OL_SUCCESS;
}

ol_result_t olSyncEvent(ol_event_handle_t event) {
  ol_event *it;
  OL_ENTER();
  OL_FIND_EVENT(it, event);
  return it->point ? ol_point_wait(it->point) : OL_SUCCESS;
}

ol_result_t olWaitEvents(ol_queue_handle_t queue, ol_event_handle_t *events, size_t num_events) {
  ol_queue *it;
  OL_ENTER();
  if (!queue) return ol_null_handle("queue");
  OL_POINTER(events);
  OL_FIND_QUEUE(it, queue);
  for (size_t i = 0; i < num_events; i++) {
    ol_event_handle_t event = events[i];
    ol_event *e;
    OL_FIND_EVENT(e, event);
  }
  for (size_t i = 0; i < num_events; i++) {
    ol_event *e = ol_find(&ol_events, events[i]);
    if (!e || !e->point) continue;
    if (it->stream)
      OL_TRY(ol_stream_add(it->stream, &(ol_work){.kind = OL_WORK_WAIT, .point = e->point}));
    else
      OL_TRY(ol_point_wait(e->point)); /* a synchronous device */
  }
  return OL_SUCCESS;
}

static ol_result_t event_property(ol_event_handle_t event, ol_event_info_t prop_name,
                                  const ol_property *p) {
  ol_event *it;
  int done = 1;
  OL_ENTER();
  OL_TRY(ol_check_property(p, "event", event));
  OL_FIND_EVENT(it, event);
  switch (prop_name) {
  case OL_EVENT_INFO_QUEUE:
    return ol_put(p, &it->queue, sizeof it->queue);
  case OL_EVENT_INFO_IS_COMPLETE:
    if (it->point && p->value) OL_TRY(ol_point_query(it->point, &done));
    return ol_put(p, &(bool){done != 0}, sizeof(bool));
  default:
    return ol_fail(OL_ERRC_INVALID_ENUMERATION, "property %d of an event does not exist",
                   (int)prop_name);
  }
}

ol_result_t olGetEventInfo(ol_event_handle_t event, ol_event_info_t prop_name, size_t prop_size,
                           void *prop_value) {
  return event_property(event, prop_name, &(ol_property){prop_size, NULL, prop_value});
}

ol_result_t olGetEventInfoSize(ol_event_handle_t event, ol_event_info_t prop_name,
                               size_t *prop_size_ret) {
  return event_property(event, prop_name, &(ol_property){SIZE_MAX, prop_size_ret, NULL});
}
