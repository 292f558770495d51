/* Detection of dead ranks, and the common end of all ranks. */
#ifndef SOLO_REMOTE_MPI_LIVENESS_H
#define SOLO_REMOTE_MPI_LIVENESS_H

#include "backends/remote/remote_mpi.h"

/* Program: opens the listening socket and describes it in *out; *out stays empty on failure. */
void solo_remote_mpi_listen_for_liveness(mpi_listener *out);
/* Program: accepts waiting connections. With job.lock. */
void solo_remote_mpi_accept_liveness(void);
/* Server: connects to the program. Lasts at most 0.3 s. */
void solo_remote_mpi_connect_liveness(const mpi_listener *program);
/* Mark dead ranks, at most every 50 ms. The first function locks job.lock; the caller of the second
 * holds job.lock. */
void solo_remote_mpi_check_liveness(void);
void solo_remote_mpi_check_liveness_locked(void);
/* In a child of fork(2): closes the child's copies of the connections. Otherwise these would stay
 * open after the parent's death, and no rank would detect the death. */
void solo_remote_mpi_close_liveness(void);
/* Completes or closes pending connections, so that both sides have the same connections. */
void solo_remote_mpi_finish_connecting(void);
/* The first returns whether a connection to rank exists; the second sends a byte over it. A server
 * has a connection to rank 0 only. The caller of these and the following functions holds job.lock. */
int solo_remote_mpi_has_liveness(int rank);
void solo_remote_mpi_send_word(int rank, uint8_t word);
/* Waits at most `milliseconds` (-1: no limit) for bytes and deaths. Returns nonzero on failure. */
int solo_remote_mpi_receive_words(int milliseconds);
uint8_t solo_remote_mpi_word_of(int rank);

/* Synchronises the ranks before MPI_Finalize. Nonzero: MPI_Finalize would hang and must not be
 * called. */
int solo_remote_mpi_quiesce(void);

#endif
