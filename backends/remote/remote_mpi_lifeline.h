/* Who of a job's ranks lives, and how they end together (remote_mpi_lifeline.c, remote_mpi_quiesce.c). */
#ifndef SOLO_REMOTE_MPI_LIFELINE_H
#define SOLO_REMOTE_MPI_LIFELINE_H

#include "backends/remote/remote_mpi.h"

/* --- who lives (remote_mpi_lifeline.c) --------------------------------------------------------- */

/* The program's: listens, and fills in where. */
void solo_remote_mpi_listen_for_lifelines(mpi_listener *out);
/* The program's: accepts those that have come. The lock is held. */
void solo_remote_mpi_accept_lifelines(void);
/* A server's: connects to where the program listens, which takes at most a third of a second. */
void solo_remote_mpi_connect_lifeline(const mpi_listener *program);
/* Looks whether a rank has died, every 50 ms at most. The lock is not held; in the second it is. */
void solo_remote_mpi_look_for_dead(void);
void solo_remote_mpi_look_for_dead_locked(void);
/* A child of fork: its parent's death must be seen though it lives. */
void solo_remote_mpi_close_lifelines(void);
/* At the end of the job: from here on who has a lifeline on one side has it on the other. */
void solo_remote_mpi_finish_connecting(void);
/* Of a program those to its servers, of a server that to rank 0. The lock is held, as for the three below. */
int solo_remote_mpi_has_lifeline(int rank);
void solo_remote_mpi_send_word(int rank, uint8_t word);
/* Waits (-1: for ever) for words, and for deaths, which are noted. Nonzero: it cannot. */
int solo_remote_mpi_receive_words(int milliseconds);
uint8_t solo_remote_mpi_word_of(int rank); /* the last; 0: none */

/* --- before MPI_Finalize (remote_mpi_quiesce.c) ---------------------------------------------- */

/* All ranks are to end. Nonzero: MPI must not be finalized, which would never return. The lock is held. */
int solo_remote_mpi_quiesce(void);

#endif
