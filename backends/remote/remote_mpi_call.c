#define _GNU_SOURCE
#include "backends/remote/remote_mpi.h"

#include "runtime/base/debug.h"
#include <stdlib.h>

enum {
  POLLS_PER_TIME = 64,
  NOTES_PER_SEND = 4, /* sent notes tested per send; more than one, so that the list shrinks */
  SESSIONS = 64,      /* number of sessions with distinct tags; MPI guarantees twice as many tags */
};

mpi_job solo_remote_mpi = {.lock = SOLO_LOCK_INIT(SOLO_RANK_LEAF)};
#define job solo_remote_mpi

#ifdef SOLO_CHECK
_Atomic uint64_t solo_remote_mpi_sent;
#endif

/* Polls, because threads hold the lock only for single calls of MPI. */
void solo_remote_mpi_acquire(void) {
  if (SOLO_LIKELY(solo_lock_try(&job.lock))) return;
  solo_add_relaxed(&job.hurry, 1); /* relaxed: a hint that makes polling threads release the lock */
  for (int attempts = 1; !solo_lock_try(&job.lock); attempts++) {
    solo_cpu_relax();
    if (attempts % POLLS_PER_TIME == 0) (void)sched_yield();
  }
  solo_sub_relaxed(&job.hurry, 1);
}

void solo_remote_mpi_release(void) {
  solo_lock_release_tried(&job.lock);
}

static void add_note(mpi_note *note) {
  mpi_note *last = job.notes;
  note->next = last ? last->next : note;
  if (last) last->next = note;
  job.notes = note;
}

static mpi_note *pop_oldest_note(void) {
  mpi_note *last = job.notes, *oldest = last->next;
  if (oldest == last)
    job.notes = NULL;
  else
    last->next = oldest->next;
  return oldest;
}

/* Frees some completed notes. Notes to a dead rank are never freed: MPI may still read them. */
static void free_notes(void) {
  for (int n = 0; n < NOTES_PER_SEND && job.notes; n++) {
    /* removed before solo_remote_mpi_failed(), which may add notes */
    mpi_note *note = pop_oldest_note();
    int rank = note->rank, done = 0;
    if (solo_remote_mpi_is_dead(rank)) continue;
    int failed = solo_remote_mpi_failed(rank, MPI_Test(&note->request, &done, MPI_STATUS_IGNORE));
    if (failed || done)
      free(note);
    else
      add_note(note);
  }
}

int solo_remote_mpi_send(MPI_Comm comm, int rank, int tag, const void *bytes, size_t size) {
  /* relaxed: a late read is harmless */
  if (solo_load_relaxed(&job.is_over) || solo_remote_mpi_is_dead(rank)) return 1;
  free_notes();
  mpi_note *note = malloc(sizeof *note);
  if (!note) return 1;
  *note = (mpi_note){.rank = rank};
  memcpy(note->bytes, bytes, size);
  int code = MPI_Isend(note->bytes, (int)size, MPI_BYTE, rank, tag, comm, &note->request);
  if (code != MPI_SUCCESS) {
    free(note);
    return solo_remote_mpi_failed(rank, code);
  }
  add_note(note);
  return 0;
}

void solo_remote_mpi_end_link(mpi_link *l) {
  solo_store_relaxed(&l->link.lost, 1); /* relaxed: a late read is harmless */
  solo_remote_channel control;
  solo_remote_channel_of(&l->link, 0, &control);
  solo_remote_wake(&control);
}

void solo_remote_mpi_end_program(void) {
  if (job.links[0]) solo_remote_mpi_end_link(job.links[0]);
  solo_store_relaxed(&job.is_over, 1);
  if (job.program_ended) job.program_ended();
}

int solo_remote_mpi_mark_dead(int rank) {
  if (solo_remote_mpi_is_dead(rank)) return 0;
  solo_store_relaxed(&job.dead[rank], 1); /* relaxed: a late read is harmless */
  solo_add_relaxed(&job.deaths, 1);
  if (rank == 0) solo_remote_mpi_end_program();
  if (job.rank == 0 && job.links[rank]) solo_store_relaxed(&job.links[rank]->link.lost, 1);
  return 1;
}

void solo_remote_mpi_broadcast_death(int rank) {
  const uint32_t word = (uint32_t)rank;
  if (job.rank != 0) return;
  for (int n = 1; n < job.size; n++) /* other servers may wait for a transfer with the dead rank */
    (void)solo_remote_mpi_send(job.messages, n, JOB_TAG_DEAD, &word, sizeof word);
}

void solo_remote_mpi_note_death(int rank) {
  if (solo_remote_mpi_mark_dead(rank)) solo_remote_mpi_broadcast_death(rank);
}

void solo_remote_mpi_fail(int rank, int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length;
  (void)MPI_Error_string(code, text, &length);
  solo_debug(1, "MPI, rank %d: a call for rank %d failed: %s", job.rank, rank, text);
  if (rank != JOB_NO_RANK) {
    solo_remote_mpi_note_death(rank);
    return;
  }
  /* a nonzero count prevents MPI_Finalize, which would hang */
  solo_add_relaxed(&job.deaths, 1);
  solo_store_relaxed(&job.is_over, 1);
  for (int n = 0; n < job.size; n++)
    if (job.links[n]) solo_store_relaxed(&job.links[n]->link.lost, 1);
}

static int data_tag(const solo_remote_channel *c) {
  /* the tag contains the session, so that no session receives data of an earlier one */
  return (int)(c->number +
               solo_remote_mpi_link_of(c->link)->session % SESSIONS * SOLO_REMOTE_CHANNELS);
}

/* An offered copy may begin after copies that were posted later. MPI matches messages with equal
 * tags in order, so offered copies have different tags. */
int solo_remote_mpi_start_move(solo_remote_channel *c, void *bytes, uint64_t size,
                               solo_remote_way way, MPI_Request *out) {
  int rank = solo_remote_mpi_link_of(c->link)->rank, tag = data_tag(c);
  if (way == SOLO_REMOTE_OFFER) tag += SESSIONS * SOLO_REMOTE_CHANNELS;
  int is_sent = way == SOLO_REMOTE_SEND || (way == SOLO_REMOTE_OFFER && job.rank == 0);
#ifdef SOLO_CHECK
  if (is_sent) solo_add_relaxed(&solo_remote_mpi_sent, size);
#endif
  return solo_remote_mpi_failed(
      rank, is_sent ? MPI_Isend(bytes, (int)size, MPI_BYTE, rank, tag, job.data, out)
                    : MPI_Irecv(bytes, (int)size, MPI_BYTE, rank, tag, job.data, out));
}
