/* Synchronises all ranks before MPI_Finalize. MPICH over UCX can hang in MPI_Finalize while another
 * rank makes progress (docs/design/mpi-transport.md). Therefore each rank connects to all others,
 * sends QUIESCED on the liveness connection and then calls no MPI function. The program answers
 * with FINALIZE or, after a death, ABORT. */
#define _GNU_SOURCE
#include "backends/remote/remote_mpi.h"
#include "backends/remote/remote_mpi_liveness.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

#define job solo_remote_mpi

enum { WORD_QUIESCED = 1, WORD_FINALIZE, WORD_ABORT };
enum { TAG_CONNECT = 1, SLEEP_NS = 100 * 1000 };

#ifdef MPICH_NUMVERSION
enum { MUST_QUIESCE = 1 };
#else
enum { MUST_QUIESCE = 0 };
#endif

/* Returns whether a rank has died. Then no rank may call MPI_Finalize. */
static int must_abort(void) {
  return solo_load_relaxed(&job.deaths) || /* relaxed: a count */
         (job.rank != 0 && solo_remote_mpi_word_of(0) == WORD_ABORT);
}

static int start_connecting(MPI_Request *requests) {
  for (int n = 0; n < job.size; n++) {
    if (n == job.rank) continue;
    if (solo_remote_mpi_failed(
            n, MPI_Irecv(NULL, 0, MPI_BYTE, n, TAG_CONNECT, MPI_COMM_WORLD, &requests[2 * n])) ||
        solo_remote_mpi_failed(
            n, MPI_Isend(NULL, 0, MPI_BYTE, n, TAG_CONNECT, MPI_COMM_WORLD, &requests[2 * n + 1])))
      return 1;
  }
  return 0;
}

/* Exchanges an empty message with each rank. Returns nonzero if a rank has died. */
static int connect_all(void) {
  const struct timespec interval = {.tv_nsec = SLEEP_NS};
  int count = 2 * job.size, first = 0; /* requests before `first` are complete */
  MPI_Request *requests = malloc((size_t)count * sizeof(MPI_Request));
  if (!requests) return 1;
  for (int n = 0; n < count; n++) requests[n] = MPI_REQUEST_NULL;
  int failed = start_connecting(requests);
  while (!failed && first < count) {
    int done = 0;
    failed =
        solo_remote_mpi_failed(first / 2, MPI_Test(&requests[first], &done, MPI_STATUS_IGNORE));
    if (done && !failed) {
      first++;
      continue;
    }
    if (solo_remote_mpi_receive_words(0) || must_abort()) failed = 1;
    if (!failed) (void)nanosleep(&interval, NULL);
  }
  free(requests);
  return failed;
}

static int quiesce_program(void) {
  int failed = connect_all();
  for (int n = 1; n < job.size; n++)
    while (!failed && solo_remote_mpi_has_liveness(n) &&
           solo_remote_mpi_word_of(n) != WORD_QUIESCED)
      failed = solo_remote_mpi_receive_words(-1) || must_abort();
  if (!failed) /* a rank may die after it has sent QUIESCED */
    failed = solo_remote_mpi_receive_words(0) || must_abort();
  for (int n = 1; n < job.size; n++)
    solo_remote_mpi_send_word(n, failed ? WORD_ABORT : WORD_FINALIZE);
  return failed;
}

static int quiesce_server(void) {
#ifdef SOLO_CHECK
  const char *dies = getenv("SOLO_TEST_MPI_DIES_QUIESCING");
  if (dies && atoi(dies) == job.rank) (void)raise(SIGKILL);
#endif
  if (connect_all()) return 1;
  solo_remote_mpi_send_word(0, WORD_QUIESCED);
  while (solo_remote_mpi_has_liveness(0) && !solo_remote_mpi_word_of(0))
    if (solo_remote_mpi_receive_words(-1)) return 1;
  return must_abort();
}

int solo_remote_mpi_quiesce(void) {
  int ranks = 0;
  if (solo_load_relaxed(&job.deaths)) return 1; /* relaxed: a count */
  /* ranks != job.size: some ranks cannot work with rank 0, are not in the job and would not answer */
  if (!MUST_QUIESCE || MPI_Comm_size(MPI_COMM_WORLD, &ranks) != MPI_SUCCESS || ranks != job.size)
    return 0;
  solo_remote_mpi_finish_connecting();
  return job.rank == 0 ? quiesce_program() : quiesce_server();
}
