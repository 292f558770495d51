/* The interface between the protocol (remote_wire.h) and its transports: shared memory
 * (remote_shm.c) and MPI (remote_mpi_link.c, remote_mpi_near.c). A channel has one producer and one
 * consumer of messages. Any thread may wait for a completion. */
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
  /* private copies, because the peer can change the values in shared memory */
  uint64_t head, tail;
  uint64_t count; /* messages posted or received */
  /* values at the last solo_remote_read_bells() */
  uint32_t server_futex, done_futex;
  _Atomic uint32_t crowded; /* number of future waits that sleep early */
  int is_awaited;           /* 1: the peer waits for this side */
} solo_remote_channel;

enum {
  SOLO_REMOTE_SPIN_BEFORE_YIELD_NS = 5 * 1000, /* polling time before the first yield */
  /* polling time before a sleep if threads outnumber processors */
  SOLO_REMOTE_SPIN_WHEN_CROWDED_NS = 1000,
};

/* Yields between two polls. Returns nonzero if the yield was long, because threads outnumber
 * processors. Then the next waits sleep early: a futex wakes a thread before the time slices of
 * other threads end. */
SOLO_INLINE int solo_remote_yield(solo_remote_channel *channel) {
  enum { LONG_NS = 20 * 1000, WAITS = 256 };
  uint64_t before = solo_now_ns();
  (void)sched_yield();
  if (solo_now_ns() - before < LONG_NS) return 0;
  solo_store_relaxed(&channel->crowded, WAITS); /* relaxed: a hint */
  return 1;
}

/* Returns whether a thread that has polled for `ns` must sleep. May yield. */
SOLO_INLINE int solo_remote_may_sleep(solo_remote_channel *channel, uint64_t ns,
                                      uint64_t longest_ns) {
  uint32_t crowded = solo_load_relaxed(&channel->crowded); /* relaxed: a hint, also below */
  if (SOLO_LIKELY(!crowded || !channel->is_awaited))
    return ns > longest_ns || (ns > SOLO_REMOTE_SPIN_BEFORE_YIELD_NS && solo_remote_yield(channel));
  if (ns < SOLO_REMOTE_SPIN_WHEN_CROWDED_NS) return 0;
  solo_store_relaxed(&channel->crowded, crowded - 1);
  return 1;
}

typedef enum solo_remote_way {
  SOLO_REMOTE_SEND,
  SOLO_REMOTE_RECEIVE,
  /* program: sends the bytes when the server requests them; server: requests and receives the bytes */
  SOLO_REMOTE_OFFER
} solo_remote_way;

/* A direct copy: its bytes travel outside the messages. */
typedef struct solo_remote_move {
  void *bytes;
  uint64_t size;
  solo_remote_way way;
  uint32_t server; /* 0: the peer; otherwise link.number of another server */
  uint32_t tag;    /* equal in the two halves of a copy between servers */
} solo_remote_move;

#define SOLO_REMOTE_NEXT_MESSAGE (UINT64_MAX - 1) /* server: waits for the next message */
#define SOLO_REMOTE_NEVER        UINT64_MAX       /* waits for solo_remote_wake() only */

/* Operations of a connection. The producer calls post; the consumer calls receive and complete; the
 * last user calls close; any thread calls the other operations. No operation sets an error text.
 * After a loss, move and forward fail, is_alive returns 0, and the others do nothing. */
typedef struct solo_remote_transport {
  /* Program: sends the message that solo_remote_reserve() returned. Never blocks. */
  void (*post)(solo_remote_channel *channel, uint32_t bytes);
  /* Server: copies the next message to buffer (SOLO_REMOTE_MESSAGE_BYTES). Returns its length; 0:
   * no message; -1: malformed. Never blocks. */
  int (*receive)(solo_remote_channel *channel, void *buffer);
  /* Server: publishes that count messages and their effects are complete; wakes waiting threads. */
  void (*complete)(solo_remote_channel *channel, uint64_t count);
  /* Sleeps until `count` messages are complete, at most timeout_ns. count NEXT_MESSAGE: until a
   * message arrives or solo_remote_wake() is called; NEVER: until solo_remote_wake(). A
   * solo_remote_wake() after solo_remote_read_bells() is not missed. May return early. In a
   * program, timeout_ns 0 only polls. */
  void (*await)(solo_remote_channel *channel, uint64_t count, uint64_t timeout_ns);
  /* Program: begins a direct copy for the next posted message; the bytes must not change until this
   * message is complete. Server: executes a direct copy or a transfer. Returns 0; 1: the peer is
   * lost; -1: too many copies are in progress (program), or the server does not exist. NULL:
   * unsupported. */
  int (*move)(solo_remote_channel *channel, const solo_remote_move *move);
  /* Program: requests that the channel's server forwards data. Server: sets *forward to the next
   * request for the last message's data. Nonzero: the link is lost, or no request exists; later
   * requests for this data are then rejected. NULL: no copy tree. */
  int (*forward)(solo_remote_channel *channel, solo_remote_forward *forward);
  /* Returns 0 if the peer is lost, also in all later calls. After that, the program's direct copies
   * have ended, and their memory can be reused. May make a system call. */
  int (*is_alive)(solo_remote_link *link);
  /* Ends the connection after a protocol error; both sides then detect a loss. */
  void (*end)(solo_remote_link *link);
  void (*close)(solo_remote_link *link);
} solo_remote_transport;

struct solo_remote_link {
  const solo_remote_transport *transport;
  uint8_t *memory;
  int has_no_staging;
  int copies_directly; /* 1: the bytes of copies travel outside the messages */
  /* local address of the area (welcome.area is its address in the server); or NULL */
  uint8_t *area;
  uint64_t area_bytes;
  int32_t mapper;  /* process that mapped the memory; a child of fork(2) must not unmap it */
  uint32_t number; /* the server's number in the job; 0: none */
  char title[64];  /* name of the peer */
  solo_remote_welcome welcome;
  _Atomic int lost; /* 1: the peer has ended, or a side has ended the connection */
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

/* Stores the reason why the connection ends. Later calls have no effect. */
SOLO_INLINE void solo_remote_record_refusal(solo_remote_link *link, const char *text) {
  solo_remote_shared *s = solo_remote_shared_of(link, 0);
  uint32_t none = 0;
  /* relaxed: only claims the text; the release store below publishes the text */
  if (!solo_cas_relaxed(&s->refused, &none, 1)) return;
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

/* Publishes the message that solo_remote_reserve() returned. */
SOLO_INLINE void solo_remote_count_message(solo_remote_channel *channel, uint32_t bytes) {
  solo_remote_shared *s = channel->shared;
  channel->head += bytes;
  channel->count++;
  /* relaxed: readers acquire head */
  solo_store_relaxed(&s->posted, channel->count);
  /* Invariant: the ring contains complete messages up to head.
   * Ordering:  this release store pairs with the acquire load in solo_remote_shm_receive().
   * Otherwise: the consumer could read an incomplete message.
   */
  solo_store_release(&s->head, channel->head);
}

/* Returns the size of the area: the machine's memory, at most 64 GiB. Only written pages use
 * memory. 0: no area. */
uint64_t solo_remote_area_default_bytes(void);
/* Returns a new memory file, which the caller closes, or -1. */
int solo_remote_make_file(uint64_t area_bytes);
/* Returns whether file is a memory file with an area of this size. */
int solo_remote_is_file(int file, uint64_t area_bytes);
/* Maps the file: sets link->memory and, if possible, link->area. Returns nonzero on failure. After
 * the call, the caller may close the file. */
int solo_remote_map_file(solo_remote_link *link, int file, uint64_t area_bytes);
/* Excludes the rings from children of fork(2), so that a child cannot post. */
void solo_remote_exclude_from_fork(solo_remote_link *link);
/* Frees the pages in both processes. Freed pages read as zeros and are allocated again at the next
 * write. */
void solo_remote_area_discard_pages(solo_remote_link *link, uint64_t offset, uint64_t bytes);
void solo_remote_unmap_file(solo_remote_link *link);

/* Program: connects, and owns the socket. UNAVAILABLE: the text has the reason. */
solo_status solo_remote_shm_connect(int socket, solo_remote_link **out_link);

solo_status solo_remote_shm_accept(int socket, solo_remote_hello *out_hello,
                                   solo_remote_link **out_link);
solo_status solo_remote_shm_welcome(solo_remote_link *link);
/* Rejects a program; closes the socket. */
void solo_remote_shm_refuse(int socket, const solo_remote_welcome *welcome);
/* Writes "program 1234 (name)". */
void solo_remote_shm_name_peer(int socket, char *out, size_t size);
/* Server: blocks until the program or the connection ends. */
void solo_remote_shm_await_end(solo_remote_link *link);

/* Returns contiguous ring space for a message of `bytes` bytes (a multiple of SOLO_REMOTE_ALIGN),
 * or NULL if the ring is full. For the producer of any transport. */
void *solo_remote_reserve(solo_remote_channel *channel, uint32_t bytes);
/* Wakes all threads that sleep on the channel; with shared memory, in both processes. */
void solo_remote_wake(solo_remote_channel *channel);
/* For waits with NEXT_MESSAGE or NEVER: the consumer calls this function, checks its condition,
 * then calls await. A solo_remote_wake() after this function ends the await. */
SOLO_INLINE void solo_remote_read_bells(solo_remote_channel *channel) {
  /* Invariant: a thread stores the awaited condition before it changes the futex word.
   * Ordering:  this acquire load pairs with the release addition in solo_remote_wake().
   * Otherwise: the caller could miss the condition and sleep.
   */
  channel->server_futex = solo_load_acquire(&channel->shared->server_futex);
  /* pairs with solo_remote_wake() */
  channel->done_futex = solo_load_acquire(&channel->shared->done_futex);
}

/* The MPI transport also uses these functions, to pass received messages to the thread of a
 * channel. */
extern SOLO_HIDDEN const solo_remote_transport solo_remote_shm_transport;
void solo_remote_shm_post(solo_remote_channel *channel, uint32_t bytes);
int solo_remote_shm_receive(solo_remote_channel *channel, void *buffer);
void solo_remote_shm_complete(solo_remote_channel *channel, uint64_t count);
void solo_remote_shm_await(solo_remote_channel *channel, uint64_t count, uint64_t timeout_ns);

#endif
