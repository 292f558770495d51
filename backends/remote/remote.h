/* The client's side of the remote backend: devices of a device server (tools/solo_server.c).
 * Operations become messages of remote_wire.h, which a transport (remote_transport.h) carries.
 * Ownership, threads, errors, units: as in runtime/backend.h. */
#ifndef SOLO_REMOTE_H
#define SOLO_REMOTE_H

#include "backends/remote/remote_transport.h"
#include "runtime/backend.h"
#include "runtime/backend_operations.h"
#include "runtime/base/lock.h"

typedef struct solo_remote_log solo_remote_log;

typedef struct solo_remote_server {
  /* constant */
  const char *address; /* entry of SOLO_SERVER; "": default */
  char title[64];
  char key[64]; /* part of device ids; "": only server */
  /* guarded by table_lock (remote_servers.c) */
  int users;              /* open devices and queries */
  char *reason;           /* of a failed connection, or NULL */
  solo_remote_link *link; /* constant while users > 0; NULL: not connected */
  struct {
    uint32_t first, count; /* numbers over all servers; constant after count is set */
  } numbers[SOLO_REMOTE_FAMILIES];
  solo_lock lock; /* guards the following; held across a message and its answer */
  solo_remote_channel control;
  uint8_t channel_used[SOLO_REMOTE_CHANNELS];
  uint8_t module_used[SOLO_REMOTE_MODULES];
  uint8_t kernel_used[SOLO_REMOTE_KERNELS];
  struct {
    uint64_t bytes, hash[2];
  } images[SOLO_REMOTE_IMAGES]; /* cached by the server; bytes 0: free */
  uint32_t kernel_next;
  struct solo_remote_block *blocks; /* of the area, by offset */
  solo_remote_log *log;             /* NULL: no profile. Set before the device is used. */
#ifdef SOLO_CHECK
  _Atomic long cut_blocks; /* blocks minus ranges */
#endif
  _Atomic(solo_bqueue *) queues[SOLO_REMOTE_CHANNELS];
  struct {
    uint32_t first, count; /* server's numbers; count 0: unknown */
  } devices[SOLO_REMOTE_FAMILIES];
} solo_remote_server;

typedef struct solo_remote_range solo_remote_range;

struct solo_bdevice {
  solo_remote_server *server;
  int ordinal, number; /* the server's number, the runtime's number */
  solo_remote_family family;
  int reports_all_completions; /* the server reports completions without a MARK */
  int is_in_server;            /* device memory is host memory of the server */
  int has_exact_blocks;        /* detects accesses outside a block: ranges are not used */
  solo_device_info info;
  solo_lock lock;        /* rank: queue. Guards idle. */
  solo_bqueue *idle;     /* closed queues: events may refer to them */
  solo_lock memory_lock; /* rank: device. Guards ranges, range_bytes; held across messages. */
  solo_remote_range *ranges;
  uint64_t range_bytes;   /* of the next */
  solo_lock between_lock; /* rank: device. Guards between and its use. */
  solo_bqueue *between;   /* receives copies from other servers; NULL until the first */
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
  uint64_t ticket; /* the piece is free when this message completes */
  uint64_t end;    /* in bytes ever allocated */
  void *to;        /* NULL: copy in */
  uint32_t offset, bytes;
} solo_remote_piece;

enum { SOLO_REMOTE_PIECES = 64 };

struct solo_bqueue {
  solo_bdevice *device;
  solo_bqueue *next_idle;
  solo_remote_channel channel;
  solo_lock lock;                   /* rank: queue. Guards pieces. */
  uint64_t first_piece, last_piece; /* [first, last) are in use */
  uint64_t staged, freed;           /* bytes ever allocated, freed */
  uint64_t marked;                  /* newest message with SOLO_REMOTE_COMPLETE */
  uint64_t counted;                 /* count, when the log was last considered */
  uint64_t marked_staged;           /* staged, at that time */
  int has_failed;                   /* the last sync reported a failure */
  _Atomic int is_abandoned;         /* the device is lost; messages after kept never complete */
  uint64_t kept;                    /* constant after is_abandoned is set */
  uint64_t gates, gates_opened;     /* guarded by list_lock (remote_fence.c) */
  struct {
    uint64_t turn; /* current busy period */
    /* messages up to until are transfers from giver's period source_turn */
    uint64_t source_turn, until;
    const struct solo_bqueue *giver;
    uint64_t source_ticket; /* last of these messages */
  } tree;                   /* owned by the queue's user */
  solo_remote_piece pieces[SOLO_REMOTE_PIECES];
};

struct solo_bevent {
  solo_bqueue *queue; /* NULL: not recorded */
  uint64_t ticket;
};

/* Returns nonzero if the family's devices load this kind of image. */
int solo_remote_accepts_image(solo_remote_family family, const solo_image *image);

/* --- messages (remote_post.c, remote_channel.c) ----------------------------------------------- */

/* Returns 0 if the server reports more messages than were posted; solo_remote_violates_protocol() then
 * detects that. */
SOLO_INLINE uint64_t solo_remote_completed(const solo_remote_channel *channel) {
  uint64_t count =
      solo_load_acquire(&channel->shared->completed); /* pairs with solo_remote_shm_complete() */
  /* relaxed: a message is posted before it completes */
  return SOLO_LIKELY(count <= solo_load_relaxed(&channel->shared->posted)) ? count : 0;
}

/* Returns nonzero if more messages completed than were posted. */
SOLO_INLINE int solo_remote_violates_protocol(const solo_remote_channel *channel) {
  const solo_remote_shared *s = channel->shared;
  /* acquire: pairs with solo_remote_shm_complete(). relaxed: ordered by it */
  return solo_load_acquire(&s->completed) > solo_load_relaxed(&s->posted);
}

/* Reserves a message and fills in its head; waits for space. NULL: lost. */
void *solo_remote_message(solo_remote_channel *channel, uint32_t bytes, solo_remote_kind kind);

/* Returns the ticket. */
uint64_t solo_remote_post(solo_remote_channel *channel, const void *message);

/* Waits until count messages are complete. DEVICE_LOST: the server is lost. */
solo_status solo_remote_wait(solo_remote_channel *channel, uint64_t count);

/* Returns DEVICE_LOST and abandons the queue's incomplete work (remote_staging.h). */
SOLO_COLD solo_status solo_remote_abandon_queue(solo_bqueue *queue);

/* Reports a channel's result as an error. */
solo_status solo_remote_fail_result(const solo_remote_result *result) SOLO_COLD;

/* Posts a message of solo_remote_message() (NULL: lost) and waits for its answer. The caller holds
 * the server's lock. */
solo_status solo_remote_call(solo_remote_server *server, const void *message, void *out_answer,
                             size_t answer_bytes);

/* DEVICE_LOST: the server has ended; it violates the protocol. */
solo_status solo_remote_fail_lost(solo_remote_channel *channel) SOLO_COLD;
solo_status solo_remote_fail_protocol(solo_remote_channel *channel, const char *what) SOLO_COLD;

SOLO_INLINE int solo_remote_is_lost(const solo_remote_channel *channel) {
  return SOLO_UNLIKELY(solo_load_relaxed(&channel->link->lost)); /* advisory flag */
}

/* Returns NULL if there is no space. Never blocks. */
SOLO_INLINE void *solo_remote_try_message(solo_remote_channel *channel, uint32_t bytes,
                                          solo_remote_kind kind) {
  bytes = (bytes + SOLO_REMOTE_ALIGN - 1) & ~(uint32_t)(SOLO_REMOTE_ALIGN - 1);
  if (solo_remote_is_lost(channel)) return NULL;
  solo_remote_head *head = solo_remote_reserve(channel, bytes);
  if (SOLO_LIKELY(head != NULL)) *head = (solo_remote_head){.bytes = bytes, .kind = (uint16_t)kind};
  return head;
}

/* --- memory (remote_memory.c) ------------------------------------------------------------------ */

/* Frees the ranges of a closed device. */
void solo_remote_ranges_free(solo_bdevice *device);

SOLO_INLINE void solo_remote_count_blocks(solo_remote_server *server, long more) {
#ifdef SOLO_CHECK
  solo_add_relaxed(&server->cut_blocks, more); /* statistics */
#else
  (void)server, (void)more;
#endif
}

/* --- queues (remote_queue.c, remote_copy.c) --------------------------------------------------- */

/* Posts a MARK if the completion of the work so far would not be reported. Waiting for *out_ticket
 * waits for that work. */
solo_status solo_remote_mark(solo_bqueue *queue, uint64_t *out_ticket);

/* Copies with the transport's move operation (remote_move.c). */
solo_status solo_remote_copy_beside(solo_bqueue *queue, uint64_t device, uint64_t host,
                                    uint64_t bytes, solo_copy_direction direction);

/* Returns nonzero if a failure is unreported. */
SOLO_INLINE int solo_remote_has_error(const solo_bqueue *queue) {
  const solo_remote_shared *s = queue->channel.shared;
  /* acquire: pairs with note_error(). relaxed: syncs are ordered by the caller */
  return SOLO_UNLIKELY(solo_load_acquire(&s->errors_made) !=
                       solo_load_relaxed(&s->errors_reported));
}

/* Waits for the ticket and delivers complete copies out. */
solo_status solo_remote_reach(solo_bqueue *queue, uint64_t ticket);

/* --- work for a profile (remote_work.c) --------------------------------------------------------- */

int solo_remote_is_profiled(void);
/* Starts the server's log if a profile is written. */
void solo_remote_start_log(solo_bdevice *device);
/* Fetch the log: of a server, of all, of the queue's server if it is long. */
void solo_remote_fetch_work(solo_remote_server *server);
SOLO_HIDDEN __attribute__((weak)) void solo_remote_fetch_all_work(void);
void solo_remote_fetch_some_work(solo_bqueue *queue);

#ifdef SOLO_CHECK
/* Tests: the nth message from now kills the server (lost) or fails. */
void solo_remote_fail_at(int nth, int lost);
long solo_remote_objects(void);
#endif

/* One backend per family recognises images and numbers devices. */
extern SOLO_HIDDEN const solo_backend solo_remote_cuda_backend, solo_remote_hsa_backend,
    solo_remote_host_backend, solo_remote_simt_backend;

#define XX(operation) SOLO_BACKEND_DECLARE(remote, operation)
SOLO_BACKEND_OPERATIONS(XX, XX)
#undef XX

#endif
