/* Calls of MPI: one at a time, and after a failure of one all is lost. */
#define _GNU_SOURCE
#include "backends/remote/remote_mpi.h"

enum {
  LOOKS_PER_TIME = 64,
  SESSIONS = 64, /* whose bytes have tags of their own: half of what MPI must have */
};

mpi_job solo_remote_mpi = {.lock = SOLO_LOCK_INIT(SOLO_RANK_LEAF)};
#define job solo_remote_mpi

#ifdef SOLO_CHECK
_Atomic uint64_t solo_remote_mpi_sent;
#endif

void solo_remote_mpi_fail(void) {
  solo_store_relaxed(&job.is_over, 1); /* a flag by itself */
  for (int n = 0; n < job.size; n++)
    if (job.links[n]) solo_store_relaxed(&job.links[n]->link.lost, 1); /* a flag by itself */
}

/* Held for the time of a call of MPI: who finds it taken does better to look again than to sleep. */
void solo_remote_mpi_acquire(void) {
  if (SOLO_LIKELY(solo_lock_try(&job.lock))) return;
  solo_add_relaxed(&job.hurry, 1); /* a hint for who polls */
  for (int looks = 1; !solo_lock_try(&job.lock); looks++) {
    solo_cpu_relax();
    if (looks % LOOKS_PER_TIME == 0) (void)sched_yield();
  }
  solo_sub_relaxed(&job.hurry, 1);
}

void solo_remote_mpi_release(void) {
  solo_lock_release_tried(&job.lock);
}

void solo_remote_mpi_send(int rank, int tag, const uint32_t *word) {
  MPI_Request request;
  if (solo_remote_mpi_failed(
          MPI_Isend(word, (int)sizeof *word, MPI_BYTE, rank, tag, job.messages, &request)))
    return;
  (void)solo_remote_mpi_failed(MPI_Wait(&request, MPI_STATUS_IGNORE)); /* four bytes: at once */
}

static int data_tag(const solo_remote_channel *c) {
  /* a session's bytes must not be taken for the next's */
  return (int)(c->number +
               solo_remote_mpi_link_of(c->link)->session % SESSIONS * SOLO_REMOTE_CHANNELS);
}

/* The lock is held. What was offered is asked for when later bytes are on their way already, so it has a tag
 * of its own. */
int solo_remote_mpi_start_move(solo_remote_channel *c, void *bytes, uint64_t size,
                               solo_remote_way way, MPI_Request *out) {
  int rank = solo_remote_mpi_link_of(c->link)->rank, tag = data_tag(c);
  if (way == SOLO_REMOTE_OFFER) tag += SESSIONS * SOLO_REMOTE_CHANNELS;
  int is_sent = way == SOLO_REMOTE_SEND || (way == SOLO_REMOTE_OFFER && job.rank == 0);
#ifdef SOLO_CHECK
  if (is_sent) solo_add_relaxed(&solo_remote_mpi_sent, size); /* a count */
#endif
  return solo_remote_mpi_failed(
      is_sent ? MPI_Isend(bytes, (int)size, MPI_BYTE, rank, tag, job.data, out)
              : MPI_Irecv(bytes, (int)size, MPI_BYTE, rank, tag, job.data, out));
}
