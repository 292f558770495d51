/* The host's side of a port (rpc.h). Receive and send wait for the host's turn. Threads: the
 * server's. Errors: 0: return, the server stops. Units: bytes. */
#ifndef SOLO_RPC_PORT_H
#define SOLO_RPC_PORT_H

#include "runtime/base/atomic.h"
#include "runtime/device/module.h"
#include "runtime/device/rpc_heap.h"
#include <pthread.h>

enum { SOLO_RPC_PORTS = 64, SOLO_RPC_LANES = 64, SOLO_RPC_WORDS = 8 };

typedef struct solo_rpc_header {
  uint64_t lanes;
  uint32_t opcode;
} solo_rpc_header;

struct solo_rpc {
  int device_number;
  uint32_t warp_size;
  solo_device *device;
  solo_devptr memory;
  _Atomic uint32_t *ours;         /* written by the host, per port */
  const _Atomic uint32_t *theirs; /* written by kernels; the host's turn if they differ */
  const solo_rpc_header *headers;
  uint64_t (*packets)[SOLO_RPC_WORDS]; /* per port and lane */
  solo_rpc_heap heap;
  pthread_t thread;
  int32_t process; /* that owns the thread */
  _Atomic uint32_t stop;
};

typedef struct solo_rpc_port {
  solo_rpc *server;
  uint32_t index, opcode, ours;
  uint64_t lanes;
  uint64_t refused_bytes; /* size without memory; 0: none */
  int received, is_mine;
} solo_rpc_port;

/* A terminating 0 is not counted; allocated. */
typedef struct solo_rpc_bytes {
  char *data;
  uint64_t bytes;
} solo_rpc_bytes;

/* Nonzero: a kernel calls, and the port is open. */
int solo_rpc_open(solo_rpc *server, uint32_t index, solo_rpc_port *out_port);
void solo_rpc_close(solo_rpc_port *port);

int solo_rpc_receive(solo_rpc_port *port) SOLO_MUST_CHECK;
/* Waits before the words of a send are written. */
int solo_rpc_answer(solo_rpc_port *port) SOLO_MUST_CHECK;
void solo_rpc_send(solo_rpc_port *port);

/* The first packet has the number of bytes and the first 56. lanes: SOLO_RPC_LANES, zeroed, freed
 * by the caller. 0 also without memory (refused_bytes). */
int solo_rpc_receive_bytes(solo_rpc_port *port, solo_rpc_bytes *lanes) SOLO_MUST_CHECK;
void solo_rpc_free_bytes(solo_rpc_bytes *lanes);

SOLO_INLINE uint64_t *solo_rpc_words(const solo_rpc_port *port, uint32_t lane) {
  return port->server->packets[(uint64_t)port->index * port->server->warp_size + lane];
}
SOLO_INLINE int solo_rpc_calls(const solo_rpc_port *port, uint32_t lane) {
  return lane < port->server->warp_size && (port->lanes >> lane & 1) != 0;
}

/* 0: unknown call, or no memory. */
int solo_rpc_serve(solo_rpc_port *port);
/* is_packed: arguments without gaps. */
void solo_rpc_print(solo_rpc_port *port, int is_error, int is_packed);

#endif
