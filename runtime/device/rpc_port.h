/* A port of a kernel's calls to the host (rpc.h), as the host serves it: it starts with a receive; a receive and
 * a send each wait until it is the host's turn.
 *
 * Threads: the server's. Ownership: the port is the caller's until solo_rpc_close. Errors: 0 is returned when
 * the server is to stop; the caller then returns. Units: bytes.
 */
#ifndef SOLO_RPC_PORT_H
#define SOLO_RPC_PORT_H

#include "runtime/base/atomic.h"
#include "runtime/device/module.h"
#include "runtime/device/rpc_heap.h"
#include <pthread.h>

enum { SOLO_RPC_PORTS = 64, SOLO_RPC_LANES = 64, SOLO_RPC_WORDS = 8 };

typedef struct solo_rpc_header {
  uint64_t lanes; /* those that call */
  uint32_t opcode;
} solo_rpc_header;

struct solo_rpc {
  int device_number;
  uint32_t warp_size;
  solo_device *device;
  solo_devptr memory;                  /* SOLO_MEMORY_HOST */
  _Atomic uint32_t *ours;              /* a word for each port, written by the host */
  const _Atomic uint32_t *theirs;      /* written by kernels; the host's turn: they differ */
  const solo_rpc_header *headers;      /* of each port */
  uint64_t (*packets)[SOLO_RPC_WORDS]; /* of each port's lanes */
  solo_rpc_heap heap;
  pthread_t thread;
  int32_t process; /* that has the thread */
  _Atomic uint32_t stop;
};

typedef struct solo_rpc_port {
  solo_rpc *server;
  uint32_t index, opcode, ours;
  uint64_t lanes;
  uint64_t refused_bytes; /* that the call comes with, and for which there is no memory; 0: none */
  int received, is_mine;
} solo_rpc_port;

/* The bytes of a lane, ended by a 0 that is not counted; allocated. */
typedef struct solo_rpc_bytes {
  char *data;
  uint64_t bytes;
} solo_rpc_bytes;

/* Is there a call? Then the port is open. */
int solo_rpc_open(solo_rpc *server, uint32_t index, solo_rpc_port *out_port);
void solo_rpc_close(solo_rpc_port *port);

int solo_rpc_receive(solo_rpc_port *port) SOLO_MUST_CHECK;
/* Before the words of an answer are written, which a send ends. */
int solo_rpc_answer(solo_rpc_port *port) SOLO_MUST_CHECK;
void solo_rpc_send(solo_rpc_port *port);

/* Bytes of any number for each lane: the first packet has their number and the first 56. lanes: SOLO_RPC_LANES,
 * zeroed; to be freed by the caller in any case. 0, too, when there is no memory for them (refused_bytes). */
int solo_rpc_receive_bytes(solo_rpc_port *port, solo_rpc_bytes *lanes) SOLO_MUST_CHECK;
void solo_rpc_free_bytes(solo_rpc_bytes *lanes);

/* A lane's packet, and whether the lane calls. */
SOLO_INLINE uint64_t *solo_rpc_words(const solo_rpc_port *port, uint32_t lane) {
  return port->server->packets[(uint64_t)port->index * port->server->warp_size + lane];
}
SOLO_INLINE int solo_rpc_calls(const solo_rpc_port *port, uint32_t lane) {
  return lane < port->server->warp_size && (port->lanes >> lane & 1) != 0;
}

/* Does what the kernel asks for; 0: it is nothing that is served, or not with so many bytes. */
int solo_rpc_serve(solo_rpc_port *port);
/* The same for its formatted output; packed: arguments have no gaps. */
void solo_rpc_print(solo_rpc_port *port, int is_error, int is_packed);

#endif
