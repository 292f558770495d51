/* Liveness of the ranks of a job, and their common end. */
#ifndef SOLO_REMOTE_MPI_LIVENESS_H
#define SOLO_REMOTE_MPI_LIVENESS_H

#include "backends/remote/remote_mpi.h"

/* Program: listens; describes the listener. */
void solo_remote_mpi_listen_for_liveness(mpi_listener *out);
/* Program. Locked. */
void solo_remote_mpi_accept_liveness(void);
/* Server: takes at most 0.3 s. */
void solo_remote_mpi_connect_liveness(const mpi_listener *program);
/* Finds dead ranks, at most every 50 ms. Locks; the second is locked. */
void solo_remote_mpi_check_liveness(void);
void solo_remote_mpi_check_liveness_locked(void);
/* A child of fork(2) must not hold a dead parent's connections open. */
void solo_remote_mpi_close_liveness(void);
/* Afterwards both sides agree which connections exist. */
void solo_remote_mpi_finish_connecting(void);
/* A server only has one to rank 0. Locked, as below. */
int solo_remote_mpi_has_liveness(int rank);
void solo_remote_mpi_send_word(int rank, uint8_t word);
/* Waits (-1: without limit) for words and deaths. Nonzero: failed. */
int solo_remote_mpi_receive_words(int milliseconds);
uint8_t solo_remote_mpi_word_of(int rank); /* the last; 0: none */

/* Synchronises the ranks before MPI_Finalize, which must not be called if the result is nonzero.
 * Locked. */
int solo_remote_mpi_quiesce(void);

#endif
