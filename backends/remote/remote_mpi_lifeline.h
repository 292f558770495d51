/* Liveness of the ranks of a job, and their common end. */
#ifndef SOLO_REMOTE_MPI_LIFELINE_H
#define SOLO_REMOTE_MPI_LIFELINE_H

#include "backends/remote/remote_mpi.h"

/* Program: listens; describes the listener in *out. */
void solo_remote_mpi_listen_for_lifelines(mpi_listener *out);
/* Program: accepts pending connections. The lock is held. */
void solo_remote_mpi_accept_lifelines(void);
/* Server: connects to the program; takes at most 0.3 s. */
void solo_remote_mpi_connect_lifeline(const mpi_listener *program);
/* Checks for dead ranks, at most every 50 ms. The lock must not be held; for the second, it must. */
void solo_remote_mpi_look_for_dead(void);
void solo_remote_mpi_look_for_dead_locked(void);
/* In a child of fork(2): its descriptors would hide the death of the parent. */
void solo_remote_mpi_close_lifelines(void);
/* At the end of the job: afterwards both sides of each connection agree that it exists. */
void solo_remote_mpi_finish_connecting(void);
/* A program has connections to its servers, a server only to rank 0. The lock is held, here and
 * below. */
int solo_remote_mpi_has_lifeline(int rank);
void solo_remote_mpi_send_word(int rank, uint8_t word);
/* Waits (-1: without limit) for words and marks dead ranks. Nonzero: failed. */
int solo_remote_mpi_receive_words(int milliseconds);
uint8_t solo_remote_mpi_word_of(int rank); /* the last; 0: none */

/* Synchronises all ranks before MPI_Finalize. Nonzero: MPI_Finalize could hang and must not be
 * called. The lock is held. */
int solo_remote_mpi_quiesce(void);

#endif
