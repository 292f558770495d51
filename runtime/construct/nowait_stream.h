/* The streams of a device, landed operations, and waits on the host. Threads: any. */
#ifndef SOLO_NOWAIT_STREAM_H
#define SOLO_NOWAIT_STREAM_H

#include "runtime/construct/nowait_op.h"

/* Waits for op's stream. */
solo_status solo_nowait_wait(solo_nowait_op *op) SOLO_MUST_CHECK;

/* Records op's event at the end of its present work and marks its new mappings ENQUEUED. _held: the
 * caller holds the nowait lock. */
solo_status solo_nowait_publish(solo_nowait_op *op) SOLO_MUST_CHECK;
solo_status solo_nowait_publish_held(solo_nowait_op *op) SOLO_MUST_CHECK;

/* Waits until no operation in a stream uses the mapping, which is being closed. */
void solo_nowait_help_close(solo_device *device, solo_mapping *mapping);

/* round: number of queries without progress. */
void solo_nowait_pause(unsigned round);

/* Waits for the streams that precede the current target task. Called before the task works
 * elsewhere. Empty in a library for the CPU alone. */
void solo_nowait_join_streams(void);
SOLO_INLINE void solo_nowait_join(void) {
#ifndef SOLO_CPU_ONLY
  solo_nowait_join_streams();
#endif
}

/* Waits for all work enqueued on the device. */
void solo_nowait_drain(solo_device *device);

void solo_nowait_close(solo_device *device);

/* The rest needs the device's nowait lock, unless stated otherwise. */

void solo_nowait_append(solo_nowait_op *op);
/* Removes an operation that is still BUILDING and alone in its stream. */
void solo_nowait_withdraw(solo_nowait_op *op);
/* Lands operations whose events are reached; stream NULL: of all streams. Preserves the thread's
 * error record. */
void solo_nowait_look(solo_nowait_device *d, solo_nowait_stream *stream);
/* Waits until operations published before this call have landed. Without the nowait lock. */
void solo_nowait_wait_for_stream(solo_nowait_stream *stream);
/* Waits for the stream's queue, with the stream's lock and without the nowait lock. The constructs
 * report failures. */
solo_status solo_nowait_sync_stream(solo_nowait_stream *stream) SOLO_MUST_CHECK;

#endif
