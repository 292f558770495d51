/* The device servers that the process knows, and how they are found (remote_servers.c, remote_table.c, remote_start.c).
 *
 * Threads: any. Errors: a status with text. */
#ifndef SOLO_REMOTE_SERVER_LIST_H
#define SOLO_REMOTE_SERVER_LIST_H

#include "backends/remote/remote.h"

enum { SOLO_REMOTE_SERVERS = 1024 };

/* Those that are known, 0 <= n < count; they stay. */
int solo_remote_server_count(void);
solo_remote_server *solo_remote_server_at(int n);
/* The caller holds the lock of remote_servers.c. address is taken over; NULL: there was no memory for
 * it. */
void solo_remote_server_add(char *address, int is_only);
int solo_remote_is_named(const char *address);

/* Connects to it if need be; it then stays connected until released. */
solo_status solo_remote_server_use(solo_remote_server *server);
void solo_remote_server_release(solo_remote_server *server);

/* Asks it once for its devices of the family; the server starts its driver only now. */
solo_status solo_remote_find_devices(solo_remote_server *server, solo_remote_family family);

/* Whose is the device of this number of the family? NULL: nobody's. */
solo_remote_server *solo_remote_server_of(solo_remote_family family, int ordinal);

/* "cuda", "hsa", "host", "simt". */
const char *solo_remote_word(solo_remote_family family);

/* Are devices of this family wanted from a server (SOLO_SERVER_BACKENDS)? */
int solo_remote_is_wanted(solo_remote_family family);

/* device_count, device_missing and device_open of a family's backend. */
solo_status solo_remote_count_devices(solo_remote_family family, int *out_count);
void solo_remote_describe_missing(solo_remote_family family, char *text, size_t size);
solo_status solo_remote_open_device(solo_remote_family family, int ordinal, int number,
                                    solo_bdevice **out_device, solo_device_info *out_info);

/* A connected socket to the device server of this address, which is started or found. */
solo_status solo_remote_start(const char *address, int *out_socket) SOLO_COLD;

/* Path of a device server that this user may trust: the given one (NULL: none is), else name beside the
 * program, else the installed one. */
solo_status solo_remote_find_program(const char *name, const char *given, char *path,
                                     size_t size) SOLO_COLD;

/* Servers of the program's MPI job (remote_mpi_job.c, remote_mpi_enter.c), where the program is
 * linked with them. wanted: the program was started with others by mpirun, or SOLO_SERVER=mpi.
 * connect: to a rank of 1 to servers. */
SOLO_HIDDEN __attribute__((weak)) int solo_remote_mpi_is_wanted(void);
SOLO_HIDDEN __attribute__((weak)) int solo_remote_mpi_servers(void);
SOLO_HIDDEN __attribute__((weak)) solo_status solo_remote_mpi_connect(int rank,
                                                                      solo_remote_link **out_link);

SOLO_INLINE int solo_remote_is_in_job(void) {
  return solo_remote_mpi_is_wanted && solo_remote_mpi_is_wanted();
}

#endif
