/* Sends and receives messages to servers and answers to the program. */
#define _GNU_SOURCE
#include "backends/remote/remote_mpi.h"
#include "backends/remote/remote_mpi_liveness.h"

#include <stdlib.h>
#include <string.h>

enum {
  TESTS_PER_POLL = 8,
  POLLS_PER_RECEIVE = 4,
  ANSWER_NS = 20 * 1000,
};

#define job solo_remote_mpi

void solo_remote_mpi_post(solo_remote_channel *c, uint32_t bytes) {
  solo_remote_shared *s = c->shared;
  const void *message = s->ring + c->head % SOLO_REMOTE_RING_BYTES;
  solo_remote_count_message(c, bytes);
  c->is_awaited = 0; /* prevents early sleeps, because MPI wakes no thread */
  solo_remote_mpi_reset_quiet_time(solo_remote_mpi_channel_of(c));
  /* relaxed: only this thread writes errors_reported */
  int reported = (int)(solo_load_relaxed(&s->errors_reported) & 1);
  int rank = solo_remote_mpi_link_of(c->link)->rank;
  MPI_Request request;
  solo_remote_mpi_acquire();
  /* Invariant: the message stays in the ring until an answer frees its space; MPI reads it there. */
  if (!solo_load_relaxed(&c->link->lost) &&
      !solo_remote_mpi_failed(rank, MPI_Isend(message, (int)bytes, MPI_BYTE, rank,
                                              (int)c->number + reported * JOB_REPORTED_BIT,
                                              job.messages, &request)))
    (void)solo_remote_mpi_failed(rank, MPI_Request_free(&request));
  solo_remote_mpi_release();
}

/* Returns whether the direct copies for messages up to `completed` have ended. With job.lock. */
static int has_moved(int rank, mpi_channel *m, uint64_t completed) {
  while (m->first_transfer != m->last_transfer) {
    mpi_transfer *t = &m->transfers[m->first_transfer % JOB_TRANSFERS];
    int done = 0;
    if (t->ticket > completed) return 1;
    if (solo_remote_mpi_failed(rank, MPI_Test(&t->request, &done, MPI_STATUS_IGNORE)) || !done)
      return 0;
    m->first_transfer++;
  }
  return 1;
}

static int is_nonsense(const solo_remote_shared *s, const mpi_answer *a) {
  /* relaxed: the program stores both before it sends the message that is answered */
  return a->completed > solo_load_relaxed(&s->posted) || a->tail > solo_load_relaxed(&s->head);
}

static void process_answer(mpi_link *l, const mpi_answer *a, size_t bytes) {
  solo_remote_shared *s = solo_remote_shared_of(&l->link, a->channel);
  if (is_nonsense(s, a)) {
    solo_store_relaxed(&l->link.lost, 1);
    return;
  }
  if (bytes == sizeof *a) {
    s->result = a->more.result;
    /* Invariant: the result is complete if errors_made shows a failure.
     * Ordering:  this release store pairs with the acquire load in solo_remote_has_error().
     * Otherwise: a sync could report a partial result.
     */
    solo_store_release(&s->errors_made, a->errors_made);
  }
  /* Invariant: MPI has read the messages before tail.
   * Ordering:  this release store pairs with the acquire load in solo_remote_reserve().
   * Otherwise: a new message could overwrite one that MPI still sends.
   */
  solo_store_release(&s->tail, a->tail);
  /* Invariant: results and copies of completed messages have arrived.
   * Ordering:  this release store pairs with the acquire load in solo_remote_completed().
   * Otherwise: a waiting thread could read old data.
   */
  solo_store_release(&s->completed, a->completed);
  solo_remote_mpi_reset_quiet_time(&l->channels[a->channel]);
}

/* Returns whether the answer must be handled again later, because direct copies have not ended.
 * With job.lock. */
static int handle_answer(const mpi_answer *a, const MPI_Status *status) {
  int bytes = 0;
  mpi_link *l = job.links[status->MPI_SOURCE];
  (void)MPI_Get_count(status, MPI_BYTE, &bytes);
  if (a->channel == JOB_ANSWER_LAST) job.last_answers++;
  if (!l || solo_load_relaxed(&l->link.lost)) return 0;
  int is_opened = solo_load_relaxed(&l->opened);
  if ((size_t)bytes == sizeof *a && a->channel == JOB_ANSWER_OPENED && a->completed == l->session) {
    l->link.welcome = a->more.welcome;
    l->is_taken = a->tail != 0;
    solo_store_release(&l->opened, 1); /* pairs with solo_remote_mpi_connect() */
  } else if (is_opened && bytes == offsetof(mpi_answer, more) &&
             a->channel == JOB_ANSWER_REQUESTED) {
    if (solo_remote_mpi_send_offered(l, a->errors_made, a->completed))
      solo_store_relaxed(&l->link.lost, 1);
  } else if (is_opened && (bytes == offsetof(mpi_answer, more) || (size_t)bytes == sizeof *a) &&
             a->channel < SOLO_REMOTE_CHANNELS && !l->is_near) {
    if (!has_moved(l->rank, &l->channels[a->channel], a->completed))
      return !solo_load_relaxed(&l->link.lost);
    process_answer(l, a, (size_t)bytes);
  } else if (is_opened) { /* the session has ended, or the answer is malformed */
    char why[SOLO_REMOTE_REFUSAL_BYTES] = "";
    if ((size_t)bytes == sizeof *a && a->channel == JOB_ANSWER_ENDED)
      memcpy(why, a->more.result.text, sizeof why - 1);
    if (why[0]) solo_remote_record_refusal(&l->link, why);
    solo_store_relaxed(&l->link.lost, 1);
  }
  return 0;
}

static void answer_end(mpi_link *l) {
  mpi_answer a = {.channel = JOB_ANSWER_ENDED};
  const solo_remote_shared *control = solo_remote_shared_of(&l->link, 0);
  /* pairs with solo_remote_record_refusal() */
  int is_refused = solo_load_acquire(&control->refused) == 2;
  if (is_refused) memcpy(a.more.result.text, control->refusal, SOLO_REMOTE_REFUSAL_BYTES);
  if (!solo_load_relaxed(&l->link.lost))
    solo_remote_mpi_answer(&a, is_refused ? sizeof a : offsetof(mpi_answer, more));
  solo_remote_mpi_end_link(l);
}

static void begin_channel(mpi_link *l, const solo_remote_plain *m) {
  if (m->head.bytes < sizeof *m || m->object == 0 || m->object >= SOLO_REMOTE_CHANNELS) return;
  mpi_channel *state = &l->channels[m->object];
  solo_remote_mpi_reject_forwards(l, m->object);
  *state = (mpi_channel){0};
  solo_remote_channel_of(&l->link, m->object, &state->arriving);
  memset(state->arriving.shared, 0, offsetof(solo_remote_shared, ring));
}

/* Copies a message to the polling thread's buffer, without the ring. With job.lock. */
static void copy_to_receiver(solo_remote_channel *c, const void *message, uint32_t bytes) {
  solo_remote_channel *receiver = job.receiver.channel;
  memcpy(job.receiver.buffer, message, bytes);
  job.receiver.bytes = (int)bytes;
  solo_remote_count_message(c, bytes);
  receiver->head = receiver->tail = c->head;
  receiver->count++;
  /* pairs with solo_remote_reserve(), the fence with solo_remote_shm_complete() */
  solo_store_release(&c->shared->tail, receiver->tail);
  solo_fence_acquire();
}

static void handle_message(mpi_link *l, const void *message, uint32_t bytes, int tag) {
  solo_remote_head head;
  uint32_t number = (uint32_t)tag % SOLO_REMOTE_CHANNELS;
  solo_remote_channel *c = &l->channels[number].arriving;
  if (bytes < sizeof head) {
    answer_end(l);
    return;
  }
  memcpy(&head, message, sizeof head);
  /* with shared memory (is_near) the program sends no messages over MPI */
  int fits = head.bytes == bytes && bytes % SOLO_REMOTE_ALIGN == 0 && c->shared && !l->is_near;
  const solo_remote_channel *receiver = job.receiver.channel;
  /* the polling thread may receive the message only if the ring has no earlier one */
  int is_next = receiver && receiver->number == number && receiver->tail == c->head;
  void *space = fits ? solo_remote_reserve(c, bytes) : NULL;
  if (!space) {
    answer_end(l);
    return;
  }
  if (number == 0 && head.kind == SOLO_REMOTE_QUEUE_OPEN) begin_channel(l, message);
  uint32_t made = solo_load_relaxed(&c->shared->errors_made);
  if ((made & 1) == (uint32_t)tag / JOB_REPORTED_BIT)
    /* Invariant: if errors_reported equals errors_made, the result has been read.
     * Ordering:  this release store pairs with the acquire load in note_error().
     * Otherwise: a failure could overwrite the result.
     */
    solo_store_release(&c->shared->errors_reported, made);
  if (is_next) {
    copy_to_receiver(c, message, bytes);
  } else {
    memcpy(space, message, bytes);
    solo_remote_shm_transport.post(c, bytes);
  }
}

static void note_open(const void *message, int bytes, uint32_t session) {
  job.open_request = (mpi_open){.session = session, .file = -1};
  if (bytes == (int)sizeof job.open_request)
    memcpy(&job.open_request, message, sizeof job.open_request);
  solo_store_relaxed(&job.opened, session); /* relaxed: readers then lock job.lock */
}

static void handle_program(const mpi_slot *slot, const MPI_Status *status) {
  int bytes = 0;
  mpi_link *l = job.links[0];
  uint32_t word = 0;
  (void)MPI_Get_count(status, MPI_BYTE, &bytes);
  if (bytes >= (int)sizeof word) memcpy(&word, slot->bytes.message, sizeof word);
  if (status->MPI_TAG < JOB_TAG_OPEN) {
    if (l && !solo_load_relaxed(&l->link.lost)) /* relaxed: a late read is harmless */
      handle_message(l, slot->bytes.message, (uint32_t)bytes, status->MPI_TAG);
    return;
  }
  if (status->MPI_TAG == JOB_TAG_FORWARD) {
    if (solo_remote_mpi_receive_forward_request(l, slot->bytes.message, bytes) && l) answer_end(l);
    return;
  }
  if (status->MPI_TAG == JOB_TAG_DEAD && word > 0 && (int64_t)word < job.size &&
      (int)word != job.rank) {
    solo_remote_mpi_note_death((int)word);
    return;
  }
  if (l) solo_remote_mpi_end_link(l);
  if (status->MPI_TAG == JOB_TAG_OPEN) note_open(slot->bytes.message, bytes, word);
  if (status->MPI_TAG != JOB_TAG_END) return;
  const mpi_answer last = {.channel = JOB_ANSWER_LAST};
  solo_remote_mpi_answer(&last, offsetof(mpi_answer, more));
  solo_remote_mpi_end_program();
}

/* Returns a free buffer for an answer, or NULL. MPI_Test is slow, because it makes progress for
 * all requests; therefore a call follows a send. */
static mpi_sent *space_for_answer(void) {
  mpi_sent *next = &job.sent[job.next_sent % JOB_ANSWERS];
  int done = 1;
  if (next->request != MPI_REQUEST_NULL &&
      solo_remote_mpi_failed(0, MPI_Test(&next->request, &done, MPI_STATUS_IGNORE)))
    return NULL;
  return done ? next : NULL;
}

static void send_answer(mpi_sent *next, size_t bytes) {
  (void)solo_remote_mpi_failed(
      0, MPI_Isend(&next->answer, (int)bytes, MPI_BYTE, 0, 0, job.answers, &next->request));
  /* if the send is complete, the next answer uses the same, cached buffer */
  if (!space_for_answer()) job.next_sent++;
}

void solo_remote_mpi_answer(const mpi_answer *answer, size_t bytes) {
  mpi_sent *next;
  while (!(next = space_for_answer())) {
    solo_remote_mpi_check_liveness_locked();
    if (solo_load_relaxed(&job.is_over)) return;
  }
  memcpy(&next->answer, answer, bytes);
  send_answer(next, bytes);
}

/* Sends the channel's answer if possible. Only the channel's thread (is_own nonzero) sends a
 * result, because that thread writes results. With job.lock. */
static void answer(mpi_link *l, uint32_t number, int is_own) {
  mpi_channel *m = &l->channels[number];
  const solo_remote_shared *s = solo_remote_shared_of(&l->link, number);
  /* Invariant: each completion is answered or followed by owes = 1.
   * Ordering:  this exchange precedes the load of completed; it pairs with the release store in
   *            solo_remote_mpi_complete().
   * Otherwise: a completion between load and exchange would receive no answer.
   */
  int owed = solo_load_relaxed(&m->owes) && solo_exchange_acq_rel(&m->owes, 0);
  uint64_t completed = solo_load_acquire(&s->completed), /* pairs with solo_remote_mpi_complete() */
      tail = solo_load_relaxed(&s->tail);
  uint32_t errors = solo_load_acquire(&s->errors_made); /* pairs with note_error() */
  int has_result = number == 0 || errors != solo_load_relaxed(&m->answered_errors);
  if (has_result && !is_own) {
    if (owed) solo_store_relaxed(&m->owes, 1);
    return;
  }
  mpi_sent *next = space_for_answer();
  if (!next) {
    solo_store_relaxed(&m->owes, 1);
    return;
  }
  /* relaxed: written under the lock; hints for other readers */
  solo_store_relaxed(&m->answered_ns, 0);
  solo_store_relaxed(&m->answered_errors, errors);
  solo_store_relaxed(&m->answered_tail, tail);
  if (solo_load_relaxed(&l->link.lost)) return;
  mpi_answer *a = &next->answer;
  a->channel = number;
  a->errors_made = errors;
  a->completed = completed;
  a->tail = tail;
  if (has_result) a->more.result = s->result;
  send_answer(next, has_result ? sizeof *a : offsetof(mpi_answer, more));
}

void solo_remote_mpi_answer_channel(solo_remote_channel *c) {
  solo_remote_mpi_acquire();
  answer(solo_remote_mpi_link_of(c->link), c->number, 1);
  solo_remote_mpi_release();
}

void solo_remote_mpi_answer_for_other_threads(mpi_link *l) {
  for (uint32_t n = 1; n < SOLO_REMOTE_CHANNELS; n++) {
    if (SOLO_LIKELY(!solo_load_relaxed(&l->channels[n].owes))) continue; /* relaxed: a hint */
    solo_remote_mpi_acquire();
    answer(l, n, 0);
    solo_remote_mpi_release();
  }
}

/* Like solo_remote_mpi_poll(), but also copies the next message of channel `receiver` to buffer and
 * returns its length; 0: none, or receiver is NULL. */
static int poll_for(solo_remote_channel *receiver, void *buffer);

int solo_remote_mpi_receive(solo_remote_channel *c, void *buffer) {
  mpi_channel *m = solo_remote_mpi_channel_of(c);
  int bytes = solo_remote_shm_transport.receive(c, buffer);
  /* relaxed: a hint */
  if (bytes == 0 && solo_load_relaxed(&m->owes)) solo_remote_mpi_answer_channel(c);
  for (int polls = c->number ? POLLS_PER_RECEIVE : 1; bytes == 0 && polls > 0; polls--) {
    bytes = poll_for(c, buffer);
    if (bytes == 0) /* another thread may have stored a message in the ring */
      bytes = solo_remote_shm_transport.receive(c, buffer);
  }
  if (bytes) solo_remote_mpi_reset_quiet_time(m);
  /* this answer frees ring space for the program, even if no thread waits */
  if (c->tail - solo_load_relaxed(&m->answered_tail) >= SOLO_REMOTE_RING_BYTES / 4)
    solo_remote_mpi_answer_channel(c);
  return bytes;
}

static int is_time(mpi_channel *m) {
  /* relaxed: a hint, also below */
  uint64_t now = solo_now_ns(), then = solo_load_relaxed(&m->answered_ns);
  if (!then) solo_store_relaxed(&m->answered_ns, then = now);
  return now > then && now - then > ANSWER_NS;
}

/* Returns whether a failure must be sent at once. Only this thread can send it, and the thread's next
 * message may be a GATE, which blocks the thread until the program has received the failure. */
static int has_news_of_failure(const solo_remote_channel *c, mpi_channel *m) {
  /* relaxed: a hint */
  return solo_load_relaxed(&c->shared->errors_made) != solo_load_relaxed(&m->answered_errors);
}

/* If messages are pending, defers the answer: a later answer also reports this completion. */
void solo_remote_mpi_complete(solo_remote_channel *c, uint64_t count) {
  mpi_channel *m = solo_remote_mpi_channel_of(c);
  solo_fence_release(); /* pairs with the fence in solo_remote_shm_receive() */
  solo_store_release(&c->shared->completed, count); /* pairs with answer() */
  if (solo_load_relaxed(&c->shared->head) == c->tail || c->number == 0 ||
      has_news_of_failure(c, m) || is_time(m))
    solo_remote_mpi_answer_channel(c);
  else
    solo_store_release(&m->owes, 1); /* pairs with the exchange in answer() */
  /* wakes threads of this process that wait for the completion */
  solo_remote_shm_transport.complete(c, count);
}

static int receive(void) {
  int is_program = job.rank == 0;
  mpi_slot *slot = &job.slots[job.receiving++ % JOB_SLOTS];
  return solo_remote_mpi_failed(
      is_program ? JOB_NO_RANK : 0,
      MPI_Irecv(&slot->bytes,
                is_program ? (int)sizeof slot->bytes.answer : (int)sizeof slot->bytes.message,
                MPI_BYTE, is_program ? MPI_ANY_SOURCE : 0, MPI_ANY_TAG,
                is_program ? job.answers : job.messages, &slot->request));
}

void solo_remote_mpi_listen(void) {
  for (int n = 0; n < JOB_SLOTS; n++)
    if (receive()) return;
}

static void drop_long(void) {
  for (int n = 0; n < job.size; n++)
    if (job.links[n] && job.rank == 0)
      solo_store_relaxed(&job.links[n]->link.lost, 1); /* relaxed: a late read is harmless */
    else if (job.links[n])
      answer_end(job.links[n]);
}

/* Handles the oldest received message. Returns nonzero if there was one. MPI preserves the order
 * of each sender's messages, so the receives complete in posting order. */
static int poll_once(void) {
  /* static: if handle_answer() returns nonzero, the next call uses the same status */
  static MPI_Status status;
  mpi_slot *slot = &job.slots[job.next_slot % JOB_SLOTS];
  int kind = MPI_SUCCESS;
  if (slot->request != MPI_REQUEST_NULL) {
    int done = 0, code = MPI_Test(&slot->request, &done, &status);
    if (SOLO_UNLIKELY(code != MPI_SUCCESS)) (void)MPI_Error_class(code, &kind);
    if (kind == MPI_ERR_TRUNCATE)
      drop_long();
    else if (solo_remote_mpi_failed(job.rank == 0 ? JOB_NO_RANK : 0, code) || !done)
      return 0;
  }
  if (kind != MPI_ERR_TRUNCATE && job.rank == 0) {
    if (handle_answer(&slot->bytes.answer, &status)) return 0;
  } else if (kind != MPI_ERR_TRUNCATE) {
    handle_program(slot, &status);
  }
  job.next_slot++;
  if (job.receiving - job.next_slot <= JOB_SLOTS / 2) (void)receive();
  return 1;
}

/* Handles a message, or tests repeatedly for one. Receives are posted only if no message has
 * arrived, because posting would delay an answer. */
static void poll_repeatedly(void) {
  if (poll_once()) return;
  if (job.receiving - job.next_slot < JOB_SLOTS && receive()) return;
  for (int tests = 1; tests < TESTS_PER_POLL; tests++) {
    /* relaxed: a hint and a flag */
    if (solo_load_relaxed(&job.hurry) || solo_load_relaxed(&job.is_over) || poll_once()) return;
  }
}

static int poll_for(solo_remote_channel *receiver, void *buffer) {
  if (solo_load_relaxed(&job.hurry) || solo_load_relaxed(&job.is_over) ||
      !solo_lock_try(&job.lock)) {
    solo_cpu_relax();
    return 0;
  }
  /* relaxed: written under the lock */
  solo_store_relaxed(&job.polls, solo_load_relaxed(&job.polls) + 1);
  job.receiver.channel = receiver;
  job.receiver.buffer = buffer;
  job.receiver.bytes = 0;
  if (!solo_load_relaxed(&job.is_over)) poll_repeatedly();
  int bytes = job.receiver.bytes;
  solo_lock_release_tried(&job.lock);
  return bytes;
}

void solo_remote_mpi_poll(void) {
  (void)poll_for(NULL, NULL);
}

void solo_remote_mpi_end(solo_remote_link *link) {
  solo_remote_mpi_acquire();
  answer_end(solo_remote_mpi_link_of(link));
  solo_remote_mpi_release();
}
