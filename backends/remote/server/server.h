/* What the files of the device server share.
 *
 * Lock ranks, low to high: device (server_device.c) < client's objects.
 */
#ifndef SOLO_REMOTE_SERVER_SERVER_H
#define SOLO_REMOTE_SERVER_SERVER_H

#include "backends/remote/remote_transport.h"
#include "runtime/backend_call.h"
#include "runtime/base/lock.h"
#include <pthread.h>

/* A device of this server; opened once, used by any number of programs. */
typedef struct server_device {
  const solo_backend *backend;
  int ordinal;
  solo_lock lock; /* rank: device. Opening, closing, loading and unloading, one at a time. */
  int users;      /* guarded by lock */
  solo_bdevice *handle;
  solo_device_info info;
} server_device;

/* Is the device's memory this process's own, in which all is done when a call returns? */
SOLO_INLINE int server_has_memory(const server_device *device) {
  return (device->info.flags & SOLO_DEVICE_SURVIVES_FORK) != 0;
}

typedef struct server_module {
  server_device *device;
  solo_bmodule *handle;
} server_module;

/* One that is unloaded is used again for another, and freed with the program's connection: a queue of another device, whose
 * launch fails, may still look at it. */
typedef struct server_kernel {
  struct server_kernel *next; /* the control thread's */
  solo_bkernel *handle;
  _Atomic(server_device *) device; /* NULL: it is unloaded */
  uint32_t module;
  const char *name; /* of the log; NULL: nobody asked */
} server_kernel;

typedef struct server_block {
  struct server_block *next;
  server_device *device;
  solo_devptr address;
  solo_memory_kind kind;
} server_block;

enum { SERVER_BLOCK_LISTS = 1024, SERVER_MARKS = 32, SERVER_BUFFERS = SOLO_REMOTE_BUFFERS };

/* Beside the statuses: a message that cannot be understood. */
#define MALFORMED SOLO_STATUS_COUNT

typedef struct server_client server_client;
typedef struct server_log server_log;     /* server_work.c */
typedef struct server_image server_image; /* server_image.c */

/* Work for the log, begun. */
typedef struct server_work {
  uint64_t begin_ns; /* 0: it is none */
  uint64_t bytes;
  const char *name;
  uint32_t kind; /* solo_work_kind */
} server_work;

/* A message of a queue whose completion the program wants to be told. */
typedef struct server_mark {
  uint64_t ticket;
  solo_bevent *event;
  server_work work;
} server_mark;

typedef enum server_staging {
  SERVER_STAGING_NEW, /* no copy has gone through it */
  SERVER_STAGING_LOCKED,
  SERVER_STAGING_PAGEABLE,
} server_staging;

typedef struct server_queue {
  server_client *client;
  server_device *device;
  solo_remote_channel channel;
  solo_bqueue *handle; /* NULL: it could not be opened; its thread's own */
  pthread_t thread;
  int has_thread; /* else the control thread serves it */
#ifdef SOLO_CHECK
  int is_to_fail, was_refused; /* of tests: opening it; its thread */
#endif
  /* odd while a message uses a module, or the memory of another device: that of used (server_await_users) */
  _Atomic uint64_t uses;
  _Atomic(const server_device *) used;
  _Atomic int closing;
  _Atomic uint64_t gates_open; /* the control thread opens them */
  uint64_t gates;              /* that the queue has met */
  int synchronous;             /* work is complete when its call returns */
  uint64_t completed;          /* the newest message told complete */
  uint64_t worked_until;       /* of the log */
  uint32_t number;             /* the device's, as the program knows it */
  int has_asked;               /* the last TAKE's bytes came from the program */
  server_staging staging;      /* its thread's own */
  /* first-in first-out; events are kept for reuse */
  server_mark marks[SERVER_MARKS];
  /* the staging area in parts, of transports that move bytes beside messages: where the copies out
   * of each end */
  solo_bevent *filled[SERVER_BUFFERS];
  uint32_t next_buffer;
  uint32_t first_mark, last_mark;
} server_queue;

struct server_client {
  solo_remote_link *link;
  const solo_remote_transport *transport;
  solo_remote_channel control;
  server_device *devices[SOLO_REMOTE_DEVICES]; /* what the program sees */
  uint32_t device_count;
  uint32_t first_device[SOLO_REMOTE_FAMILIES], family_count[SOLO_REMOTE_FAMILIES];
  _Atomic int device_open[SOLO_REMOTE_DEVICES]; /* written by the control thread */
  server_module modules[SOLO_REMOTE_MODULES];
  _Atomic(server_kernel *) kernels[SOLO_REMOTE_KERNELS]; /* read by queue threads */
  _Atomic(server_queue *) queues[SOLO_REMOTE_CHANNELS];  /* those there are */
  server_queue storage[SOLO_REMOTE_CHANNELS];            /* theirs: opening one needs no memory */
  uint32_t threadless;                                   /* queues that have no thread */
  server_kernel *spare_kernels;                          /* the control thread's */
  server_block *blocks[SERVER_BLOCK_LISTS];
  _Atomic(server_log *) log; /* NULL: nobody asked for it */
  uint64_t objects;          /* modules, blocks and queues that are open */
  uint8_t *image;            /* of the next MODULE_LOAD */
  uint64_t image_bytes, image_filled;
  server_image *kept[SOLO_REMOTE_IMAGES]; /* for the next MODULE_LOAD; NULL: none */
  uint64_t kept_bytes;
};

/* --- devices (server_device.c) ---------------------------------------------------------------- */

/* The devices of the backend of this name; UNAVAILABLE with its reason. *out_first is where they
 * begin in the table, for good. */
solo_status server_find_devices(const char *backend, server_device **out_first,
                                uint32_t *out_count);
solo_status server_open_device(server_device *device, int number);
void server_close_device(server_device *device);

/* --- the control channel (server_control.c) --------------------------------------------------- */

/* Executes a control message; nonzero: it was malformed. */
int server_control(server_client *client, const void *message, uint32_t bytes);
/* Closes all that the program has open on the device. */
void server_close_all(server_client *client, uint32_t device);

/* --- images (server_image.c) ------------------------------------------------------------------- */

/* The image of these bytes, which are taken over: one for all programs that have sent them. NULL: no
 * memory; the bytes are still the caller's. */
server_image *server_keep_image(uint8_t *data, uint64_t bytes);
solo_span server_image_span(const server_image *image);
void server_drop_image(server_image *image);
/* Of all that are kept, each once. */
uint64_t server_image_bytes(void);

/* --- queues (server_queue.c) ------------------------------------------------------------------ */

/* Posted, so that it cannot fail: of a queue that could not be opened all messages fail. */
void server_open_queue(server_client *client, uint32_t device, uint32_t channel, int is_to_fail);
/* From the control thread, often: of queues for which there was no thread. Nonzero: there are any. */
int server_serve_threadless(server_client *client);
/* Tells its thread to end; then closes it, which waits for that. */
void server_end_queue(server_client *client, uint32_t channel);
void server_close_queue(server_client *client, uint32_t channel);
/* The kernel of a launch, if it is one of the queue's device; NULL: it is not. From the queue's thread, while it
 * uses its device. */
SOLO_INLINE server_kernel *server_kernel_of(const server_queue *queue, uint32_t handle) {
  server_kernel *kernel =
      solo_load_acquire(&queue->client->kernels[handle]); /* pairs with module_kernel */
  /* acquire: pairs with module_kernel, where another one is made of it */
  return kernel && solo_load_acquire(&kernel->device) == queue->device ? kernel : NULL;
}
/* What waits for this gate of the channel, or one before it, goes on. */
void server_open_gate(server_client *client, uint32_t channel, uint64_t gate);

/* --- what queues use (server_use.c) ------------------------------------------------------------- */

/* Nonzero: each use has a fence of its own. Written before there are queues. */
extern SOLO_HIDDEN _Atomic int server_uses_are_fenced;

/* Around what may use a module, or the memory of another device, from the queue's thread: what it then finds to be
 * there stays until the end of the use. */
SOLO_INLINE void server_begin_use(server_queue *queue, const server_device *used) {
  solo_store_relaxed(&queue->used, used); /* published by the next */
  solo_store_release(&queue->uses,
                     solo_load_relaxed(&queue->uses) + 1); /* own; pairs with server_await_users */
  /* Pairs with server_await_users, which sees this, or what it has taken away is seen to be gone. relaxed: as above */
  if (SOLO_UNLIKELY(solo_load_relaxed(&server_uses_are_fenced)))
    solo_fence_seq_cst();
  else
    solo_fence_compiler();
}

SOLO_INLINE void server_end_use(server_queue *queue) {
  solo_store_release(&queue->uses,
                     solo_load_relaxed(&queue->uses) + 1); /* own; pairs with server_await_users */
}

/* Before a program has queues. */
void server_prepare_uses(void);
/* From the control thread: waits until no queue uses what it could find of the device before: a launch its module, a copy
 * between devices the one that it copies to. What a queue begins meanwhile is not waited for. */
void server_await_users(server_client *client, const server_device *device);

/* --- bytes of copies ------------------------------------------------------------------------------ */

/* Before a copy goes through the staging area, from the thread that serves the queue; and when that has ended,
 * from the control thread: page-locked where the device's driver can (server_staging.c). Cannot fail: where it
 * can not, copies work as from any memory. */
void server_lock_staging(server_queue *queue);
void server_unlock_staging(server_queue *queue);

/* A copy whose bytes come beside its message or in it (server_move.c). */
solo_status server_move(server_queue *queue, const solo_remote_copy *message, uint32_t bytes);
/* The same after a failure that the program does not know of yet: its bytes move, the device copies
 * nothing. */
solo_status server_drop_move(server_queue *queue, const solo_remote_copy *message, uint32_t bytes);

/* Halves of a copy between this server and another (server_move.c). given: not OK: a failure before,
 * after which the halves still meet, and nothing is copied. */
solo_status server_send_to(server_queue *queue, const solo_remote_between *message, uint32_t bytes,
                           solo_status given);
solo_status server_receive_from(server_queue *queue, const solo_remote_between *message,
                                uint32_t bytes, solo_status given);

/* A copy in whose bytes another server gives, or the program (server_move.c). */
solo_status server_take(server_queue *queue, const solo_remote_between *message, uint32_t bytes,
                        solo_status given);

/* --- the log of work (server_work.c) ------------------------------------------------------------ */

/* This process's clock. */
uint64_t server_now(void);
/* From the control thread: starts it, frees it, keeps a kernel's name in it, hands over what fits into an
 * answer. */
void server_start_log(server_client *client) SOLO_COLD;
void server_free_log(server_client *client);
const char *server_keep_name(server_client *client, const char *name);
void server_take_log(server_client *client, uint8_t *answer);
/* Around the work of a message, from the queue's thread. */
void server_begin_work(const server_queue *queue, const solo_remote_head *message,
                       server_work *out);
/* A TAKE's bytes came from the program, or from another server. */
void server_name_take(const server_queue *queue, server_work *work);
void server_end_work(server_queue *queue, const server_work *work);

/* The program wrote what cannot be understood: its connection ends, and both sides are told why. message: the one that
 * was taken last from the channel; NULL: its ring cannot be read. */
void server_refuse(server_client *client, const solo_remote_channel *channel,
                   const solo_remote_head *message) SOLO_COLD;

#endif
