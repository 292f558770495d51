/* A connection over MPI: creation, end, direct copies. */
#define _GNU_SOURCE
#include "backends/remote/remote_mpi.h"
#include "backends/remote/remote_mpi_liveness.h"

#include <stdlib.h>
#include <sys/mman.h>

#define job solo_remote_mpi

enum { STOP_NS = 100 * 1000 * 1000 };

/* Returns 0 if another direct copy can start; -1: too many await an answer; 1: no memory is left. */
static int find_space(solo_remote_channel *c) {
  mpi_channel *m = solo_remote_mpi_channel_of(c);
  if (!m->transfers) m->transfers = calloc(JOB_TRANSFERS, sizeof *m->transfers);
  if (!m->transfers) return 1;
  solo_remote_mpi_acquire();
  int is_full = m->last_transfer - m->first_transfer == JOB_TRANSFERS;
  solo_remote_mpi_release();
  return is_full ? -1 : 0;
}

/* Cancels a copy with a lost rank and waits for its end, but not longer than `until`. MPI may access
 * the memory until the copy has ended; a copy with a dead rank may never end. With job.lock. */
static void stop(MPI_Request *request, uint64_t until) {
  int done = 0;
  (void)MPI_Cancel(request);
  do {
    if (MPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return;
  } while (!done && solo_now_ns() < until);
  if (!done) (void)MPI_Request_free(request);
}

/* Waits for the end of a copy; releases the lock during pauses. Returns nonzero if the other rank
 * is lost. With job.lock. */
static int finish_move(solo_remote_channel *c, int rank, MPI_Request *request) {
  int done = 0, failed = 0;
  for (uint64_t start = solo_now_ns(); !failed && !done;) {
    failed = solo_remote_mpi_failed(rank, MPI_Test(request, &done, MPI_STATUS_IGNORE));
    if (failed || done) break;
    failed = solo_load_relaxed(&c->link->lost) || solo_remote_mpi_is_dead(rank);
    if (failed) stop(request, solo_now_ns() + STOP_NS);
    solo_remote_mpi_release();
    /* the program may wait for the deferred answer before it continues the copy */
    if (solo_load_relaxed(&solo_remote_mpi_channel_of(c)->owes)) solo_remote_mpi_answer_channel(c);
    solo_remote_mpi_pause(c, solo_now_ns() - start);
    solo_remote_mpi_poll(); /* may receive the message that ends the session */
    solo_remote_mpi_check_liveness();
    solo_remote_mpi_acquire();
  }
  return failed;
}

int solo_remote_mpi_move_between(solo_remote_channel *c, const solo_remote_move *m) {
  MPI_Request request;
  int rank = (int)m->server, size = (int)m->size, tag = (int)m->tag;
  if (rank < 1 || rank >= job.size || rank == job.rank || m->tag > SOLO_REMOTE_MAX_TAG) return -1;
  solo_remote_mpi_acquire();
  int failed =
      solo_remote_mpi_is_dead(rank) ||
      solo_remote_mpi_failed(
          rank, m->way == SOLO_REMOTE_SEND
                    ? MPI_Isend(m->bytes, size, MPI_BYTE, rank, tag, job.between, &request)
                    : MPI_Irecv(m->bytes, size, MPI_BYTE, rank, tag, job.between, &request));
  if (!failed) failed = finish_move(c, rank, &request);
  solo_remote_mpi_release();
  return failed;
}

/* Program: begins the direct copy of the next message. */
static int begin_move(solo_remote_channel *c, const solo_remote_move *what) {
  mpi_channel *m = solo_remote_mpi_channel_of(c);
  mpi_transfer t = {.request = MPI_REQUEST_NULL, .ticket = c->count + 1};
  int space = find_space(c);
  if (space) return space;
  solo_remote_mpi_acquire();
  int failed = solo_load_relaxed(&c->link->lost);
  if (what->way == SOLO_REMOTE_OFFER) {
    t.offered = what->bytes;
    t.size = what->size;
  } else if (!failed) {
    failed = solo_remote_mpi_start_move(c, what->bytes, what->size, what->way, &t.request);
  }
  if (!failed) m->transfers[m->last_transfer++ % JOB_TRANSFERS] = t;
  solo_remote_mpi_release();
  return failed;
}

static int mpi_move(solo_remote_channel *c, const solo_remote_move *m) {
  MPI_Request request;
  const mpi_answer wanted = {
      .channel = JOB_ANSWER_REQUESTED, .errors_made = c->number, .completed = c->count};
  if (job.rank == 0) return begin_move(c, m);
  if (m->server) return solo_remote_mpi_move_between(c, m);
  solo_remote_mpi_acquire();
  /* relaxed: a late read is harmless */
  if (m->way == SOLO_REMOTE_OFFER && !solo_load_relaxed(&c->link->lost))
    solo_remote_mpi_answer(&wanted, offsetof(mpi_answer, more));
  int failed = solo_remote_mpi_start_move(c, m->bytes, m->size, m->way, &request) ||
               finish_move(c, 0, &request);
  solo_remote_mpi_release();
  return failed;
}

static void stop_transfers(mpi_link *l) {
  uint64_t until = solo_now_ns() + STOP_NS;
  for (int n = 0; n < SOLO_REMOTE_CHANNELS; n++) {
    mpi_channel *m = &l->channels[n];
    for (; m->first_transfer != m->last_transfer; m->first_transfer++) {
      MPI_Request *r = &m->transfers[m->first_transfer % JOB_TRANSFERS].request;
      if (solo_load_relaxed(&job.is_over)) return; /* relaxed: a late read is harmless */
      if (*r != MPI_REQUEST_NULL) stop(r, until);
    }
  }
}

/* In the program, also stops copies with a lost server, because the caller may reuse the copies'
 * memory after this call. */
int solo_remote_mpi_is_alive(solo_remote_link *link) {
  mpi_link *l = solo_remote_mpi_link_of(link);
  solo_remote_mpi_check_liveness();
  if (SOLO_LIKELY(!solo_load_relaxed(&link->lost))) return 1;
  /* before the lock, for which a child of fork(2) could wait forever */
  if (solo_load_relaxed(&job.is_over)) return 0;
  solo_remote_mpi_acquire();
  if (job.rank == 0) stop_transfers(l);
  solo_remote_mpi_release();
  return 0;
}

/* The program maps no staging areas, which would need 256 MiB per server. */
static size_t memory_bytes(void) {
  return job.rank == 0 ? SOLO_REMOTE_CHANNELS * sizeof(solo_remote_shared)
                       : SOLO_REMOTE_MEMORY_BYTES;
}

void solo_remote_mpi_free_memory(mpi_link *l) {
  if (l->is_near)
    solo_remote_unmap_file(&l->link);
  else
    munmap(l->link.memory, memory_bytes());
}

/* Returns whether the peer has received all messages. If not, the rings stay mapped, because MPI
 * may still read them. */
static int is_received(solo_remote_link *link) {
  for (uint32_t n = 0; n < SOLO_REMOTE_CHANNELS; n++) {
    const solo_remote_shared *s = solo_remote_shared_of(link, n);
    /* relaxed: no thread uses the link any more */
    if (solo_load_relaxed(&s->head) != solo_load_relaxed(&s->tail)) return 0;
  }
  return 1;
}

void solo_remote_mpi_close(solo_remote_link *link) {
  mpi_link *l = solo_remote_mpi_link_of(link);
  solo_remote_mpi_acquire();
  if (job.rank == 0)
    (void)solo_remote_mpi_send(job.messages, l->rank, JOB_TAG_CLOSE, &l->session,
                               sizeof l->session);
  stop_transfers(l);
  for (int n = 0; n < SOLO_REMOTE_CHANNELS; n++) free(l->channels[n].transfers);
  solo_remote_mpi_reject_forwards(l, UINT32_MAX);
  if (job.links) job.links[l->rank] = NULL;
  if (l->is_far) solo_sub_relaxed(&job.far_links, 1); /* relaxed: under job.lock */
  solo_remote_mpi_release();
  if (job.rank != 0 || l->is_near || is_received(link)) solo_remote_mpi_free_memory(l);
  free(l);
}

static int forward_operation(solo_remote_channel *c, solo_remote_forward *forward) {
  if (job.rank == 0) return solo_remote_mpi_request_forward(c->link, forward);
  solo_remote_mpi_poll(); /* receives a forward request that has arrived with the data */
  return !solo_remote_mpi_next_forward(c, c->count, forward);
}

const solo_remote_transport solo_remote_mpi_transport = {
    .post = solo_remote_mpi_post,
    .receive = solo_remote_mpi_receive,
    .complete = solo_remote_mpi_complete,
    .await = solo_remote_mpi_await,
    .move = mpi_move,
    .forward = forward_operation,
    .is_alive = solo_remote_mpi_is_alive,
    .end = solo_remote_mpi_end,
    .close = solo_remote_mpi_close,
};

mpi_link *solo_remote_mpi_make_link(int rank, uint32_t session) {
  mpi_link *l = calloc(1, sizeof *l);
  void *memory = mmap(NULL, memory_bytes(), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (!l || memory == MAP_FAILED) {
    free(l);
    if (memory != MAP_FAILED) munmap(memory, memory_bytes());
    return NULL;
  }
  l->link.transport = &solo_remote_mpi_transport;
  l->link.memory = memory;
  l->link.has_no_staging = job.rank == 0;
  l->link.copies_directly = 1;
  l->rank = rank;
  l->session = session;
  l->link.number = (uint32_t)rank;
  solo_remote_channel_of(&l->link, 0, &l->channels[0].arriving);
  return l;
}
