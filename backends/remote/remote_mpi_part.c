/* How the ranks of a job part, all alive, so that MPI_Finalize returns.
 *
 * MPICH over UCX (seen: 4.0.2 with UCX 1.13, TCP) ends each connection with a question, which the other rank answers the
 * next time it makes progress. A rank that has all its answers waits in the launcher's barrier, without progress. So when B still
 * makes progress while A has begun to finalize, it answers A; A goes to the barrier; B asks A, who does not answer any more. Two of
 * five jobs of four ranks hang so. Connections that were never used are made for the question, which is worse. Therefore
 *   1. each rank sends every other an empty message, and receives one: all connections are there;
 *   2. it says QUIET on its lifeline, and calls MPI no more;
 *   3. the program has heard all, says GO to all, and everybody finalizes: nobody has made progress in between, so that
 *      each has asked before it answers, and TCP keeps that order.
 * A server without a lifeline is not waited for. Where a rank dies meanwhile the program says LEAVE, and nobody finalizes. */
#define _GNU_SOURCE
#include "backends/remote/remote_mpi.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

#define job solo_remote_mpi

enum { WORD_QUIET = 1, WORD_GO, WORD_LEAVE };
enum { TAG_TOUCH = 1, NAP_NS = 100 * 1000 };

#ifdef MPICH_NUMVERSION
enum { MUST_PART = 1 };
#else
enum { MUST_PART = 0 };
#endif

/* Nonzero: a rank has died, so none may finalize. */
static int must_leave(void) {
  return solo_load_relaxed(&job.deaths) ||
         (job.rank != 0 && solo_remote_mpi_word_of(0)); /* a count */
}

static int start_touching(MPI_Request *requests) {
  for (int n = 0; n < job.size; n++) {
    if (n == job.rank) continue;
    if (solo_remote_mpi_failed(
            n, MPI_Irecv(NULL, 0, MPI_BYTE, n, TAG_TOUCH, MPI_COMM_WORLD, &requests[2 * n])) ||
        solo_remote_mpi_failed(
            n, MPI_Isend(NULL, 0, MPI_BYTE, n, TAG_TOUCH, MPI_COMM_WORLD, &requests[2 * n + 1])))
      return 1;
  }
  return 0;
}

/* Nonzero: not all are there any more. */
static int touch_all(void) {
  const struct timespec nap = {.tv_nsec = NAP_NS};
  int count = 2 * job.size, first = 0; /* those before it are done */
  MPI_Request *requests = malloc((size_t)count * sizeof(MPI_Request));
  if (!requests) return 1;
  for (int n = 0; n < count; n++) requests[n] = MPI_REQUEST_NULL;
  int failed = start_touching(requests);
  while (!failed && first < count) {
    int done = 0;
    failed =
        solo_remote_mpi_failed(first / 2, MPI_Test(&requests[first], &done, MPI_STATUS_IGNORE));
    if (done && !failed) {
      first++;
      continue;
    }
    if (solo_remote_mpi_hear(0) || must_leave()) failed = 1;
    if (!failed) (void)nanosleep(&nap, NULL);
  }
  free(requests);
  return failed;
}

static int part_program(void) {
  int failed = touch_all();
  for (int n = 1; n < job.size; n++)
    while (!failed && solo_remote_mpi_has_lifeline(n) && solo_remote_mpi_word_of(n) != WORD_QUIET) {
      failed = solo_remote_mpi_hear(-1) || must_leave();
    }
  if (!failed) failed = solo_remote_mpi_hear(0) || must_leave(); /* who is quiet may be dead */
  for (int n = 1; n < job.size; n++) solo_remote_mpi_say(n, failed ? WORD_LEAVE : WORD_GO);
  return failed;
}

static int part_server(void) {
#ifdef SOLO_CHECK
  const char *dies = getenv("SOLO_TEST_MPI_DIES_PARTING"); /* a rank */
  if (dies && atoi(dies) == job.rank) (void)raise(SIGKILL);
#endif
  if (touch_all()) return 1;
  solo_remote_mpi_say(0, WORD_QUIET);
  while (solo_remote_mpi_has_lifeline(0) && !must_leave())
    if (solo_remote_mpi_hear(-1)) return 1;
  return solo_load_relaxed(&job.deaths) || solo_remote_mpi_word_of(0) == WORD_LEAVE; /* a count */
}

int solo_remote_mpi_part(void) {
  int ranks = 0;
  if (solo_load_relaxed(&job.deaths)) return 1; /* a count */
  /* ranks that do not fit take no part */
  if (!MUST_PART || MPI_Comm_size(MPI_COMM_WORLD, &ranks) != MPI_SUCCESS || ranks != job.size)
    return 0;
  solo_remote_mpi_settle_lifelines();
  return job.rank == 0 ? part_program() : part_server();
}
