/* A link over MPI: bytes beside its messages, its beginning and end, and all of it as a transport. */
#define _GNU_SOURCE
#include "backends/remote/remote_mpi.h"
#include "backends/remote/remote_mpi_lifeline.h"

#include <stdlib.h>
#include <sys/mman.h>

#define job solo_remote_mpi

enum { STOP_NS = 100 * 1000 * 1000 };

/* Is there room for one more transfer under way? -1: it comes with answers; 1: never. */
static int find_room(solo_remote_channel *c) {
  mpi_channel *m = solo_remote_mpi_channel_of(c);
  if (!m->transfers) m->transfers = calloc(JOB_TRANSFERS, sizeof *m->transfers);
  if (!m->transfers) return 1;
  solo_remote_mpi_acquire();
  int is_full = m->last_transfer - m->first_transfer == JOB_TRANSFERS;
  solo_remote_mpi_release();
  return is_full ? -1 : 0;
}

/* Of a move whose other side is gone. What is cancelled too late for that may still be written to memory that its owner then uses
 * for something else: so its end is waited for, but not for ever, since of the dead it never comes. The lock is held. */
static void stop(MPI_Request *request, uint64_t until) {
  int done = 0;
  (void)MPI_Cancel(request);
  do {
    if (MPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return;
  } while (!done && solo_now_ns() < until);
  if (!done) (void)MPI_Request_free(request);
}

/* With a rank; the lock is held, as it is afterwards. Nonzero: it is gone, or the program is. */
static int finish_move(solo_remote_channel *c, int rank, MPI_Request *request) {
  int done = 0, failed = 0;
  for (uint64_t start = solo_now_ns(); !failed && !done;) {
    failed = solo_remote_mpi_failed(rank, MPI_Test(request, &done, MPI_STATUS_IGNORE));
    if (failed || done) break;
    failed = solo_load_relaxed(&c->link->lost) ||
             solo_remote_mpi_is_dead(rank); /* flags by themselves */
    if (failed) stop(request, solo_now_ns() + STOP_NS);
    solo_remote_mpi_release();
    if (solo_load_relaxed(&solo_remote_mpi_channel_of(c)->owes)) /* what moves may wait for that */
      solo_remote_mpi_answer_channel(c);
    solo_remote_mpi_pause(c, solo_now_ns() - start);
    solo_remote_mpi_poll(); /* the end of the program would come there */
    solo_remote_mpi_look_for_dead();
    solo_remote_mpi_acquire();
  }
  return failed;
}

int solo_remote_mpi_move_between(solo_remote_channel *c, const solo_remote_move *m) {
  MPI_Request request;
  int rank = (int)m->server, size = (int)m->size, tag = (int)m->tag;
  if (rank < 1 || rank >= job.size || rank == job.rank || m->tag > SOLO_REMOTE_MOST_TAG) return -1;
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

/* The program's half: the transfer is over when the message that is posted next is answered. */
static int begin_move(solo_remote_channel *c, const solo_remote_move *what) {
  mpi_channel *m = solo_remote_mpi_channel_of(c);
  mpi_transfer t = {.request = MPI_REQUEST_NULL, .ticket = c->count + 1};
  int room = find_room(c);
  if (room) return room;
  solo_remote_mpi_acquire();
  int failed = solo_load_relaxed(&c->link->lost); /* a flag by itself */
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
      .channel = JOB_ANSWER_WANTED, .errors_made = c->number, .completed = c->count};
  if (job.rank == 0) return begin_move(c, m);
  if (m->server) return solo_remote_mpi_move_between(c, m);
  solo_remote_mpi_acquire();
  if (m->way == SOLO_REMOTE_OFFER && !solo_load_relaxed(&c->link->lost)) /* a flag by itself */
    solo_remote_mpi_answer(&wanted, offsetof(mpi_answer, more));
  int failed = solo_remote_mpi_start_move(c, m->bytes, m->size, m->way, &request) ||
               finish_move(c, 0, &request);
  solo_remote_mpi_release();
  return failed;
}

/* Of a session that is over, or whose server is. The lock is held. */
static void stop_transfers(mpi_link *l) {
  uint64_t until = solo_now_ns() + STOP_NS;
  for (int n = 0; n < SOLO_REMOTE_CHANNELS; n++) {
    mpi_channel *m = &l->channels[n];
    for (; m->first_transfer != m->last_transfer; m->first_transfer++) {
      MPI_Request *r = &m->transfers[m->first_transfer % JOB_TRANSFERS].request;
      if (solo_load_relaxed(&job.is_over)) return; /* a flag by itself */
      if (*r != MPI_REQUEST_NULL) stop(r, until);
    }
  }
}

/* A program that hears that its server is gone may use the memory of its copies for something else. */
int solo_remote_mpi_is_alive(solo_remote_link *link) {
  mpi_link *l = solo_remote_mpi_link_of(link);
  solo_remote_mpi_look_for_dead();
  if (SOLO_LIKELY(!solo_load_relaxed(&link->lost))) return 1; /* a flag by itself */
  if (solo_load_relaxed(&job.is_over)) return 0; /* likewise; the lock may be a parent's */
  solo_remote_mpi_acquire();
  if (job.rank == 0) stop_transfers(l);
  solo_remote_mpi_release();
  return 0;
}

/* The bytes of copies go past the program's staging areas: it has none, which were 256 MiB of addresses for each server. */
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

/* Has the server told that it has received all of it? Else MPI may still read what lies in the rings. */
static int is_received(solo_remote_link *link) {
  for (uint32_t n = 0; n < SOLO_REMOTE_CHANNELS; n++) {
    const solo_remote_shared *s = solo_remote_shared_of(link, n);
    /* nobody uses it any more */
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
  solo_remote_mpi_drop_gifts(l, UINT32_MAX);
  if (job.links) job.links[l->rank] = NULL;
  if (l->is_far) solo_sub_relaxed(&job.far_links, 1); /* as near_await */
  solo_remote_mpi_release();
  if (job.rank != 0 || l->is_near || is_received(link)) solo_remote_mpi_free_memory(l);
  free(l);
}

static int give_or_take(solo_remote_channel *c, solo_remote_gift *gift) {
  if (job.rank == 0) return solo_remote_mpi_give(c->link, gift);
  solo_remote_mpi_poll(); /* who asks for it may have come with the bytes */
  return !solo_remote_mpi_next_gift(c, c->count, gift);
}

const solo_remote_transport solo_remote_mpi_transport = {
    .post = solo_remote_mpi_post,
    .take = solo_remote_mpi_take,
    .complete = solo_remote_mpi_complete,
    .await = solo_remote_mpi_await,
    .move = mpi_move,
    .gift = give_or_take,
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
  l->link.moves_beside = 1;
  l->rank = rank;
  l->session = session;
  l->link.number = (uint32_t)rank;
  solo_remote_channel_of(&l->link, 0, &l->channels[0].arriving);
  return l;
}
