/* Declarations of the device server. Lock order: a device before objects of a client. */
#ifndef SOLO_REMOTE_SERVER_SERVER_H
#define SOLO_REMOTE_SERVER_SERVER_H

#include "backends/remote/remote_transport.h"
#include "runtime/backend_call.h"
#include "runtime/base/lock.h"
#include <pthread.h>

typedef struct server_device {
  const solo_backend *backend;
  int ordinal;
  solo_lock lock; /* rank: device */
  int users;
  solo_bdevice *handle;
  solo_device_info info;
} server_device;

/* Returns whether device memory is host memory of this process. Then device calls are synchronous. */
SOLO_INLINE int server_has_memory(const server_device *device) {
  return (device->info.flags & SOLO_DEVICE_SURVIVES_FORK) != 0;
}

typedef struct server_module {
  server_device *device;
  solo_bmodule *handle;
} server_module;

/* A kernel. Freed with the client, not with its module, because a queue of another device may still
 * read it. */
typedef struct server_kernel {
  struct server_kernel *next;
  solo_bkernel *handle;
  _Atomic(server_device *) device;
  uint32_t module;
  const char *name;
} server_kernel;

typedef struct server_block {
  struct server_block *next;
  server_device *device;
  solo_devptr address;
  solo_memory_kind kind;
} server_block;

enum { SERVER_BLOCK_LISTS = 1024, SERVER_MARKS = 32, SERVER_BUFFERS = SOLO_REMOTE_BUFFERS };

#define MALFORMED SOLO_STATUS_COUNT

typedef struct server_client server_client;
typedef struct server_log server_log;
typedef struct server_image server_image;

typedef struct server_work {
  uint64_t begin_ns; /* 0: the message is not logged */
  uint64_t bytes;
  const char *name;
  uint32_t kind;
} server_work;

typedef struct server_mark {
  uint64_t ticket;
  solo_bevent *event;
  server_work work;
} server_mark;

typedef enum server_staging {
  SERVER_STAGING_NEW,
  SERVER_STAGING_LOCKED,
  SERVER_STAGING_PAGEABLE,
} server_staging;

typedef struct server_queue {
  server_client *client;
  server_device *device;
  solo_remote_channel channel;
  solo_bqueue *handle;
  pthread_t thread;
  int has_thread; /* 0: the control thread serves the queue */
#ifdef SOLO_CHECK
  int is_to_fail, was_refused;
#endif
  /* odd between server_begin_use() and server_end_use() */
  _Atomic uint64_t uses;
  _Atomic(const server_device *) used;
  _Atomic int closing;
  _Atomic uint64_t gates_open;
  uint64_t gates; /* number of the newest GATE message */
  int synchronous;
  uint64_t completed;
  uint64_t worked_until;
  uint32_t number;
  int has_requested;
  server_staging staging;
  server_mark marks[SERVER_MARKS];
  /* filled[n]: event after the last copy of part n of the staging area */
  solo_bevent *filled[SERVER_BUFFERS];
  uint32_t next_buffer;
  uint32_t first_mark, last_mark;
} server_queue;

/* Only the control thread writes the atomic members. */
struct server_client {
  solo_remote_link *link;
  const solo_remote_transport *transport;
  solo_remote_channel control;
  server_device *devices[SOLO_REMOTE_DEVICES];
  uint32_t device_count;
  uint32_t first_device[SOLO_REMOTE_FAMILIES], family_count[SOLO_REMOTE_FAMILIES];
  _Atomic int device_open[SOLO_REMOTE_DEVICES];
  server_module modules[SOLO_REMOTE_MODULES];
  _Atomic(server_kernel *) kernels[SOLO_REMOTE_KERNELS];
  _Atomic(server_queue *) queues[SOLO_REMOTE_CHANNELS];
  server_queue storage[SOLO_REMOTE_CHANNELS];
  uint32_t threadless; /* number of queues without a thread */
  server_kernel *spare_kernels;
  server_block *blocks[SERVER_BLOCK_LISTS];
  _Atomic(server_log *) log;
  uint64_t objects;
  uint8_t *image;
  uint64_t image_bytes, image_filled;
  server_image *kept[SOLO_REMOTE_IMAGES];
  uint64_t kept_bytes;
};

solo_status server_find_devices(const char *backend, server_device **out_first,
                                uint32_t *out_count);
solo_status server_open_device(server_device *device, int number);
void server_close_device(server_device *device);

int server_control(server_client *client, const void *message, uint32_t bytes);
void server_close_all(server_client *client, uint32_t device);

/* Owns data unless it returns NULL (no memory). */
server_image *server_image_cache_insert(uint8_t *data, uint64_t bytes);
solo_span server_image_span(const server_image *image);
void server_image_release(server_image *image);
uint64_t server_image_bytes(void);

/* If the queue cannot be opened, its messages fail. */
void server_open_queue(server_client *client, uint32_t device, uint32_t channel, int is_to_fail);
/* Serves the queues without a thread. Returns nonzero if such queues exist. Control thread. */
int server_serve_threadless(server_client *client);
/* stop() makes the queue's thread end; close() waits for the thread and frees the queue. */
void server_stop_queue(server_client *client, uint32_t channel);
void server_close_queue(server_client *client, uint32_t channel);
/* Returns NULL if handle is no kernel of the queue's device. Called between server_begin_use() and
 * server_end_use(). */
SOLO_INLINE server_kernel *server_kernel_of(const server_queue *queue, uint32_t handle) {
  server_kernel *kernel =
      solo_load_acquire(&queue->client->kernels[handle]); /* pairs with module_kernel() */
  /* acquire: pairs with module_kernel() */
  return kernel && solo_load_acquire(&kernel->device) == queue->device ? kernel : NULL;
}
void server_open_gate(server_client *client, uint32_t channel, uint64_t gate);

/* 1: each use executes a fence, because membarrier(2) fails */
extern SOLO_HIDDEN _Atomic int server_uses_are_fenced;

/* Begins a use of a module or of another device's memory.
 * Invariant: an object that is found within a use is not freed before the end of the use.
 * Ordering:  uses is stored before the object is looked up; the fence pairs with the fence in
 *            server_await_users(), or membarrier replaces it.
 * Otherwise: a launch could use an unloaded module.
 */
SOLO_INLINE void server_begin_use(server_queue *queue, const server_device *used) {
  /* release: if server_await_users() reads the new value, the accesses of the previous use are
   * complete */
  solo_store_release(&queue->used, used);
  /* pairs with server_await_users() */
  solo_store_release(&queue->uses, solo_load_relaxed(&queue->uses) + 1);
  /* relaxed: constant */
  if (SOLO_UNLIKELY(solo_load_relaxed(&server_uses_are_fenced)))
    solo_fence_seq_cst();
  else
    solo_fence_compiler();
}

SOLO_INLINE void server_end_use(server_queue *queue) {
  /* pairs with server_await_users() */
  solo_store_release(&queue->uses, solo_load_relaxed(&queue->uses) + 1);
}

void server_prepare_uses(void);
/* Waits for the uses that may have found objects which the control thread has removed before this
 * call. Control thread. */
void server_await_users(server_client *client, const server_device *device);

/* Page-locks the staging area if the driver can. Queue's thread. */
void server_lock_staging(server_queue *queue);
void server_unlock_staging(server_queue *queue);

/* Executes a COPY with SOLO_REMOTE_DIRECT_COPY or SOLO_REMOTE_INLINE. */
solo_status server_move(server_queue *queue, const solo_remote_copy *message, uint32_t bytes);
/* For use after an unreported failure: transfers the bytes, for which the client waits, without
 * access to the device. */
solo_status server_move_bytes_only(server_queue *queue, const solo_remote_copy *message,
                                   uint32_t bytes);

/* given: status of an earlier failure, after which only the bytes are transferred; or SOLO_OK. */
solo_status server_send_to(server_queue *queue, const solo_remote_between *message, uint32_t bytes,
                           solo_status given);
solo_status server_receive_from(server_queue *queue, const solo_remote_between *message,
                                uint32_t bytes, solo_status given);

/* Receives data that another server forwards. If that server cannot send, receives the client's
 * data. */
solo_status server_receive_forwarded(server_queue *queue, const solo_remote_between *message,
                                     uint32_t bytes, solo_status given);

uint64_t server_now(void);
void server_start_log(server_client *client) SOLO_COLD;
void server_free_log(server_client *client);
const char *server_log_name(server_client *client, const char *name);
void server_write_log(server_client *client, uint8_t *answer);
void server_begin_work(const server_queue *queue, const solo_remote_head *message,
                       server_work *out);
void server_set_forwarded_kind(const server_queue *queue, server_work *work);
void server_end_work(server_queue *queue, const server_work *work);

/* Ends the connection and reports the reason. message NULL: the ring is invalid. */
void server_refuse(server_client *client, const solo_remote_channel *channel,
                   const solo_remote_head *message) SOLO_COLD;

#endif
