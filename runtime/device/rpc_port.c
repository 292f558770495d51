#include "runtime/device/rpc_port.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BYTES = (SOLO_RPC_WORDS - 1) * 8, NEXT_BYTES = SOLO_RPC_WORDS * 8, SPINS = 200 };

/* Invariant: it is the host's turn while the two words of the port differ.
 * Ordering:  this acquire load reads the kernel's release store of its word.
 * Otherwise: the host could read an incomplete packet.
 */
static int is_owner(const solo_rpc_port *port) {
  return solo_load_acquire(&port->server->device_word[port->index]) != port->host_word;
}

static void release_port(solo_rpc_port *port) {
  port->host_word = !port->host_word;
  /* Invariant: the host's packet is complete before the turn changes.
   * Ordering:  this release store is read by the kernel's acquire load.
   * Otherwise: the kernel could read an incomplete packet.
   */
  solo_store_release(&port->server->host_word[port->index], port->host_word);
  port->is_owner = 0;
}

static int wait_for_turn(solo_rpc_port *port) {
  for (uint32_t n = 0; !port->is_owner; n++) {
    port->is_owner = is_owner(port);
    if (port->is_owner) break;
    /* pairs with solo_rpc_leaving */
    if (solo_load_acquire(&port->server->stop)) return 0;
    if (n < SPINS)
      solo_cpu_relax();
    else
      solo_futex_wait(&port->server->stop, 0, 20000);
  }
  return 1;
}

int solo_rpc_open(solo_rpc *server, uint32_t index, solo_rpc_port *out_port) {
  /* relaxed: only this thread writes it */
  *out_port = (solo_rpc_port){
      .server = server, .index = index, .host_word = solo_load_relaxed(&server->host_word[index])};
  if (!is_owner(out_port)) return 0;
  out_port->is_owner = 1;
  out_port->lanes = server->headers[index].lanes;
  out_port->opcode = server->headers[index].opcode;
  return 1;
}

void solo_rpc_close(solo_rpc_port *port) {
  if (port->is_owner) release_port(port);
}

int solo_rpc_receive(solo_rpc_port *port) {
  if (port->received) release_port(port);
  port->received = 1;
  return wait_for_turn(port);
}

int solo_rpc_answer(solo_rpc_port *port) {
  return wait_for_turn(port);
}

void solo_rpc_send(solo_rpc_port *port) {
  release_port(port);
  port->received = 0;
}

int solo_rpc_receive_bytes(solo_rpc_port *port, solo_rpc_bytes *lanes) {
  if (!solo_rpc_receive(port)) return 0;
  uint64_t most = 0;
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++) {
    if (!solo_rpc_calls(port, i)) continue;
    const uint64_t *words = solo_rpc_words(port, i);
    uint64_t bytes = words[0];
    lanes[i].data = bytes < SIZE_MAX ? malloc(bytes + 1) : NULL;
    if (!lanes[i].data) {
      port->refused_bytes = bytes;
      return 0;
    }
    lanes[i].bytes = bytes;
    lanes[i].data[bytes] = 0;
    memcpy(lanes[i].data, words + 1, bytes < FIRST_BYTES ? bytes : FIRST_BYTES);
    if (bytes > most) most = bytes;
  }
  for (uint64_t at = FIRST_BYTES; at < most; at += NEXT_BYTES) {
    if (!solo_rpc_receive(port)) return 0;
    for (uint32_t i = 0; i < SOLO_RPC_LANES; i++) {
      if (!solo_rpc_calls(port, i) || lanes[i].bytes <= at) continue;
      uint64_t rest = lanes[i].bytes - at;
      memcpy(lanes[i].data + at, solo_rpc_words(port, i), rest < NEXT_BYTES ? rest : NEXT_BYTES);
    }
  }
  return 1;
}

void solo_rpc_free_bytes(solo_rpc_bytes *lanes) {
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++) free(lanes[i].data);
}
