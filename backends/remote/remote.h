/* The client side of the remote backend, which uses the devices of a device server
 * (tools/solo_server.c). An operation becomes a message of remote_wire.h; a transport
 * (remote_transport.h) carries it. Ownership, threads, errors, units: runtime/backend.h. */
#ifndef SOLO_REMOTE_H
#define SOLO_REMOTE_H

#include "backends/remote/remote_transport.h"
#include "runtime/backend.h"
#include "runtime/backend_operations.h"
#include "runtime/base/lock.h"

typedef struct solo_remote_log solo_remote_log;

typedef struct solo_remote_server {
  /* the first three members are constant */
  const char *address; /* entry of the server in SOLO_SERVER; "": the default server */
  char title[64];
  char key[64]; /* distinguishes servers in device ids; "": only one server exists */
  /* table_lock (remote_servers.c) guards users, reason and link */
  int users;              /* unreleased calls of solo_remote_server_use() */
  char *reason;           /* reason of the last failed attempt to connect, or NULL */
  solo_remote_link *link; /* constant while users > 0; NULL: not connected */
  struct {
    /* numbers of this server's devices among the devices of all servers; constant once count is set */
    uint32_t first, count;
  } numbers[SOLO_REMOTE_FAMILIES];
  /* guards the members below; held from the post of a control message to its answer */
  solo_lock lock;
  solo_remote_channel control;
  uint8_t channel_used[SOLO_REMOTE_CHANNELS];
  uint8_t module_used[SOLO_REMOTE_MODULES];
  uint8_t kernel_used[SOLO_REMOTE_KERNELS];
  struct {
    uint64_t bytes, hash[2];
  } images[SOLO_REMOTE_IMAGES]; /* images in the server's cache; bytes 0: free slot */
  uint32_t kernel_next;
  struct solo_remote_block *blocks; /* allocated blocks of the area, ordered by offset */
  solo_remote_log *log;             /* NULL: no profile is written; set before a device is used */
#ifdef SOLO_CHECK
  /* for tests: blocks allocated without a message, minus ranges; corrects the server's count of objects */
  _Atomic long cut_blocks;
#endif
  _Atomic(solo_bqueue *) queues[SOLO_REMOTE_CHANNELS];
  struct {
    uint32_t first, count; /* the server's own device numbers; count 0: not yet requested */
  } devices[SOLO_REMOTE_FAMILIES];
} solo_remote_server;

typedef struct solo_remote_range solo_remote_range;

struct solo_bdevice {
  solo_remote_server *server;
  int ordinal, number; /* ordinal: the server's device number; number: the runtime's */
  solo_remote_family family;
  int reports_all_completions; /* the server reports each completion without a MARK message */
  int is_in_server;            /* 1: device memory is host memory of the server process */
  /* 1: the device detects accesses outside a block, so the server allocates each block */
  int has_exact_blocks;
  solo_device_info info;
  solo_lock lock;    /* rank: queue; guards idle */
  solo_bqueue *idle; /* closed queues, for reuse; freed with the device */
  /* rank: device; guards ranges and range_bytes, also while the server allocates a range */
  solo_lock memory_lock;
  solo_remote_range *ranges;
  uint64_t range_bytes;   /* length of the next range */
  solo_lock between_lock; /* rank: device; guards `between` and its operations */
  solo_bqueue *between;   /* queue that receives copies from other servers; NULL: not opened yet */
};

struct solo_bkernel {
  solo_bkernel *next;
  uint32_t handle;
  solo_kernel_attributes attributes;
  char name[];
};

struct solo_bmodule {
  solo_bdevice *device;
  uint32_t handle;
  solo_lock lock; /* rank: queue. Guards kernels. */
  solo_bkernel *kernels;
};

typedef struct solo_remote_piece {
  uint64_t ticket; /* the piece is free when this message is complete */
  uint64_t end;    /* end of the piece, counted in bytes allocated since the queue was opened */
  void *to;        /* host destination of a copy from the device; NULL: copy to the device */
  uint32_t offset, bytes;
} solo_remote_piece;

enum { SOLO_REMOTE_PIECES = 64 };

struct solo_bqueue {
  solo_bdevice *device;
  solo_bqueue *next_idle;
  solo_remote_channel channel;
  solo_lock lock; /* rank: queue. Guards the pieces and their counters. */
  uint64_t first_piece, last_piece;
  uint64_t staged, freed;   /* staging bytes allocated so far; freed so far */
  uint64_t marked;          /* ticket of the newest message with SOLO_REMOTE_COMPLETE */
  uint64_t counted;         /* channel.count at the last call of solo_remote_fetch_some_work() */
  uint64_t marked_staged;   /* value of staged when marked was set */
  int has_failed;           /* 1: the last sync reported a failure */
  _Atomic int is_abandoned; /* 1: the device is lost, and messages after `kept` never complete */
  uint64_t kept;            /* constant after is_abandoned is set */
  /* numbers of posted GATE messages and of opened gates; guarded by list_lock (remote_fence.c) */
  uint64_t gates, gates_opened;
  struct {
    uint64_t turn; /* number of the queue's current busy period (from idle to idle) */
    /* this queue's messages up to `until` receive data that queue `source` forwards in its busy
     * period `source_turn` */
    uint64_t source_turn, until;
    const struct solo_bqueue *source;
    uint64_t source_ticket; /* message of `source` that brings the newest of this data */
  } tree; /* the copy tree (remote_tree.c); only for the thread that uses the queue */
  solo_remote_piece pieces[SOLO_REMOTE_PIECES];
};

struct solo_bevent {
  solo_bqueue *queue;
  uint64_t ticket;
};

int solo_remote_accepts_image(solo_remote_family family, const solo_image *image);

/* Returns the number of complete messages, or 0 if solo_remote_violates_protocol() returns nonzero. */
SOLO_INLINE uint64_t solo_remote_completed(const solo_remote_channel *channel) {
  uint64_t count =
      solo_load_acquire(&channel->shared->completed); /* pairs with solo_remote_shm_complete() */
  /* relaxed: the acquire load orders this load, because the post precedes the completion */
  return SOLO_LIKELY(count <= solo_load_relaxed(&channel->shared->posted)) ? count : 0;
}

SOLO_INLINE int solo_remote_violates_protocol(const solo_remote_channel *channel) {
  const solo_remote_shared *s = channel->shared;
  /* acquire: pairs with solo_remote_shm_complete(). relaxed: ordered by the acquire load */
  return solo_load_acquire(&s->completed) > solo_load_relaxed(&s->posted);
}

/* Reserves a message in the ring and fills in its head. Waits while the ring is full. Returns NULL
 * if the server is lost. */
void *solo_remote_message(solo_remote_channel *channel, uint32_t bytes, solo_remote_kind kind);

uint64_t solo_remote_post(solo_remote_channel *channel, const void *message);

/* Waits until the channel's first `count` messages are complete. DEVICE_LOST: the server is lost. */
solo_status solo_remote_wait(solo_remote_channel *channel, uint64_t count);

/* Sets the error text of a lost server, abandons the queue's incomplete work (remote_staging.h),
 * returns DEVICE_LOST. */
SOLO_COLD solo_status solo_remote_abandon_queue(solo_bqueue *queue);

/* Reads the status once, because the server can change it. */
SOLO_INLINE int solo_remote_status(const solo_remote_result *result) {
  return *(const volatile int32_t *)&result->status;
}

/* Copies the server's result to the calling thread's error. Returns `status`. */
solo_status solo_remote_fail_result(const solo_remote_result *result, int status) SOLO_COLD;

/* Posts a message that solo_remote_message() returned, waits for its completion, and copies
 * answer_bytes bytes of the answer to out_answer. message NULL: the server is lost. The caller holds
 * the server's lock. */
solo_status solo_remote_call(solo_remote_server *server, const void *message, void *out_answer,
                             size_t answer_bytes);

/* Set an error text and return DEVICE_LOST. fail_lost: the server has ended. fail_protocol: the
 * server violates the protocol; `what` completes the text "it reports ...". */
solo_status solo_remote_fail_lost(solo_remote_channel *channel) SOLO_COLD;
solo_status solo_remote_fail_protocol(solo_remote_channel *channel, const char *what) SOLO_COLD;

SOLO_INLINE int solo_remote_is_lost(const solo_remote_channel *channel) {
  /* relaxed: a late read is harmless */
  return SOLO_UNLIKELY(solo_load_relaxed(&channel->link->lost));
}

/* Like solo_remote_message(), but returns NULL instead of waiting for ring space. */
SOLO_INLINE void *solo_remote_try_message(solo_remote_channel *channel, uint32_t bytes,
                                          solo_remote_kind kind) {
  bytes = (bytes + SOLO_REMOTE_ALIGN - 1) & ~(uint32_t)(SOLO_REMOTE_ALIGN - 1);
  if (solo_remote_is_lost(channel)) return NULL;
  solo_remote_head *head = solo_remote_reserve(channel, bytes);
  if (SOLO_LIKELY(head != NULL)) *head = (solo_remote_head){.bytes = bytes, .kind = (uint16_t)kind};
  return head;
}

void solo_remote_ranges_free(solo_bdevice *device);

SOLO_INLINE void solo_remote_count_blocks(solo_remote_server *server, long more) {
#ifdef SOLO_CHECK
  solo_add_relaxed(&server->cut_blocks, more); /* relaxed: statistics */
#else
  (void)server, (void)more;
#endif
}

/* Posts a MARK if the server would not report the completion of the queue's work. When message
 * *out_ticket is complete, all work posted so far is complete. */
solo_status solo_remote_mark(solo_bqueue *queue, uint64_t *out_ticket);

solo_status solo_remote_copy_directly(solo_bqueue *queue, uint64_t device, uint64_t host,
                                      uint64_t bytes, solo_copy_direction direction);

/* Returns whether the queue has a failure that no sync has reported. */
SOLO_INLINE int solo_remote_has_error(const solo_bqueue *queue) {
  const solo_remote_shared *s = queue->channel.shared;
  /* acquire: pairs with note_error(). relaxed: only the queue's thread stores errors_reported */
  return SOLO_UNLIKELY(solo_load_acquire(&s->errors_made) !=
                       solo_load_relaxed(&s->errors_reported));
}

/* Waits until message `ticket` is complete and the data of completed copies from devices is in host
 * memory. */
solo_status solo_remote_reach(solo_bqueue *queue, uint64_t ticket);

int solo_remote_is_profiled(void);
void solo_remote_start_log(solo_bdevice *device);
/* Fetch the log of one server; of all servers; of the queue's server, if many messages were posted
 * since the last fetch. */
void solo_remote_fetch_work(solo_remote_server *server);
SOLO_HIDDEN __attribute__((weak)) void solo_remote_fetch_all_work(void);
void solo_remote_fetch_some_work(solo_bqueue *queue);

#ifdef SOLO_CHECK
/* For tests: the nth message from now on fails, or kills the server (lost nonzero). */
void solo_remote_fail_at(int nth, int lost);
long solo_remote_objects(void);
#endif

extern SOLO_HIDDEN const solo_backend solo_remote_cuda_backend, solo_remote_hsa_backend,
    solo_remote_host_backend, solo_remote_simt_backend;

#define XX(operation) SOLO_BACKEND_DECLARE(remote, operation)
SOLO_BACKEND_OPERATIONS(XX, XX)
#undef XX

#endif
