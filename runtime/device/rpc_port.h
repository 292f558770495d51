/* The host's side of a port (rpc.h), for the server thread. Receive and answer wait for the host's
 * turn. Result 0: the server stops, and the caller must return. */
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
  _Atomic uint32_t *host_word; /* one word per port, which the host writes */
  /* one word per port, which kernels write; it is the host's turn while this word differs from
   * host_word */
  const _Atomic uint32_t *device_word;
  const solo_rpc_header *headers;
  uint64_t (*packets)[SOLO_RPC_WORDS];
  solo_rpc_heap heap;
  pthread_t thread;
  int32_t process; /* process in which the thread runs */
  _Atomic uint32_t stop;
};

typedef struct solo_rpc_port {
  solo_rpc *server;
  uint32_t index, opcode, host_word;
  uint64_t lanes;
  uint64_t refused_bytes; /* size of the failed allocation; 0: none failed */
  int received, is_owner;
} solo_rpc_port;

/* Bytes that a lane sent, in allocated memory. A terminating 0, not counted, follows. */
typedef struct solo_rpc_bytes {
  char *data;
  uint64_t bytes;
} solo_rpc_bytes;

/* Returns whether a kernel calls through port `index`; then the port is open. */
int solo_rpc_open(solo_rpc *server, uint32_t index, solo_rpc_port *out_port);
void solo_rpc_close(solo_rpc_port *port);

int solo_rpc_receive(solo_rpc_port *port) SOLO_MUST_CHECK;
/* Waits for the turn. Then the caller writes the answer and calls solo_rpc_send(). */
int solo_rpc_answer(solo_rpc_port *port) SOLO_MUST_CHECK;
void solo_rpc_send(solo_rpc_port *port);

/* Receives a byte array from each calling lane. The first packet has the size and 56 bytes. lanes:
 * SOLO_RPC_LANES zeroed elements, freed with solo_rpc_free_bytes(). Also returns 0 without memory
 * (then refused_bytes is set). */
int solo_rpc_receive_bytes(solo_rpc_port *port, solo_rpc_bytes *lanes) SOLO_MUST_CHECK;
void solo_rpc_free_bytes(solo_rpc_bytes *lanes);

SOLO_INLINE uint64_t *solo_rpc_words(const solo_rpc_port *port, uint32_t lane) {
  return port->server->packets[(uint64_t)port->index * port->server->warp_size + lane];
}
SOLO_INLINE int solo_rpc_calls(const solo_rpc_port *port, uint32_t lane) {
  return lane < port->server->warp_size && (port->lanes >> lane & 1) != 0;
}

/* Returns 0 if the opcode is unknown or no memory is left. */
int solo_rpc_serve(solo_rpc_port *port);
/* is_packed: 1: the arguments have no padding between them. */
void solo_rpc_print(solo_rpc_port *port, int is_error, int is_packed);

#endif
