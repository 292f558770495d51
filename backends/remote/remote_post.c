#define _POSIX_C_SOURCE 200809L
#include "backends/remote/remote.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef SOLO_CHECK
static _Atomic int messages_until_failure;
static _Atomic int failure_is_loss;

void solo_remote_fail_at(int nth, int lost) {
  solo_store_relaxed(&failure_is_loss, lost); /* relaxed: the test has one thread */
  solo_store_relaxed(&messages_until_failure, nth);
}

static void fail_if_requested(solo_remote_channel *channel, solo_remote_head *head) {
  /* relaxed: a counter for tests */
  if (!solo_load_relaxed(&messages_until_failure)) return;
  if (solo_sub_relaxed(&messages_until_failure, 1) != 1) return;
  if (solo_load_relaxed(&failure_is_loss))
    kill(channel->link->welcome.process, SIGKILL);
  else
    head->flags |= SOLO_REMOTE_FAIL;
}
/* For tests: number of posted messages per kind, printed at exit. */
static _Atomic long counts[SOLO_REMOTE_KINDS];

static void count(const solo_remote_head *head) {
  /* relaxed: statistics */
  if (head->kind < SOLO_REMOTE_KINDS) solo_add_relaxed(&counts[head->kind], 1);
}

__attribute__((destructor)) static void print_message_counts(void) {
  if (!getenv("SOLO_TEST_MESSAGES")) return;
  for (int kind = 0; kind < SOLO_REMOTE_KINDS; kind++)
    if (solo_load_relaxed(&counts[kind])) /* relaxed: statistics */
      fprintf(stderr, "messages of kind %d: %ld\n", kind, solo_load_relaxed(&counts[kind]));
}
#else
#define fail_if_requested(channel, head) ((void)0)
#define count(head)                      ((void)0)
#endif

solo_status solo_remote_fail_lost(solo_remote_channel *channel) {
  solo_store_relaxed(&channel->link->lost, 1);
  (void)channel->link->transport->is_alive(channel->link); /* also ends direct copies in progress */
  const solo_remote_welcome *w = &channel->link->welcome;
  const solo_remote_shared *control = solo_remote_shared_of(channel->link, 0);
  if (solo_load_acquire(&control->refused) == 2) { /* pairs with solo_remote_record_refusal() */
    char why[SOLO_REMOTE_REFUSAL_BYTES];
    memcpy(why, control->refusal, sizeof why);
    why[sizeof why - 1] = 0;
    return solo_fail(
        SOLO_DEVICE_LOST,
        "remote: %s (process %d on %s) has ended the connection: %s: its devices are lost",
        channel->link->title, w->process, w->host, why);
  }
  return solo_fail(SOLO_DEVICE_LOST,
                   "remote: %s (process %d on %s) has ended: its devices are lost; its messages on "
                   "stderr may contain the reason",
                   channel->link->title, w->process, w->host);
}

uint64_t solo_remote_post(solo_remote_channel *channel, const void *message) {
  solo_remote_head *head = (solo_remote_head *)(uintptr_t)message;
  fail_if_requested(channel, head);
  count(head);
  channel->link->transport->post(channel, head->bytes);
  return channel->count;
}
