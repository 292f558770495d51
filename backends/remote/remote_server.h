/* The device server, which serves the devices of its backends to clients. For each client it has a
 * control thread, a thread per queue, and the caller's thread, which waits for the client's end and
 * then closes the client's objects. Threads: any, for several clients at a time. Errors: a status
 * with text. A malformed message ends the client's connection. */
#ifndef SOLO_REMOTE_SERVER_H
#define SOLO_REMOTE_SERVER_H

#include "backends/remote/remote_transport.h"

/* Serves a client until it ends or sends a malformed message. Owns the socket. */
solo_status solo_remote_serve(int socket);

/* Serves a client with a link and its welcome, on the caller's thread. Closes the link. */
solo_status solo_remote_serve_link(solo_remote_link *link);

/* Fills in the server's hello. status, if not OK, is sent with the calling thread's error text. */
void solo_remote_fill_welcome(solo_remote_welcome *welcome, solo_status status);

/* Serves rank 0 of the MPI job until it ends (remote_mpi_job.c). */
solo_status solo_remote_mpi_serve(void);

/* Opens all GPUs of this machine for the rest of the process. *out_count: opened GPUs. Returns an
 * error if there are none. */
solo_status solo_remote_hold_devices(int *out_count);

/* Callback on a new thread if rank 0 has ended without MPI_Init; must end the process, which would
 * wait in MPI_Init forever. Detected only if all ranks are on one machine. NULL: disabled. Set
 * before solo_remote_mpi_serve(). */
extern void (*solo_remote_no_program)(void);

/* limit of concurrent clients; 0: none */
extern int solo_remote_max_clients;

/* Callback after a client has ended, before its objects are closed: closing can last as long as a
 * kernel. NULL: none. */
extern void (*solo_remote_program_ended)(void);

#endif
