/* The server's half: serves the devices of the backends that are linked in.
 *
 * One program is served by one control thread, a thread per queue, and the caller's, which waits for
 * the program's end. Everything that a program left open is closed when it ends, however that is.
 *
 * Threads: solo_remote_serve from any thread, for several programs at a time. Errors: a status with
 * text; a program's mistakes are answered to the program, and end its connection where what it
 * wrote cannot be understood.
 */
#ifndef SOLO_REMOTE_SERVER_H
#define SOLO_REMOTE_SERVER_H

#include "backends/remote/remote_transport.h"

/* Serves the program at the other end of the socket until it ends or says nonsense. The socket is
 * taken over. */
solo_status solo_remote_serve(int socket);

/* The same for a connection that stands, whose program has been welcomed; on the caller's thread. Closes
 * it. */
solo_status solo_remote_serve_link(solo_remote_link *link);

/* What the server says of itself; with the calling thread's error where status is one. */
void solo_remote_fill_welcome(solo_remote_welcome *welcome, solo_status status);

/* Serves the program of the MPI job that this process is a rank of, until the program ends
 * (remote_mpi_job.c; in solo-server-openmpi and solo-server-mpich). */
solo_status solo_remote_mpi_serve(void);

/* Called, from a thread of its own, when rank 0 of the job has ended without having been a program of solo's, as far
 * as that can be known (all ranks on one machine): nobody will come, and MPI waits for ever. Ends the process.
 * NULL: that is waited for. Set before solo_remote_mpi_serve. */
extern void (*solo_remote_no_program)(void);

/* Programs that may be served at a time; the next is refused with a reason. 0: any number. */
extern int solo_remote_most_clients;

/* Called when a program has ended, before what it left open is closed, which may take as long as a
 * kernel does. NULL: nobody. */
extern void (*solo_remote_program_ended)(void);

#endif
