/* Performs the calls of kernels. The words of each call: abi-facts 7.7. */
#include "runtime/device/rpc_port.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBC(n) ((uint32_t)'c' << 24 | (n))
#define OMP(n)  ((uint32_t)'o' << 24 | (n))

enum opcode {
  NOTHING = LIBC(0),
  EXIT = LIBC(1),
  WRITE_OUT = LIBC(2),
  WRITE_ERROR = LIBC(3),
  WRITE_LINE = LIBC(5),
  ALLOCATE = LIBC(10),
  FREE = LIBC(11),
  CALL = LIBC(12),
  ABORT = LIBC(13),
  PRINT_OUT = LIBC(21),
  PRINT_ERROR = LIBC(22),
  PRINT_OUT_PACKED = LIBC(24),
  PRINT_ERROR_PACKED = LIBC(25),
  CALL_OF_OPENMP = OMP(0),
};

/* Answers the first packet, so that all lanes arrive before the program ends. Calls quick_exit(3),
 * as LLVM does: handlers of exit(3) would wait for this kernel. */
static void end_program(solo_rpc_port *port) {
  if (!solo_rpc_receive(port)) return;
  solo_rpc_send(port);
  if (!solo_rpc_receive(port)) return;
  fflush(stdout);
  if (port->opcode == ABORT) abort();
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++)
    if (solo_rpc_calls(port, i)) quick_exit((int)solo_rpc_words(port, i)[0]);
}

static void write_text(solo_rpc_port *port) {
  solo_rpc_bytes text[SOLO_RPC_LANES] = {{0}};
  FILE *to = port->opcode == WRITE_ERROR ? stderr : stdout;
  if (solo_rpc_receive_bytes(port, text) && solo_rpc_answer(port)) {
    for (uint32_t i = 0; i < SOLO_RPC_LANES; i++) {
      if (!solo_rpc_calls(port, i)) continue;
      size_t bytes = text[i].bytes;
      /* replaces the terminating 0, so that one call writes the whole line */
      if (port->opcode == WRITE_LINE) text[i].data[bytes++] = '\n';
      solo_rpc_words(port, i)[0] = fwrite(text[i].data, 1, bytes, to);
    }
    solo_rpc_send(port);
  }
  solo_rpc_free_bytes(text);
}

static void call(solo_rpc_port *port) {
  solo_rpc_bytes data[SOLO_RPC_LANES] = {{0}};
  if (solo_rpc_receive_bytes(port, data) && solo_rpc_receive(port)) {
    for (uint32_t i = 0; i < SOLO_RPC_LANES; i++) {
      if (!solo_rpc_calls(port, i)) continue;
      uint64_t *words = solo_rpc_words(port, i);
      unsigned long long (*function)(void *);
      memcpy(&function, words, sizeof function);
      words[0] = function(data[i].data);
    }
    solo_rpc_send(port);
  }
  solo_rpc_free_bytes(data);
}

static void memory(solo_rpc_port *port) {
  solo_rpc_heap *heap = &port->server->heap;
  if (!solo_rpc_receive(port)) return;
  for (uint32_t i = 0; i < SOLO_RPC_LANES; i++) {
    if (!solo_rpc_calls(port, i)) continue;
    uint64_t *words = solo_rpc_words(port, i);
    if (port->opcode == FREE)
      solo_rpc_heap_free(heap, words[0]);
    else
      words[0] = solo_rpc_heap_allocate(heap, words[0]);
  }
  if (port->opcode == ALLOCATE) solo_rpc_send(port);
}

static int serve(solo_rpc_port *port) {
  switch (port->opcode) {
  case NOTHING:
    return 1;
  case EXIT:
  case ABORT:
    end_program(port);
    return 1;
  case WRITE_OUT:
  case WRITE_ERROR:
  case WRITE_LINE:
    write_text(port);
    return 1;
  case ALLOCATE:
  case FREE:
    memory(port);
    return 1;
  case CALL:
  case CALL_OF_OPENMP:
    call(port);
    return 1;
  case PRINT_OUT:
  case PRINT_ERROR:
  case PRINT_OUT_PACKED:
  case PRINT_ERROR_PACKED:
    solo_rpc_print(port, port->opcode == PRINT_ERROR || port->opcode == PRINT_ERROR_PACKED,
                   port->opcode >= PRINT_OUT_PACKED);
    return 1;
  default:
    return 0;
  }
}

int solo_rpc_serve(solo_rpc_port *port) {
  return serve(port) && !port->refused_bytes;
}
