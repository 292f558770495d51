/* Devices of another process: what the program's side shares.
 *
 * A device server (tools/solo_server.c) opens devices with the backends that it was built with; this
 * backend makes its devices those of the program, by the messages of remote_wire.h over a transport
 * (remote_transport.h). So a fully static program, which can load no vendor's driver, has GPUs.
 *
 * A server is started by the program itself at its first look for devices (remote_start.c) and
 * ends with it, or is one that runs already. There may be several; then the devices of all are one
 * numbering (remote_servers.c). Nothing is asked of it on the way of a launch: that is
 * a message posted in shared memory, without a lock, an allocation or a system call (unless the
 * server sleeps).
 *
 * A server that goes away takes all its devices with it: everything after that is DEVICE_LOST, with
 * the reason, within a fraction of a second.
 *
 * Ownership, threads, errors, units: as in runtime/backend.h.
 */
#ifndef SOLO_REMOTE_H
#define SOLO_REMOTE_H

#include "backends/remote/remote_transport.h"
#include "runtime/backend.h"
#include "runtime/backend_operations.h"
#include "runtime/base/lock.h"

typedef struct solo_remote_log solo_remote_log; /* remote_work.c */

/* A device server that this program uses, and the connection to it. */
typedef struct solo_remote_server {
  /* constant */
  const char *address; /* as in SOLO_SERVER; "": where it is found */
  char title[64];      /* in messages: "device server @gpus" */
  char key[64];        /* in ids of devices; "": there is only this one */
  /* guarded by the lock of remote_servers.c */
  int users;              /* open devices, and who is just asking */
  char *reason;           /* why it cannot be had; NULL: it can */
  solo_remote_link *link; /* constant while somebody uses it; NULL: not connected */
  struct {
    uint32_t first, count; /* of the family's devices of all servers; constant once count is set */
  } numbers[SOLO_REMOTE_FAMILIES];
  solo_lock lock; /* guards what follows: one control message at a time */
  solo_remote_channel control;
  uint8_t channel_used[SOLO_REMOTE_CHANNELS];
  uint8_t module_used[SOLO_REMOTE_MODULES];
  uint8_t kernel_used[SOLO_REMOTE_KERNELS];
  struct {
    uint64_t bytes, hash[2];
  } images[SOLO_REMOTE_IMAGES];     /* that the server keeps; bytes 0: none */
  uint32_t kernel_next;             /* where to look for a free one */
  struct solo_remote_block *blocks; /* of the area, by place (remote_area.c) */
  solo_remote_log *log; /* NULL: nobody wants a profile. Stays; set before its device is used. */
#ifdef SOLO_CHECK
  _Atomic long cut_blocks; /* more than the server knows of: blocks that were cut, less ranges */
#endif
  _Atomic(solo_bqueue *) queues[SOLO_REMOTE_CHANNELS]; /* that have been opened */
  struct {
    uint32_t first, count; /* of the server's numbers; count 0: not asked yet, or it has none */
  } devices[SOLO_REMOTE_FAMILIES];
} solo_remote_server;

typedef struct solo_remote_range solo_remote_range; /* remote_memory.c */

struct solo_bdevice {
  solo_remote_server *server;
  int ordinal, number; /* the server's number, the runtime's */
  solo_remote_family family;
  int tells_all;         /* the server tells every message's completion unasked */
  int is_in_server;      /* its memory is the server's own */
  int has_exact_blocks;  /* it tells accesses beyond a block: none is cut from a range */
  solo_device_info info; /* what launches are checked against */
  solo_lock lock;        /* rank: queue. Guards idle. */
  solo_bqueue *idle;     /* closed queues, kept: events point at them */
  solo_lock memory_lock; /* rank: device. Guards the two below; held across messages. */
  solo_remote_range *ranges;
  uint64_t range_bytes;   /* of the next; 0: none yet */
  solo_lock between_lock; /* rank: device. Guards between, which it has one user by. */
  solo_bqueue *between;   /* takes what other servers send; NULL: nothing came yet */
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

/* A piece of a queue's staging area that is in use. */
typedef struct solo_remote_piece {
  uint64_t ticket; /* free when this is complete */
  uint64_t end;    /* of the piece, in bytes ever allocated */
  void *to;        /* where its bytes go then; NULL: a copy in */
  uint32_t offset, bytes;
} solo_remote_piece;

enum { SOLO_REMOTE_PIECES = 64 };

struct solo_bqueue {
  solo_bdevice *device;
  solo_bqueue *next_idle;
  solo_remote_channel channel;
  solo_lock lock;                   /* rank: queue. Guards the pieces. */
  uint64_t first_piece, last_piece; /* [first, last) are in use */
  uint64_t staged, freed;           /* bytes of the staging area ever allocated and freed */
  uint64_t marked;                  /* the newest message whose completion will be reported */
  uint64_t counted;                 /* messages, of the log */
  uint64_t marked_staged;           /* staged at that time */
  int has_failed;                   /* what the last sync reported: the next one asks again */
  _Atomic int is_given_up;      /* the device is lost, and what was not complete then never is */
  uint64_t kept;                /* the newest message that was; written before that */
  uint64_t gates, gates_opened; /* of fences: guarded by the lock of remote_fence.c */
  struct {
    uint64_t turn;              /* a number of its own each time that it begins to be busy */
    uint64_t giver_turn, until; /* all messages up to until are gifts of that turn of giver */
    const struct solo_bqueue *giver;
    uint64_t giver_ticket; /* of the last of them */
  } tree;                  /* its user's own (remote_tree.c) */
  solo_remote_piece pieces[SOLO_REMOTE_PIECES];
};

struct solo_bevent {
  solo_bqueue *queue; /* NULL: not recorded */
  uint64_t ticket;
};

/* Does the family take this kind of image? */
int solo_remote_takes(solo_remote_family family, const solo_image *image);

/* --- messages (remote_post.c, remote_channel.c) ----------------------------------------------- */

/* How many messages of the channel are complete. More than were posted is nonsense, and counts as
 * none: who waits finds the server lost. */
SOLO_INLINE uint64_t solo_remote_completed(const solo_remote_channel *channel) {
  uint64_t count =
      solo_load_acquire(&channel->shared->completed); /* pairs with solo_remote_shm_complete */
  /* relaxed: posted before it was completed */
  return SOLO_LIKELY(count <= solo_load_relaxed(&channel->shared->posted)) ? count : 0;
}

/* More work is complete than was given: who waits or asks must not do so for ever. */
SOLO_INLINE int solo_remote_says_nonsense(const solo_remote_channel *channel) {
  const solo_remote_shared *s = channel->shared;
  /* acquire: pairs with solo_remote_shm_complete, so that posted is not older; relaxed: as above */
  return solo_load_acquire(&s->completed) > solo_load_relaxed(&s->posted);
}

/* Room for a message, its head filled in; waits for room. NULL: the server is lost. */
void *solo_remote_message(solo_remote_channel *channel, uint32_t bytes, solo_remote_kind kind);

/* Sends it; its number. */
uint64_t solo_remote_post(solo_remote_channel *channel, const void *message);

/* Waits until count messages are complete: spins, sleeps. DEVICE_LOST: they never will be. */
solo_status solo_remote_wait(solo_remote_channel *channel, uint64_t count);

/* The queue's device is lost: DEVICE_LOST with the reason, and what is not complete is given up (remote_staging.h). */
SOLO_COLD solo_status solo_remote_lose(solo_bqueue *queue);

/* The failure in the channel's result as a failure of ours. */
solo_status solo_remote_fail_result(const solo_remote_result *result) SOLO_COLD;

/* Posts a control message that was made by solo_remote_message, waits for its answer. The server's
 * lock is held. */
solo_status solo_remote_call(solo_remote_server *server, const void *message, void *out_answer,
                             size_t answer_bytes);

/* DEVICE_LOST with the reason; that it says what cannot be, and is given up. */
solo_status solo_remote_fail_lost(solo_remote_channel *channel) SOLO_COLD;
solo_status solo_remote_fail_nonsense(solo_remote_channel *channel, const char *what) SOLO_COLD;

SOLO_INLINE int solo_remote_is_lost(const solo_remote_channel *channel) {
  return SOLO_UNLIKELY(solo_load_relaxed(&channel->link->lost)); /* a flag by itself */
}

/* As solo_remote_message, NULL also where there is no room now. Never blocks. */
SOLO_INLINE void *solo_remote_message_now(solo_remote_channel *channel, uint32_t bytes,
                                          solo_remote_kind kind) {
  bytes = (bytes + SOLO_REMOTE_ALIGN - 1) & ~(uint32_t)(SOLO_REMOTE_ALIGN - 1);
  if (solo_remote_is_lost(channel)) return NULL;
  solo_remote_head *head = solo_remote_reserve(channel, bytes);
  if (SOLO_LIKELY(head != NULL)) *head = (solo_remote_head){.bytes = bytes, .kind = (uint16_t)kind};
  return head;
}

/* --- memory (remote_memory.c) ------------------------------------------------------------------ */

/* The device is closed, and so is its memory. */
void solo_remote_forget_ranges(solo_bdevice *device);

/* Of tests: so many blocks more than the server knows of. */
SOLO_INLINE void solo_remote_count_blocks(solo_remote_server *server, long more) {
#ifdef SOLO_CHECK
  solo_add_relaxed(&server->cut_blocks, more); /* a count */
#else
  (void)server, (void)more;
#endif
}

/* --- queues (remote_queue.c, remote_copy.c) --------------------------------------------------- */

/* Posts a message after which the queue's work up to now will be reported complete, if need be.
 * *out_ticket is complete when the work is. */
solo_status solo_remote_mark(solo_bqueue *queue, uint64_t *out_ticket);

/* Copies in or out by a transport that moves bytes beside its messages (remote_move.c). */
solo_status solo_remote_copy_beside(solo_bqueue *queue, uint64_t device, uint64_t host,
                                    uint64_t bytes, solo_copy_direction direction);

/* Has work of the queue failed that no sync has reported? */
SOLO_INLINE int solo_remote_has_error(const solo_bqueue *queue) {
  const solo_remote_shared *s = queue->channel.shared;
  /* acquire: pairs with the server's note_error; relaxed: written by the queue's user, whose sync is
   * ordered with us or forgets too late */
  return SOLO_UNLIKELY(solo_load_acquire(&s->errors_made) != solo_load_relaxed(&s->errors_taken));
}

/* Waits for the ticket, and has what was copied out so far where it belongs. */
solo_status solo_remote_reach(solo_bqueue *queue, uint64_t ticket);

/* --- work for a profile (remote_work.c) --------------------------------------------------------- */

int solo_remote_is_profiled(void);
/* The device's server logs its work from now on, if there is to be a profile. */
void solo_remote_watch(solo_bdevice *device);
/* Has what was logged here: of a server (before it is let go), of all (before they end), of the queue's
 * when that is much. */
void solo_remote_fetch_work(solo_remote_server *server);
SOLO_HIDDEN __attribute__((weak)) void solo_remote_fetch_all_work(void);
void solo_remote_fetch_some_work(solo_bqueue *queue);

#ifdef SOLO_CHECK
/* Of tests: the nth message from now on ends the server (lost) or fails for want of memory. */
void solo_remote_fail_at(int nth, int lost);
long solo_remote_objects(void); /* alive on the server */
#endif

/* One backend per family, so that images decide which take part, and devices are numbered by
 * family. */
extern SOLO_HIDDEN const solo_backend solo_remote_cuda_backend, solo_remote_hsa_backend,
    solo_remote_host_backend, solo_remote_simt_backend;

#define XX(operation) SOLO_BACKEND_DECLARE(remote, operation)
SOLO_BACKEND_OPERATIONS(XX, XX)
#undef XX

#endif
