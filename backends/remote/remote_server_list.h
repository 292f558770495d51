/* The device servers that this process uses, and how they are found (remote_servers.c, remote_table.c,
 * remote_start.c). Threads: any. */
#ifndef SOLO_REMOTE_SERVER_LIST_H
#define SOLO_REMOTE_SERVER_LIST_H

#include "backends/remote/remote.h"

enum { SOLO_REMOTE_SERVERS = 1024 };

/* Servers 0 to count - 1; entries are never removed. */
int solo_remote_server_count(void);
solo_remote_server *solo_remote_server_at(int n);
/* Adds a server and owns address (NULL: a failed strdup). The caller holds table_lock. */
void solo_remote_server_add(char *address, int is_only);
int solo_remote_is_named(const char *address);

/* use() connects if necessary. The connection exists until the matching release(). */
solo_status solo_remote_server_use(solo_remote_server *server);
void solo_remote_server_release(solo_remote_server *server);

/* At its first call requests the family's devices from the server, which then initialises the
 * driver. */
solo_status solo_remote_find_devices(solo_remote_server *server, solo_remote_family family);

solo_remote_server *solo_remote_server_of(solo_remote_family family, int ordinal);

const char *solo_remote_family_name(solo_remote_family family);

/* Returns whether SOLO_SERVER_BACKENDS lists the family. */
int solo_remote_family_is_enabled(solo_remote_family family);

/* Implement device_count, device_missing and device_open of a family's backend. */
solo_status solo_remote_count_devices(solo_remote_family family, int *out_count);
void solo_remote_describe_missing(solo_remote_family family, char *text, size_t size);
solo_status solo_remote_open_device(solo_remote_family family, int ordinal, int number,
                                    solo_bdevice **out_device, solo_device_info *out_info);

/* Starts or finds the device server; returns a connected socket. */
solo_status solo_remote_start(const char *address, int *out_socket) SOLO_COLD;

/* Writes the path of a trusted device server: `given` if not NULL, else `name` in the program's
 * folder, else the installed server. */
solo_status solo_remote_find_program(const char *name, const char *given, char *path,
                                     size_t size) SOLO_COLD;

/* Servers of the MPI job (remote_mpi_job.c, remote_mpi_enter.c), in programs that link these files.
 * is_wanted: mpirun started the program, or SOLO_SERVER=mpi. servers: the number of servers, which
 * are ranks 1 to n. */
SOLO_HIDDEN __attribute__((weak)) int solo_remote_mpi_is_wanted(void);
SOLO_HIDDEN __attribute__((weak)) int solo_remote_mpi_servers(void);
SOLO_HIDDEN __attribute__((weak)) solo_status solo_remote_mpi_connect(int rank,
                                                                      solo_remote_link **out_link);

SOLO_INLINE int solo_remote_is_in_job(void) {
  return solo_remote_mpi_is_wanted && solo_remote_mpi_is_wanted();
}

#endif
