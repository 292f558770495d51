/* Waiting over MPI: nobody is woken by a message, so who waits looks. While messages come it looks all
 * the time and only lets others run in between, since a nap costs more than what it would wait for; when
 * nothing has come for a while it naps, longer and longer. A server's queues sleep then, and its control
 * thread looks for all of them. */
#define _GNU_SOURCE
#include "backends/remote/remote_mpi.h"
#include "backends/remote/remote_mpi_lifeline.h"

#include <time.h>

enum {
  LOOKS_PER_YIELD = 4,
  NAP_NS = 20 * 1000, /* the first */
  LONGEST_NAP_NS = 2 * 1000 * 1000,
  QUEUE_SLEEP_NS = 20 * 1000 * 1000, /* of a server's queue, before it looks itself */
  POLITE_NS = 20 * 1000 * 1000,      /* of looking before naps */
  /* the same of a server's control thread: it would take the processor from the queue that looks */
  CONTROL_POLITE_NS = 200 * 1000,
  SLICE_NS = 200 * 1000, /* a yield that takes so long was another's time slice */
  NAPS_PER_SLICE = 4,
  MOST_SLICES = 6,
};

#define job solo_remote_mpi

static void nap(uint64_t ns) {
  const struct timespec time = {.tv_nsec = (long)(ns < LONGEST_NAP_NS ? ns : LONGEST_NAP_NS)};
  (void)nanosleep(&time, NULL);
}

/* Where there are more threads than processors, who yields waits for the others' time slices, and who naps
 * runs when it wakes: so the more often a yield has taken long, the more naps come before the next. */
static void let_others_run(mpi_channel *m) {
  uint32_t naps = solo_load_relaxed(&m->naps); /* hints, all of them */
  if (SOLO_UNLIKELY(naps)) {
    solo_store_relaxed(&m->naps, naps - 1);
    nap(NAP_NS);
    return;
  }
  uint64_t before = solo_now_ns();
  (void)sched_yield();
  uint32_t slices = solo_load_relaxed(&m->slices);
  if (SOLO_LIKELY(solo_now_ns() - before < SLICE_NS)) {
    if (SOLO_UNLIKELY(slices)) solo_store_relaxed(&m->slices, 0); /* a hint */
    return;
  }
  if (slices < MOST_SLICES) slices++;
  solo_store_relaxed(&m->slices, slices); /* hints, both */
  solo_store_relaxed(&m->naps, NAPS_PER_SLICE << slices);
}

void solo_remote_mpi_pause(solo_remote_channel *c, uint64_t ns) {
  if (ns < POLITE_NS)
    let_others_run(solo_remote_mpi_channel_of(c));
  else
    nap(NAP_NS);
}

/* Several threads of a program may wait on one channel: then each takes the first one's time. */
static uint64_t quiet_ns(mpi_channel *m, uint64_t now) {
  uint64_t since = solo_load_relaxed(&m->quiet_since_ns); /* a hint, here and below */
  if (!since) solo_store_relaxed(&m->quiet_since_ns, since = now);
  return now > since ? now - since : 0;
}

static int has_news(const solo_remote_channel *c, uint64_t count) {
  /* looks only: the caller looks again */
  return solo_load_relaxed(&c->link->lost) ||
         (job.rank == 0 ? solo_load_relaxed(&c->shared->completed) >= count
                        : solo_load_relaxed(&c->shared->head) != c->head);
}

/* MPI brings bytes only as far as it is called. */
static int is_moving(mpi_channel *m) {
  solo_remote_mpi_acquire();
  int moving = m->first_transfer != m->last_transfer;
  solo_remote_mpi_release();
  return moving;
}

/* The program's: naps get longer, since what has taken long may be told a little later. */
static void poll_until(solo_remote_channel *c, uint64_t count, uint64_t timeout_ns) {
  uint64_t start = solo_now_ns(), now = start;
  do {
    for (int looks = 0; looks < LOOKS_PER_YIELD; looks++) {
      solo_remote_mpi_poll();
      if (has_news(c, count)) return;
    }
    uint64_t quiet = quiet_ns(solo_remote_mpi_channel_of(c), now);
    if (quiet < POLITE_NS)
      let_others_run(solo_remote_mpi_channel_of(c));
    else
      nap(is_moving(solo_remote_mpi_channel_of(c)) ? NAP_NS : NAP_NS + (quiet - POLITE_NS) / 16);
    now = solo_now_ns();
  } while (now - start < timeout_ns);
}

/* Sleeps for ns; sooner when another thread has received a message for the channel. Nonzero: others have looked
 * for messages meanwhile. */
static int sleep_while_others_look(solo_remote_channel *c, uint64_t ns) {
  uint32_t before = solo_load_relaxed(&job.looks); /* a hint, as below */
  solo_remote_note_bells(c);
  if (!has_news(c, 0))
    solo_remote_shm_transport.await(c, SOLO_REMOTE_NEXT_MESSAGE,
                                    ns < LONGEST_NAP_NS ? ns : LONGEST_NAP_NS);
  return solo_load_relaxed(&job.looks) != before;
}

/* The control thread of a server looks for all while no queue's thread does. While one does, it sleeps, since
 * it would take that thread's processor, and each time that it wakes costs as much as many messages. */
static void keep_watch(solo_remote_channel *c, uint64_t timeout_ns) {
  uint64_t start = solo_now_ns(), now = start;
  for (int is_helped = 0; now - start < timeout_ns && !has_news(c, 0); now = solo_now_ns()) {
    for (int looks = is_helped ? LOOKS_PER_YIELD : 0; looks < LOOKS_PER_YIELD; looks++) {
      solo_remote_mpi_poll();
      if (has_news(c, 0)) return;
    }
    solo_remote_mpi_answer_for_others(solo_remote_mpi_link_of(c->link));
    solo_remote_mpi_look_for_dead();
    uint64_t quiet = quiet_ns(solo_remote_mpi_channel_of(c), now);
    if (quiet < CONTROL_POLITE_NS && !is_helped) {
      uint32_t before = solo_load_relaxed(&job.looks); /* a hint */
      let_others_run(solo_remote_mpi_channel_of(c));
      is_helped = solo_load_relaxed(&job.looks) != before;
    } else {
      is_helped = sleep_while_others_look(c, is_helped ? LONGEST_NAP_NS : NAP_NS + quiet / 16);
    }
  }
}

/* A queue's thread goes on looking until it has been idle for long; the caller has let others run. */
static void await_message(solo_remote_channel *c, uint64_t timeout_ns) {
  mpi_channel *m = solo_remote_mpi_channel_of(c);
  if (solo_load_relaxed(&m->owes)) solo_remote_mpi_answer_channel(c); /* mostly its own */
  if (c->number == 0)
    keep_watch(c, timeout_ns);
  else if (quiet_ns(m, solo_now_ns()) < POLITE_NS)
    let_others_run(solo_remote_mpi_channel_of(c));
  else
    solo_remote_shm_transport.await(c, SOLO_REMOTE_NEXT_MESSAGE,
                                    timeout_ns < QUEUE_SLEEP_NS ? timeout_ns : QUEUE_SLEEP_NS);
}

/* For another queue of ours, or at a gate. The program may have to hear first what is complete, so that it opens that. */
static void await_others(solo_remote_channel *c, uint64_t count, uint64_t timeout_ns) {
  if (count == SOLO_REMOTE_NEVER && solo_load_relaxed(&solo_remote_mpi_channel_of(c)->owes))
    solo_remote_mpi_answer_channel(c); /* its own, as await_message */
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
