/* The client side of a channel: waits for ring space, for completion and for answers. */
#include "backends/remote/remote.h"
#include "backends/remote/remote_fence.h"

#include "runtime/base/settings.h"
#include <stdio.h>
#include <string.h>

enum {
  POLLS_PER_TIME = 16,         /* iterations between two reads of the clock */
  SLEEP_NS = 20 * 1000 * 1000, /* interval between checks that the server is alive */
  FENCE_SLEEP_NS = 50 * 1000,  /* this interval while fences (remote_fence.c) are pending */
  SPIN_FOR_SPACE_NS = 1000 * 1000,
};

static int is_complete(solo_remote_channel *channel, uint64_t count) {
  return solo_remote_completed(channel) >= count;
}

static const char too_much[] = "more completed messages than it received";

solo_status solo_remote_fail_protocol(solo_remote_channel *channel, const char *what) {
  solo_store_relaxed(&channel->link->lost, 1); /* relaxed: a late read is harmless */
  return solo_fail(
      SOLO_DEVICE_LOST,
      "remote: %s (process %d) violates the protocol: it reports %s; its devices are lost",
      channel->link->title, channel->link->welcome.process, what);
}

/* Returns whether the server has stored an impossible tail. If all messages are complete, the ring
 * can contain only padding, which is less than half of the ring. */
static int has_invalid_tail(solo_remote_channel *channel) {
  /* reads completed before tail, because the server stores tail before completed */
  int is_idle = is_complete(channel, channel->count);
  /* relaxed: the acquire load of completed orders this load */
  uint64_t tail = solo_load_relaxed(&channel->shared->tail);
  uint64_t filled = channel->head - tail;
  return filled > SOLO_REMOTE_RING_BYTES || (is_idle && filled > SOLO_REMOTE_RING_BYTES / 2);
}

static SOLO_COLD int await_space(solo_remote_channel *channel, uint64_t since) {
  const solo_remote_transport *transport = channel->link->transport;
  transport->await(channel, solo_remote_completed(channel) + 1, 0);
  uint64_t ns = solo_now_ns() - since;
  if (ns > SOLO_REMOTE_SPIN_BEFORE_YIELD_NS) (void)sched_yield();
  if (ns < SPIN_FOR_SPACE_NS) return 0;
  /* not for the control channel: opening a gate needs space in that channel's ring */
  if (channel->number) solo_remote_pass_fences();
  /* Free space wakes no thread, but a completion follows soon and wakes this thread. */
  transport->await(channel, solo_remote_completed(channel) + 1, SLEEP_NS / 20);
  if (solo_remote_violates_protocol(channel))
    return (void)solo_remote_fail_protocol(channel, too_much), 1;
  if (has_invalid_tail(channel))
    return (void)solo_remote_fail_protocol(channel, "more consumed messages than it received"), 1;
  if (transport->is_alive(channel->link)) return 0;
  (void)solo_remote_fail_lost(channel);
  return 1;
}

void *solo_remote_message(solo_remote_channel *channel, uint32_t bytes, solo_remote_kind kind) {
  void *message = solo_remote_try_message(channel, bytes, kind);
  if (SOLO_LIKELY(message != NULL)) return message;
  uint64_t start = solo_now_ns();
  while (!solo_remote_is_lost(channel) && !await_space(channel, start))
    if ((message = solo_remote_try_message(channel, bytes, kind))) return message;
  return NULL;
}

solo_status solo_remote_wait(solo_remote_channel *channel, uint64_t count) {
  if (is_complete(channel, count)) return SOLO_OK;
  const solo_remote_transport *transport = channel->link->transport;
  uint64_t start = solo_now_ns(), spin = 1000 * (uint64_t)solo_settings()->spin_us;
  do {
    for (int i = 0; i < POLLS_PER_TIME; i++) {
      if (is_complete(channel, count)) return SOLO_OK;
      transport->await(channel, count, 0);
    }
    if (channel->number) solo_remote_pass_fences();
  } while (!solo_remote_may_sleep(channel, solo_now_ns() - start, spin));
  while (!is_complete(channel, count)) {
    transport->await(channel, count, solo_remote_has_fences() ? FENCE_SLEEP_NS : SLEEP_NS);
    if (is_complete(channel, count)) break;
    if (solo_remote_violates_protocol(channel)) return solo_remote_fail_protocol(channel, too_much);
    if (!transport->is_alive(channel->link) && !is_complete(channel, count))
      return solo_remote_fail_lost(channel);
    if (channel->number) solo_remote_pass_fences();
  }
  return SOLO_OK;
}

solo_status solo_remote_fail_result(const solo_remote_result *result, int status) {
  if (status <= 0 || status >= SOLO_STATUS_COUNT)
    return solo_fail(SOLO_INTERNAL, "remote: the device server answered with invalid status %d",
                     status);
  char text[SOLO_ERROR_TEXT];
  memcpy(text, result->text, sizeof text);
  text[sizeof text - 1] = 0;
  if (!text[0] && status == SOLO_NOT_FOUND) return SOLO_NOT_FOUND;
  if (!text[0]) snprintf(text, sizeof text, "remote: the device server reported no reason");
  return solo_fail_vendor((solo_status)status, result->vendor_code, "%s", text);
}

solo_status solo_remote_call(solo_remote_server *server, const void *message, void *out_answer,
                             size_t answer_bytes) {
  solo_remote_channel *control = &server->control;
  if (!message) return solo_remote_fail_lost(control);
  SOLO_TRY(solo_remote_wait(control, solo_remote_post(control, message)));
  const solo_remote_result *result = &control->shared->result;
  int status = solo_remote_status(result);
  if (status != SOLO_OK) return solo_remote_fail_result(result, status);
  if (answer_bytes) memcpy(out_answer, result->answer, answer_bytes);
  return SOLO_OK;
}
