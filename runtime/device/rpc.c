#define _GNU_SOURCE
#include "runtime/device/rpc.h"

#include "runtime/base/debug.h"
#include "runtime/base/settings.h"
#include "runtime/device/rpc_port.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct client {
  uint32_t ports, padding;
  /* addresses; the host writes the words at host_word, kernels write those at device_word */
  uint64_t host_word, device_word, headers, packets;
  uint32_t locks[128];
} client;
_Static_assert(sizeof(client) == 552, "the size of __llvm_rpc_client in LLVM 20 to 22");

enum { DEFAULT_HEAP = 8 << 20, SPIN_LIMIT = 6, SLEEP_LIMIT = 21, STACK_LEAST = 1 << 20 };

/* Ends the program, because the kernel would wait forever for an answer. */
static SOLO_COLD void refuse(const solo_rpc_port *port) {
  if (port->refused_bytes)
    fprintf(
        stderr,
        "solo: error: no host memory for a call of a kernel on device %d: %llu bytes (call 0x%x of "
        "__llvm_rpc_client)\n  hint: check the length that the kernel passes\n",
        port->server->device_number, (unsigned long long)port->refused_bytes, port->opcode);
  else
    fprintf(
        stderr,
        "solo: error: a kernel on device %d calls an unsupported host function (call 0x%x of "
        "__llvm_rpc_client)\n  hint: use only printf, puts, fputs, malloc, free, exit, abort and "
        "host calls in kernels\n",
        port->server->device_number, port->opcode);
  abort();
}

/* The server thread. While no kernel calls, it doubles its sleep from 128 ns to 2 ms. */
static void *serve(void *argument) {
  solo_rpc *server = argument;
  uint32_t idle = 0;
  /* pairs with solo_rpc_leaving */
  while (!solo_load_acquire(&server->stop)) {
    int any = 0;
    for (uint32_t i = 0; i < SOLO_RPC_PORTS; i++) {
      solo_rpc_port port;
      if (!solo_rpc_open(server, i, &port)) continue;
      any = 1;
      if (!solo_rpc_serve(&port)) refuse(&port);
      solo_rpc_close(&port);
    }
    if (any)
      idle = 0;
    else if (idle < SLEEP_LIMIT)
      idle++;
    if (idle > SPIN_LIMIT) solo_futex_wait(&server->stop, 0, 1ull << idle);
  }
  return NULL;
}

static uint64_t heap_bytes(void) {
  return solo_settings()->heap_size ? solo_settings()->heap_size : DEFAULT_HEAP;
}

static void free_memory(solo_rpc *server) {
  const solo_backend *backend = server->device->backend;
  solo_bdevice *handle = server->device->handle;
  solo_status status = SOLO_OK;
  if (server->memory) status = SOLO_OP(backend, mem_free)(handle, server->memory, SOLO_MEMORY_HOST);
  if (server->heap.memory && status == SOLO_OK)
    status = SOLO_OP(backend, mem_free)(handle, server->heap.memory, SOLO_MEMORY_DEVICE);
  if (status != SOLO_OK)
    solo_debug(1, "device %d: memory of host calls: %s", server->device_number,
               solo_error_last()->text);
  solo_rpc_heap_end(&server->heap);
  free(server);
}

/* Blocks all signals, because the program's threads handle them. Sets the stack size, because
 * musl's default is too small for host functions that kernels call. */
static solo_status start_thread(solo_rpc *server) {
  pthread_attr_t attributes;
  size_t stack = 0;
  sigset_t all, before;
  int failed = pthread_attr_init(&attributes);
  if (!failed) {
    if (!pthread_attr_getstacksize(&attributes, &stack) && stack < STACK_LEAST)
      pthread_attr_setstacksize(&attributes, STACK_LEAST);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(&server->thread, &attributes, serve, server);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
  }
  if (failed)
    return solo_fail(SOLO_NOMEM, "cannot start the thread for host calls of kernels on device %d",
                     server->device_number);
  return SOLO_OK;
}

static solo_status start(solo_rpc *server, solo_devptr variable) {
  const solo_backend *backend = server->device->backend;
  solo_bdevice *handle = server->device->handle;
  uint64_t mailbox = SOLO_RPC_PORTS * sizeof(uint32_t), at_headers = 2 * mailbox,
           at_packets = at_headers + SOLO_RPC_PORTS * sizeof(solo_rpc_header),
           bytes =
               at_packets + (uint64_t)SOLO_RPC_PORTS * server->warp_size * sizeof *server->packets;
  SOLO_TRY(SOLO_OP(backend, mem_alloc)(handle, bytes, SOLO_MEMORY_HOST, &server->memory));
  server->heap.bytes = heap_bytes();
  SOLO_TRY(SOLO_OP(backend, mem_alloc)(handle, server->heap.bytes, SOLO_MEMORY_DEVICE,
                                       &server->heap.memory));
  char *memory = (char *)(uintptr_t)server->memory;
  memset(memory, 0, bytes);
  server->host_word = (_Atomic uint32_t *)(void *)memory;
  server->device_word = (const _Atomic uint32_t *)(void *)(memory + mailbox);
  server->headers = (const solo_rpc_header *)(void *)(memory + at_headers);
  server->packets = (uint64_t(*)[SOLO_RPC_WORDS])(void *)(memory + at_packets);
  client c = {.ports = SOLO_RPC_PORTS,
              .host_word = server->memory,
              .device_word = server->memory + mailbox,
              .headers = server->memory + at_headers,
              .packets = server->memory + at_packets};
  SOLO_TRY(solo_module_write(server->device, variable, &c, sizeof c));
  return start_thread(server);
}

static solo_status find(solo_device *device, solo_module *module, const char *name,
                        solo_devptr *out_address, uint64_t *out_bytes) {
  return SOLO_OP(device->backend, module_global)(module->handle, name, out_address, out_bytes);
}

solo_status solo_rpc_loaded(solo_device *device, solo_module *module, solo_rpc **out_server) {
  solo_devptr variable;
  uint64_t bytes;
  *out_server = NULL;
  solo_status status = find(device, module, "__llvm_libc_rpc_client", &variable, &bytes);
  if (status == SOLO_OK)
    return solo_fail(SOLO_INCOMPATIBLE,
                     "the image for device %d uses LLVM's GPU C library of version 17 to 19 "
                     "(__llvm_libc_rpc_client), which this library does not support\n  hint: "
                     "compile with LLVM 20 to 22, or without the GPU C library",
                     device->number);
  if (status == SOLO_NOT_FOUND)
    status = find(device, module, "__llvm_rpc_client", &variable, &bytes);
  if (status == SOLO_NOT_FOUND) return SOLO_OK;
  if (status != SOLO_OK) return status;
  if (bytes != sizeof(client))
    return solo_fail(SOLO_INCOMPATIBLE,
                     "__llvm_rpc_client in the image for device %d has %llu bytes, not the %zu of "
                     "LLVM 20 to 22\n  hint: compile with one of these",
                     device->number, (unsigned long long)bytes, sizeof(client));
  /* The device belongs to another process, which does not serve calls. */
  if (device->info.where[0]) {
    solo_store_relaxed(&device->may_call_host, 1); /* relaxed: stored before a kernel is launched */
    return SOLO_OK;
  }
  solo_rpc *server = calloc(1, sizeof *server);
  if (!server)
    return solo_fail(SOLO_NOMEM, "no host memory for host calls of kernels on device %d",
                     device->number);
  server->device = device;
  server->device_number = device->number;
  server->warp_size = device->info.warp_size;
  server->process = getpid();
  status = start(server, variable);
  if (status == SOLO_OK)
    *out_server = server;
  else
    free_memory(server);
  return status;
}

void solo_rpc_leaving(solo_rpc *server) {
  if (!server) return;
  /* Invariant: the server thread ends before its memory is freed.
   * Ordering:  pairs with the acquire loads in serve() and wait_for_turn().
   * Otherwise: the thread could run forever or use freed memory.
   */
  solo_store_release(&server->stop, 1);
  solo_futex_wake(&server->stop, 1);
  if (server->process == getpid()) { /* in a child of fork(2) the thread does not exist */
    /* The caller is the server thread if a kernel called a host function that ends the program. */
    if (pthread_equal(server->thread, pthread_self())) return;
    pthread_join(server->thread, NULL);
  }
  free_memory(server);
}
