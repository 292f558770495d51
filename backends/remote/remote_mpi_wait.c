/* Waiting over MPI. A message wakes no thread, so waiting threads poll: without pauses after recent
 * messages, later with increasing naps. The control thread of a server polls for its idle queues. */
#define _GNU_SOURCE
#include "backends/remote/remote_mpi.h"
#include "backends/remote/remote_mpi_liveness.h"

#include <time.h>

enum {
  POLLS_PER_YIELD = 4,
  SLEEP_NS = 20 * 1000,
  MAX_SLEEP_NS = 2 * 1000 * 1000,
  QUEUE_SLEEP_NS = 20 * 1000 * 1000, /* maximum sleep of an idle queue */
  YIELD_NS = 20 * 1000 * 1000,       /* time without messages after which naps begin */
  /* this time for the control thread, which competes with queues for processors */
  CONTROL_YIELD_NS = 200 * 1000,
  SLICE_NS = 200 * 1000, /* a yield that lasts longer has waited for another thread's time slice */
  NAPS_PER_SLICE = 4,
  MOST_SLICES = 6,
};

#define job solo_remote_mpi

static void sleep_for(uint64_t ns) {
  const struct timespec time = {.tv_nsec = (long)(ns < MAX_SLEEP_NS ? ns : MAX_SLEEP_NS)};
  (void)nanosleep(&time, NULL);
}

/* Yields or naps. If threads outnumber processors, a yield can last for several time slices, but a
 * nap ends on time. Therefore naps follow long yields. */
static void yield_briefly(mpi_channel *m) {
  uint32_t naps = solo_load_relaxed(&m->naps); /* relaxed: hints, as below */
  if (SOLO_UNLIKELY(naps)) {
    solo_store_relaxed(&m->naps, naps - 1);
    sleep_for(SLEEP_NS);
    return;
  }
  uint64_t before = solo_now_ns();
  (void)sched_yield();
  uint32_t slices = solo_load_relaxed(&m->slices);
  if (SOLO_LIKELY(solo_now_ns() - before < SLICE_NS)) {
    if (SOLO_UNLIKELY(slices)) solo_store_relaxed(&m->slices, 0); /* relaxed: a hint */
    return;
  }
  if (slices < MOST_SLICES) slices++;
  solo_store_relaxed(&m->slices, slices); /* relaxed: hints */
  solo_store_relaxed(&m->naps, NAPS_PER_SLICE << slices);
}

void solo_remote_mpi_pause(solo_remote_channel *c, uint64_t ns) {
  if (ns < YIELD_NS)
    yield_briefly(solo_remote_mpi_channel_of(c));
  else
    sleep_for(SLEEP_NS);
}

/* Returns the time without messages, measured since the first thread began to wait. */
static uint64_t quiet_ns(mpi_channel *m, uint64_t now) {
  uint64_t since = solo_load_relaxed(&m->quiet_since_ns); /* hints */
  if (!since) solo_store_relaxed(&m->quiet_since_ns, since = now);
  return now > since ? now - since : 0;
}

static int has_news(const solo_remote_channel *c, uint64_t count) {
  /* relaxed: hints; the caller checks again */
  return solo_load_relaxed(&c->link->lost) ||
         (job.rank == 0 ? solo_load_relaxed(&c->shared->completed) >= count
                        : solo_load_relaxed(&c->shared->head) != c->head);
}

static int is_moving(mpi_channel *m) {
  solo_remote_mpi_acquire();
  int moving = m->first_transfer != m->last_transfer;
  solo_remote_mpi_release();
  return moving;
}

/* Program: polls. The naps grow with the time without messages. */
static void poll_until(solo_remote_channel *c, uint64_t count, uint64_t timeout_ns) {
  uint64_t start = solo_now_ns(), now = start;
  do {
    for (int polls = 0; polls < POLLS_PER_YIELD; polls++) {
      solo_remote_mpi_poll();
      if (has_news(c, count)) return;
    }
    uint64_t quiet = quiet_ns(solo_remote_mpi_channel_of(c), now);
    if (quiet < YIELD_NS)
      yield_briefly(solo_remote_mpi_channel_of(c));
    else
      sleep_for(is_moving(solo_remote_mpi_channel_of(c)) ? SLEEP_NS
                                                         : SLEEP_NS + (quiet - YIELD_NS) / 16);
    now = solo_now_ns();
  } while (now - start < timeout_ns);
}

/* Sleeps for `ns` or until another thread receives a message. Returns nonzero if other threads have
 * polled. */
static int sleep_while_others_poll(solo_remote_channel *c, uint64_t ns) {
  uint32_t before = solo_load_relaxed(&job.polls); /* relaxed: hints */
  solo_remote_read_bells(c);
  if (!has_news(c, 0))
    solo_remote_shm_transport.await(c, SOLO_REMOTE_NEXT_MESSAGE,
                                    ns < MAX_SLEEP_NS ? ns : MAX_SLEEP_NS);
  return solo_load_relaxed(&job.polls) != before;
}

/* The control thread polls only while no thread of a queue polls. Otherwise it sleeps longer,
 * because each wake takes as much time as many messages. */
static void keep_watch(solo_remote_channel *c, uint64_t timeout_ns) {
  uint64_t start = solo_now_ns(), now = start;
  for (int is_helped = 0; now - start < timeout_ns && !has_news(c, 0); now = solo_now_ns()) {
    for (int polls = is_helped ? POLLS_PER_YIELD : 0; polls < POLLS_PER_YIELD; polls++) {
      solo_remote_mpi_poll();
      if (has_news(c, 0)) return;
    }
    solo_remote_mpi_answer_for_other_threads(solo_remote_mpi_link_of(c->link));
    solo_remote_mpi_check_liveness();
    uint64_t quiet = quiet_ns(solo_remote_mpi_channel_of(c), now);
    if (quiet < CONTROL_YIELD_NS && !is_helped) {
      uint32_t before = solo_load_relaxed(&job.polls); /* a hint */
      yield_briefly(solo_remote_mpi_channel_of(c));
      is_helped = solo_load_relaxed(&job.polls) != before;
    } else {
      is_helped = sleep_while_others_poll(c, is_helped ? MAX_SLEEP_NS : SLEEP_NS + quiet / 16);
    }
  }
}

static void await_message(solo_remote_channel *c, uint64_t timeout_ns) {
  mpi_channel *m = solo_remote_mpi_channel_of(c);
  if (solo_load_relaxed(&m->owes)) solo_remote_mpi_answer_channel(c); /* relaxed: a hint */
  if (c->number == 0)
    keep_watch(c, timeout_ns);
  else if (quiet_ns(m, solo_now_ns()) < YIELD_NS)
    yield_briefly(solo_remote_mpi_channel_of(c));
  else
    solo_remote_shm_transport.await(c, SOLO_REMOTE_NEXT_MESSAGE,
                                    timeout_ns < QUEUE_SLEEP_NS ? timeout_ns : QUEUE_SLEEP_NS);
}

/* Waits for another queue's completion or for a gate. First sends a deferred answer, which the
 * program may need before it opens the gate. */
static void await_others(solo_remote_channel *c, uint64_t count, uint64_t timeout_ns) {
  if (count == SOLO_REMOTE_NEVER && solo_load_relaxed(&solo_remote_mpi_channel_of(c)->owes))
    solo_remote_mpi_answer_channel(c); /* relaxed: a hint */
  solo_remote_shm_transport.await(c, count, timeout_ns);
}

void solo_remote_mpi_await(solo_remote_channel *c, uint64_t count, uint64_t timeout_ns) {
  if (job.rank == 0 && timeout_ns)
    poll_until(c, count, timeout_ns);
  else if (job.rank == 0)
    solo_remote_mpi_poll();
  else if (count == SOLO_REMOTE_NEXT_MESSAGE)
    await_message(c, timeout_ns);
  else
    await_others(c, count, timeout_ns);
}
