/* The streams of a device, what lands in them, and every wait on the host for that (nowait.h).
 *
 * Threads: any.
 */
#ifndef SOLO_NOWAIT_STREAM_H
#define SOLO_NOWAIT_STREAM_H

#include "runtime/construct/nowait_op.h"

/* Waits for the stream that op is built on. */
solo_status solo_nowait_wait(solo_nowait_op *op) SOLO_MUST_CHECK;

/* Lets other constructs use op's new mappings: its event marks the end of what it has enqueued up to now. The second one
 * is called with the device's nowait lock held. */
solo_status solo_nowait_publish(solo_nowait_op *op) SOLO_MUST_CHECK;
solo_status solo_nowait_publish_held(solo_nowait_op *op) SOLO_MUST_CHECK;

/* Looks at the streams until no operation in them uses the mapping, which is being closed. */
void solo_nowait_help_close(solo_device *device, solo_mapping *mapping);

/* Pauses between two looks; round: how many looks in a row found nothing. */
void solo_nowait_pause(unsigned round);

/* Before a target task works elsewhere than on the streams it was let go on: waits for them.
 * A library for the CPU alone has none. */
void solo_nowait_join_streams(void);
SOLO_INLINE void solo_nowait_join(void) {
#ifndef SOLO_CPU_ONLY
  solo_nowait_join_streams();
#endif
}

/* Waits for everything enqueued so far on the device. */
void solo_nowait_drain(solo_device *device);

/* The device is about to be closed. */
void solo_nowait_close(solo_device *device);

/* --- under the device's nowait lock, but where it says otherwise -------------------------------- */

void solo_nowait_append(solo_nowait_op *op);
/* Takes an operation that is still being built, the only one left, out of its stream. */
void solo_nowait_withdraw(solo_nowait_op *op);
/* Lands the operations of the stream (NULL: of all streams) whose events are reached. The thread's error
 * record stays as it was. */
void solo_nowait_look(solo_nowait_device *d, solo_nowait_stream *stream);
/* Waits until every operation published in the stream before this call has landed. The nowait lock is not held. */
void solo_nowait_wait_for_stream(solo_nowait_stream *stream);
/* Waits for the stream's queue; the stream's lock is held, the nowait lock is not. Failures of
 * operations that were in it are theirs to report. */
solo_status solo_nowait_sync_stream(solo_nowait_stream *stream) SOLO_MUST_CHECK;

#endif
