/* The interface between the protocol (remote_wire.h) and a transport, which carries messages and
 * the bytes of copies: shared memory (remote_shm.c) or MPI (remote_mpi_link.c, remote_mpi_near.c).
 * A channel has one producer and one consumer of messages; any number of threads wait for
 * completion. */
#ifndef SOLO_REMOTE_TRANSPORT_H
#define SOLO_REMOTE_TRANSPORT_H

#include "backends/remote/remote_wire.h"
#include <sched.h>
#include <string.h>

typedef struct solo_remote_link solo_remote_link;

typedef struct solo_remote_channel {
  solo_remote_link *link;
  uint32_t number;
  solo_remote_shared *shared;
  uint8_t *staging;
  /* private; never read back from shared memory */
  uint64_t head, tail;
  uint64_t count; /* messages posted or received */
  /* at the last solo_remote_note_bells() */
  uint32_t server_bell, done_bell;
  _Atomic uint32_t crowded; /* waits to come that sleep early */
  int is_awaited;           /* the other side waits for this one */
} solo_remote_channel;

enum {
  SOLO_REMOTE_SELFISH_NS = 5 * 1000, /* of spinning before the first yield */
  SOLO_REMOTE_BRIEF_NS = 1000,       /* the same while processors are scarce */
};

/* Yields between two polls. Returns nonzero if the yield was long: threads outnumber processors,
 * and the next waits sleep early, because a futex wakes a thread sooner than other threads' time
 * slices end. */
SOLO_INLINE int solo_remote_let_others_run(solo_remote_channel *channel) {
  enum { LONG_NS = 20 * 1000, WAITS = 256 };
  uint64_t before = solo_now_ns();
  (void)sched_yield();
  if (solo_now_ns() - before < LONG_NS) return 0;
  solo_store_relaxed(&channel->crowded, WAITS); /* a hint */
  return 1;
}

/* Returns nonzero if a thread that has spun for ns must sleep. May yield. */
SOLO_INLINE int solo_remote_may_sleep(solo_remote_channel *channel, uint64_t ns,
                                      uint64_t longest_ns) {
  uint32_t crowded = solo_load_relaxed(&channel->crowded); /* a hint, also below */
  if (SOLO_LIKELY(!crowded || !channel->is_awaited))
    return ns > longest_ns || (ns > SOLO_REMOTE_SELFISH_NS && solo_remote_let_others_run(channel));
  if (ns < SOLO_REMOTE_BRIEF_NS) return 0;
  solo_store_relaxed(&channel->crowded, crowded - 1);
  return 1;
}

typedef enum solo_remote_way {
  SOLO_REMOTE_SEND,
  SOLO_REMOTE_RECEIVE,
  SOLO_REMOTE_OFFER /* program: sends on request; server: requests, receives */
} solo_remote_way;

/* A direct copy: its bytes travel outside the messages. */
typedef struct solo_remote_move {
  void *bytes;
  uint64_t size;
  solo_remote_way way;
  uint32_t server; /* 0: the other side; else a server's link.number */
  uint32_t tag;    /* of a transfer between two servers */
} solo_remote_move;

#define SOLO_REMOTE_NEXT_MESSAGE (UINT64_MAX - 1) /* server: await the next message */
#define SOLO_REMOTE_NEVER        UINT64_MAX       /* await solo_remote_wake() only */

/* Operations on an open connection. The producer calls post, the consumer take and complete, the
 * last user close, any thread the rest. No operation sets an error text. After a loss, move and
 * gift fail, is_alive returns 0, and the others do nothing. */
typedef struct solo_remote_transport {
  /* Program: sends the message in the space of solo_remote_reserve(). Never blocks. */
  void (*post)(solo_remote_channel *channel, uint32_t bytes);
  /* Server: copies the next message into buffer (SOLO_REMOTE_MESSAGE_BYTES). Returns its bytes; 0:
   * none; -1: malformed, the caller must end the connection. Never blocks. */
  int (*take)(solo_remote_channel *channel, void *buffer);
  /* Server: publishes that count messages are complete and wakes waiting threads. A reader of the
   * count sees the effects of these messages. Counts only grow. */
  void (*complete)(solo_remote_channel *channel, uint64_t count);
  /* Sleeps at most timeout_ns until count messages are complete; in a server also until the next
   * message (SOLO_REMOTE_NEXT_MESSAGE, for the consumer) or a solo_remote_wake() after
   * solo_remote_note_bells() (both constants). May return early. timeout_ns 0 in a program: polls
   * once. */
  void (*await)(solo_remote_channel *channel, uint64_t count, uint64_t timeout_ns);
  /* Copies bytes outside the messages (link.moves_beside), or between two servers. NULL:
   * unsupported. Program: begins the copy for the message that it posts next; the bytes must not
   * change until that message is complete. Server: returns after the copy. Returns 0; 1: the other
   * side is lost; -1: too many copies are in progress (program), or no such server (server). */
  int (*move)(solo_remote_channel *channel, const solo_remote_move *move);
  /* Program: requests a transfer of the copy tree from the source server, ahead of the channel's
   * messages. Server: sets *gift to the next requested transfer of the last message's data.
   * Nonzero: the server is lost, or there is none and later requests are rejected. NULL: no copy
   * tree. */
  int (*gift)(solo_remote_channel *channel, solo_remote_gift *gift);
  /* Once 0, always 0. In a program, all direct copies have then ended, and the caller may reuse
   * their memory. May make a system call. */
  int (*is_alive)(solo_remote_link *link);
  /* After a protocol error: both sides see a loss. The link must still be closed. */
  void (*end)(solo_remote_link *link);
  /* Frees the link, which must be unused. */
  void (*close)(solo_remote_link *link);
} solo_remote_transport;

struct solo_remote_link {
  const solo_remote_transport *transport;
  uint8_t *memory;
  int has_no_staging;
  int moves_beside; /* move copies bytes */
  uint8_t *area;    /* shared memory, in the server at welcome.area; NULL: none */
  uint64_t area_bytes;
  int32_t mapper;  /* process of the mappings; a child of fork(2) has none */
  uint32_t number; /* number among the servers of a job; 0: none */
  char title[64];  /* name of the other side */
  solo_remote_welcome welcome;
  _Atomic int lost; /* no more messages: the other side is gone or ended the connection */
};

#define SOLO_REMOTE_CHANNEL_BYTES (sizeof(solo_remote_shared) + SOLO_REMOTE_STAGING_BYTES)
#define SOLO_REMOTE_MEMORY_BYTES  (SOLO_REMOTE_CHANNELS * SOLO_REMOTE_CHANNEL_BYTES)

SOLO_INLINE solo_remote_shared *solo_remote_shared_of(const solo_remote_link *link,
                                                      uint32_t number) {
  size_t bytes = link->has_no_staging ? sizeof(solo_remote_shared) : SOLO_REMOTE_CHANNEL_BYTES;
  return (solo_remote_shared *)(void *)(link->memory + number * bytes);
}

SOLO_INLINE void solo_remote_channel_of(solo_remote_link *link, uint32_t number,
                                        solo_remote_channel *out) {
  solo_remote_shared *shared = solo_remote_shared_of(link, number);
  *out = (solo_remote_channel){.link = link,
                               .number = number,
                               .shared = shared,
                               .is_awaited = 1,
                               .staging = link->has_no_staging ? NULL : (uint8_t *)(shared + 1)};
}

/* Records why the connection ends. The first text remains. Over MPI, the side that receives a
 * reason records it. */
SOLO_INLINE void solo_remote_note_refusal(solo_remote_link *link, const char *text) {
  solo_remote_shared *s = solo_remote_shared_of(link, 0);
  if (solo_exchange_relaxed(&s->refused, 1)) return; /* claims the text */
  size_t bytes = strlen(text);
  if (bytes > sizeof s->refusal - 1) bytes = sizeof s->refusal - 1;
  memcpy(s->refusal, text, bytes);
  s->refusal[bytes] = 0;
  /* Invariant: the text is complete if refused is 2.
   * Ordering:  this release store pairs with the acquire load in solo_remote_fail_lost().
   * Otherwise: an error message could contain a partial text.
   */
  solo_store_release(&s->refused, 2);
}

/* Publishes the message in the reserved space. Wakes no thread. */
SOLO_INLINE void solo_remote_count_message(solo_remote_channel *channel, uint32_t bytes) {
  solo_remote_shared *s = channel->shared;
  channel->head += bytes;
  channel->count++;
  /* relaxed: readers acquire head or received the ticket */
  solo_store_relaxed(&s->posted, channel->count);
  /* Invariant: the ring contains complete messages up to head.
   * Ordering:  this release store pairs with the acquire load in solo_remote_shm_take().
   * Otherwise: the consumer could read an incomplete message.
   */
  solo_store_release(&s->head, channel->head);
}

/* --- the memory file of two processes (remote_file.c) ------------------------------------------- */

/* Bytes of the area: the size of the machine's memory, at most 64 GiB; only written pages occupy
 * memory. 0: no area. */
uint64_t solo_remote_wanted_area(void);
/* Returns a new file, which the caller closes, or -1. */
int solo_remote_make_file(uint64_t area_bytes);
/* Returns nonzero if file is a memory file of the required size. */
int solo_remote_is_file(int file, uint64_t area_bytes);
/* Fills memory and, if address space permits, area. Nonzero: failed. The file can then be closed. */
int solo_remote_map_file(solo_remote_link *link, int file, uint64_t area_bytes);
/* Unmaps the file in children of fork(2), which must not post. */
void solo_remote_keep_from_children(solo_remote_link *link);
/* Frees the pages for both processes, until a write. */
void solo_remote_free_area(solo_remote_link *link, uint64_t offset, uint64_t bytes);
/* Only in the process that mapped it. */
void solo_remote_unmap_file(solo_remote_link *link);

/* --- shared memory (remote_shm.c) ------------------------------------------------------------- */

/* Program: connects through a connected socket, which it owns from then on. UNAVAILABLE with the
 * reason. */
solo_status solo_remote_shm_connect(int socket, solo_remote_link **out_link);

/* Server: reads the hello into *out_hello. */
solo_status solo_remote_shm_accept(int socket, solo_remote_hello *out_hello,
                                   solo_remote_link **out_link);
/* Sends link->welcome. */
solo_status solo_remote_shm_welcome(solo_remote_link *link);
/* Rejects a program; closes the socket. */
void solo_remote_shm_refuse(int socket, const solo_remote_welcome *welcome);
/* "program 1234 (name)" */
void solo_remote_shm_name_peer(int socket, char *out, size_t size);
/* Blocks until the program or the connection ends. */
void solo_remote_shm_await_end(solo_remote_link *link);

/* Contiguous space in the ring for a message of bytes (a multiple of SOLO_REMOTE_ALIGN), for the
 * producer of any transport. NULL: the ring is full. */
void *solo_remote_reserve(solo_remote_channel *channel, uint32_t bytes);
/* Wakes all threads that sleep on the channel in this process and, with shared memory, in the
 * other. Any thread. */
void solo_remote_wake(solo_remote_channel *channel);
/* For conditions without a count: the consumer calls this, checks the condition, then calls await,
 * which returns if solo_remote_wake() was called after the check. */
SOLO_INLINE void solo_remote_note_bells(solo_remote_channel *channel) {
  /* Invariant: a condition is stored before the bell changes.
   * Ordering:  this acquire load pairs with the release addition in solo_remote_wake().
   * Otherwise: the caller could miss the condition and sleep.
   */
  channel->server_bell = solo_load_acquire(&channel->shared->server_bell);
  /* pairs with solo_remote_wake() */
  channel->done_bell = solo_load_acquire(&channel->shared->done_bell);
}

/* The MPI transport also uses the ring and the futexes inside one process, to pass received
 * messages to a channel's thread. */
extern SOLO_HIDDEN const solo_remote_transport solo_remote_shm_transport;
void solo_remote_shm_post(solo_remote_channel *channel, uint32_t bytes);
int solo_remote_shm_take(solo_remote_channel *channel, void *buffer);
void solo_remote_shm_complete(solo_remote_channel *channel, uint64_t count);
void solo_remote_shm_await(solo_remote_channel *channel, uint64_t count, uint64_t timeout_ns);

#endif
