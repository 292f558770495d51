/* The queue of an asynchronous device (docs/design/offload.md). */
#ifndef SOLO_ABI_OFFLOAD_STREAM_H
#define SOLO_ABI_OFFLOAD_STREAM_H

#include "abi/offload/point.h"

typedef struct ol_stream ol_stream;

typedef enum ol_work_kind {
  OL_WORK_COPY,
  OL_WORK_COPY_PEER,
  OL_WORK_FILL,
  OL_WORK_LAUNCH,
  OL_WORK_RECORD,
  OL_WORK_WAIT,
  OL_WORK_CALL,
} ol_work_kind;

typedef struct ol_work {
  ol_work_kind kind;
  struct ol_work *next;
  solo_copy copy; /* FILL uses the members to and bytes */
  int value;
  const solo_device *peer;
  const solo_kernel *kernel;
  solo_launch_record launch;
  ol_point *point;
  ol_host_function_cb_t function;
  void *data;
  unsigned char arguments[]; /* of a stored launch */
} ol_work;

/* lease: the queue of an omp_interop object; NULL: creates a queue. */
ol_result_t ol_stream_open(ol_device *on, solo_queue_lease *lease,
                           ol_stream **out_stream) SOLO_MUST_CHECK;
solo_bqueue *ol_stream_queue(const ol_stream *stream);
solo_queue_lease *ol_stream_lease(const ol_stream *stream);
/* Enqueues the operation, or stores a copy for the stream's thread. */
ol_result_t ol_stream_add(ol_stream *stream, const ol_work *work) SOLO_MUST_CHECK;
/* Waits for all operations. Returns the first error since the last ol_stream_sync(). */
ol_result_t ol_stream_sync(ol_stream *stream) SOLO_MUST_CHECK;
ol_result_t ol_stream_query(ol_stream *stream, int *out_empty) SOLO_MUST_CHECK;
/* If the stream has a thread, this thread completes the operations and frees the stream; otherwise ol_stream_close() does. */
void ol_stream_close(ol_stream *stream);
/* Inserts the stream into a list for ol_streams_end. */
void ol_stream_push(ol_stream *stream, ol_stream **list);
/* Closes the streams of the list and waits for the threads of all closed streams. The caller holds no lock, because a host
 * function may wait for a thread that needs the lock. */
void ol_streams_end(ol_stream *list);
/* Makes the parent's streams fail in the child of fork(2). */
void ol_streams_forked(void);

/* lease: as in ol_stream_open. */
ol_result_t ol_queue_create(ol_device *on, solo_queue_lease *lease,
                            ol_queue_handle_t *out_queue) SOLO_MUST_CHECK;

#endif
