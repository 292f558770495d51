/* The device server: serves the devices of its backends to clients. Each client has a control
 * thread, a thread per queue, and the caller's thread, which waits for the client's end and then
 * closes the client's objects. Threads: any, for several clients at a time. */
#ifndef SOLO_REMOTE_SERVER_H
#define SOLO_REMOTE_SERVER_H

#include "backends/remote/remote_transport.h"

/* Serves a client until it ends or sends a malformed message. Owns the socket. */
solo_status solo_remote_serve(int socket);

/* Serves a client over the link, on the caller's thread, and closes the link. */
solo_status solo_remote_serve_link(solo_remote_link *link);

/* Completes the server's hello. A status other than OK is sent with the thread's error text. */
void solo_remote_fill_welcome(solo_remote_welcome *welcome, solo_status status);

/* Serves rank 0 of the MPI job until it ends (remote_mpi_job.c). */
solo_status solo_remote_mpi_serve(void);

/* Opens all GPUs of this machine for the rest of the process. *out_count: number of opened GPUs.
 * Returns an error if it is 0. */
solo_status solo_remote_hold_devices(int *out_count);

/* Callback on a new thread if rank 0 has ended without MPI_Init. The callback must end the process,
 * because MPI_Init would wait forever. Detected only if all ranks are on one machine. May be NULL.
 * Set before solo_remote_mpi_serve(). */
extern void (*solo_remote_no_program)(void);

/* maximum number of concurrent clients; 0: no limit */
extern int solo_remote_max_clients;

/* Callback after a client has ended and before the server closes its objects. The closing can last
 * as long as a kernel. May be NULL. */
extern void (*solo_remote_program_ended)(void);

#endif
