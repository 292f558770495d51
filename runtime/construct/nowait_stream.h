/* Streams of nowait operations: publication, landing, waits. Threads: any. */
#ifndef SOLO_NOWAIT_STREAM_H
#define SOLO_NOWAIT_STREAM_H

#include "runtime/construct/nowait_op.h"

solo_status solo_nowait_wait(solo_nowait_op *op) SOLO_MUST_CHECK;

/* Records op's event and marks its new mappings ENQUEUED. _held: the caller holds the nowait
 * lock. */
solo_status solo_nowait_publish(solo_nowait_op *op) SOLO_MUST_CHECK;
solo_status solo_nowait_publish_held(solo_nowait_op *op) SOLO_MUST_CHECK;

void solo_nowait_wait_for_users(solo_device *device, solo_mapping *mapping);

void solo_nowait_pause(unsigned round);

/* Waits for the streams that precede the current target task. Called before the task does other
 * work. */
void solo_nowait_join_streams(void);
SOLO_INLINE void solo_nowait_join(void) {
#ifndef SOLO_CPU_ONLY
  solo_nowait_join_streams();
#endif
}

void solo_nowait_drain(solo_device *device);

void solo_nowait_close(solo_device *device);

/* The following functions need the nowait lock, unless stated otherwise. */

void solo_nowait_append(solo_nowait_op *op);
/* Removes a BUILDING operation that is alone in its stream. */
void solo_nowait_withdraw(solo_nowait_op *op);
/* Lands the completed operations of a stream; NULL: of all. Preserves the error record. */
void solo_nowait_land_completed(solo_nowait_device *d, solo_nowait_stream *stream);
/* Waits until all published operations have landed. Called without the nowait lock. */
void solo_nowait_wait_for_stream(solo_nowait_stream *stream);
/* Waits for the queue and lands its operations. Called with the stream's lock, without the nowait
 * lock. */
solo_status solo_nowait_sync_stream(solo_nowait_stream *stream) SOLO_MUST_CHECK;

#endif
