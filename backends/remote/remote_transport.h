/* The seam between the protocol and what carries it.
 *
 * A transport moves messages of a channel from the program to the server, completion and results
 * back, and staged bytes both ways. Program and server use the same channel functions, each its
 * half. shm is the one for a server on the same machine (remote_shm.c), mpi for those on other nodes
 * of a job (remote_mpi_messages.c), where each side has a copy of what shm's sides share.
 *
 * Threads: one producer and one consumer of messages per channel at a time; any number of threads
 * wait for completion. Errors: what cannot go on says so by its result; is_alive tells whether the
 * other side still is there.
 */
#ifndef SOLO_REMOTE_TRANSPORT_H
#define SOLO_REMOTE_TRANSPORT_H

#include "backends/remote/remote_wire.h"
#include <sched.h>
#include <string.h>

typedef struct solo_remote_link solo_remote_link; /* a connection; completed by the transport */

typedef struct solo_remote_channel {
  solo_remote_link *link;
  uint32_t number;
  solo_remote_shared *shared;
  uint8_t *staging;
  /* the producer's or the consumer's own: never read back from shared memory */
  uint64_t head, tail;
  uint64_t count; /* messages posted or taken */
  /* as they were when its user last noted them: see solo_remote_note_bells */
  uint32_t server_bell, done_bell;
  _Atomic uint32_t crowded; /* waits to come that sleep early: see solo_remote_let_others_run */
  int is_awaited; /* who is at the other end does nothing before this end has done something */
} solo_remote_channel;

enum {
  SOLO_REMOTE_SELFISH_NS = 5 * 1000, /* of spinning before others are let run */
  SOLO_REMOTE_BRIEF_NS = 1000,       /* the same where processors are scarce */
};

/* Who spins lets others run between two looks. When that takes long there are more threads than
 * processors: then the next waits do better to sleep early, since who is woken by a futex runs at
 * once, and who has yielded runs when the others' time slices are over. Nonzero: sleep. */
SOLO_INLINE int solo_remote_let_others_run(solo_remote_channel *channel) {
  enum { LONG_NS = 20 * 1000, WAITS = 256 };
  uint64_t before = solo_now_ns();
  (void)sched_yield();
  if (solo_now_ns() - before < LONG_NS) return 0;
  solo_store_relaxed(&channel->crowded, WAITS); /* a hint */
  return 1;
}

/* Who has spun for ns: is it time to sleep? Lets others run meanwhile. */
SOLO_INLINE int solo_remote_may_sleep(solo_remote_channel *channel, uint64_t ns,
                                      uint64_t longest_ns) {
  uint32_t crowded = solo_load_relaxed(&channel->crowded); /* a hint, here and below */
  if (SOLO_LIKELY(!crowded || !channel->is_awaited))
    return ns > longest_ns || (ns > SOLO_REMOTE_SELFISH_NS && solo_remote_let_others_run(channel));
  if (ns < SOLO_REMOTE_BRIEF_NS) return 0;
  solo_store_relaxed(&channel->crowded, crowded - 1);
  return 1;
}

typedef enum solo_remote_way {
  SOLO_REMOTE_SEND,
  SOLO_REMOTE_RECEIVE,
  SOLO_REMOTE_OFFER /* the program's: sends if the server asks; the server's: asks, and receives */
} solo_remote_way;

/* Bytes that go beside the messages. */
typedef struct solo_remote_move {
  void *bytes;
  uint64_t size;
  solo_remote_way way;
  uint32_t
      server; /* 0: the channel's other side. In a server: another one of the program (link.number) */
  uint32_t tag; /* of a move between two servers: both were told it */
} solo_remote_move;

#define SOLO_REMOTE_NEXT_MESSAGE (UINT64_MAX - 1) /* what await awaits in a server */
#define SOLO_REMOTE_NEVER        UINT64_MAX       /* likewise, of who is woken (solo_remote_wake) */

/* What a transport does for a connection that stands. How one comes to stand differs: remote_shm.c (a socket),
 * remote_mpi_job.c (a job's ranks). A link is made whole and closed by its maker; a channel is its user's own.
 *
 * Threads: an operation on a channel is called by the thread whose turn as its producer (post) or consumer
 * (take, complete) it is; await, is_alive and end by any number, close by the last one.
 * Errors: no operation fails with a text. That the other side is gone is told by move and gift, and by is_alive
 * to all others, which then do nothing and return. */
typedef struct solo_remote_transport {
  /* The program's half: sends the message that was written to solo_remote_reserve's room, bytes long, and wakes the
   * server if it sleeps. Never blocks. To one that is gone: dropped. */
  void (*post)(solo_remote_channel *channel, uint32_t bytes);
  /* The server's half: copies the next message into buffer (SOLO_REMOTE_MESSAGE_BYTES). Returns its bytes; 0: none
   * now; -1: malformed, and the connection is to be ended. Never blocks. */
  int (*take)(solo_remote_channel *channel, void *buffer);
  /* The server's half: tells that count messages are complete, and wakes who waits for that; what they wrote is seen by who
   * sees the count. The counts of one channel only grow. */
  void (*complete)(solo_remote_channel *channel, uint64_t count);
  /* Sleeps until count messages are complete or, in a server, there is a next message (SOLO_REMOTE_NEXT_MESSAGE: its
   * consumer alone) or solo_remote_wake was called (likewise, and SOLO_REMOTE_NEVER: since solo_remote_note_bells), at
   * most timeout_ns. May return early, also when the other side is gone. timeout_ns 0, of
   * messages to be complete: takes what has arrived, for who spins. */
  void (*await)(solo_remote_channel *channel, uint64_t count, uint64_t timeout_ns);
  /* Moves bytes beside the messages, where the link says so (moves_beside), and between two servers (server). NULL: all bytes
   * go through the staging area, and two servers reach each other only through the program. The program's half starts it, for the message that it posts next, and keeps the bytes until that is
   * complete. The server's half returns when they have moved. 0: done; 1: the other side is gone; -1: too many
   * are under way, which completion changes (program), or there is no such server (server). */
  int (*move)(solo_remote_channel *channel, const solo_remote_move *move);
  /* The program's half: tells the server of a gift, ahead of the channel's messages. The server's half: *gift becomes
   * the next one of what the message taken last has brought. 0: done; nonzero: the server is gone, or there is none, and whoever
   * is to have one from now on is told that it is too late. NULL: nobody gives (where move is NULL). */
  int (*gift)(solo_remote_channel *channel, solo_remote_gift *gift);
  /* Is the other side there? May cost a system call. Once 0, always 0; then what was moving (the program's half of move) is given
   * up before it returns: its memory is the caller's. (Of what was to come out of a staging area solo_remote_give_up makes that so.) */
  int (*is_alive)(solo_remote_link *link);
  /* Ends a connection that makes no sense: both sides see that the other is gone. The link stays, to be closed. */
  void (*end)(solo_remote_link *link);
  /* Frees the link; nobody uses it, or a channel of its, any more. */
  void (*close)(solo_remote_link *link);
} solo_remote_transport;

/* What every transport's link begins with. */
struct solo_remote_link {
  const solo_remote_transport *transport;
  uint8_t *memory;    /* of all channels: solo_remote_channel_of */
  int has_no_staging; /* its channels have no staging areas */
  int moves_beside;   /* the bytes of copies go beside their messages (move) */
  uint8_t *area;      /* memory that the server has, too, at welcome.area; NULL: there is none */
  uint64_t area_bytes;
  int32_t mapper; /* the process that mapped these: in a child of fork(2) they are not */
  uint32_t
      number; /* what servers of a job, between which bytes move, call each other; 0: of none */
  char title
      [64]; /* the program's name for the server; the server's for the program, "": it knows none */
  solo_remote_welcome welcome;
  _Atomic int lost; /* no more messages; the other side is gone or refused one */
};

/* Of each channel: what both sides see, and its staging area. */
#define SOLO_REMOTE_CHANNEL_BYTES (sizeof(solo_remote_shared) + SOLO_REMOTE_STAGING_BYTES)
#define SOLO_REMOTE_MEMORY_BYTES  (SOLO_REMOTE_CHANNELS * SOLO_REMOTE_CHANNEL_BYTES)

/* What both sides see of channel number of a connection. */
SOLO_INLINE solo_remote_shared *solo_remote_shared_of(const solo_remote_link *link,
                                                      uint32_t number) {
  size_t bytes = link->has_no_staging ? sizeof(solo_remote_shared) : SOLO_REMOTE_CHANNEL_BYTES;
  return (solo_remote_shared *)(void *)(link->memory + number * bytes);
}

/* Channel number of a connection; both sides. */
SOLO_INLINE void solo_remote_channel_of(solo_remote_link *link, uint32_t number,
                                        solo_remote_channel *out) {
  solo_remote_shared *shared = solo_remote_shared_of(link, number);
  *out = (solo_remote_channel){.link = link,
                               .number = number,
                               .shared = shared,
                               .is_awaited = 1,
                               .staging = link->has_no_staging ? NULL : (uint8_t *)(shared + 1)};
}

/* Why the connection ends, for who finds it ended: the first text stays. Either side: over MPI what one has said the
 * other notes. */
SOLO_INLINE void solo_remote_note_refusal(solo_remote_link *link, const char *text) {
  solo_remote_shared *s = solo_remote_shared_of(link, 0);
  if (solo_exchange_relaxed(&s->refused, 1)) return; /* the text is published below */
  size_t bytes = strlen(text);
  if (bytes > sizeof s->refusal - 1) bytes = sizeof s->refusal - 1;
  memcpy(s->refusal, text, bytes);
  s->refusal[bytes] = 0;
  solo_store_release(&s->refused, 2); /* pairs with solo_remote_fail_lost */
}

/* The producer's half: what was written to a message's room is in the ring; who sleeps is not woken. */
SOLO_INLINE void solo_remote_count_message(solo_remote_channel *channel, uint32_t bytes) {
  solo_remote_shared *s = channel->shared;
  channel->head += bytes;
  channel->count++;
  /* relaxed: read behind an acquire of head, or of another channel's by who was told the ticket */
  solo_store_relaxed(&s->posted, channel->count);
  solo_store_release(&s->head, channel->head); /* pairs with solo_remote_shm_take */
}

/* --- the memory file of two processes (remote_file.c) ------------------------------------------- */

/* How long its area should be: as much as the machine has memory, or enough for most: addresses, of which only what is
 * written becomes memory. 0: there is to be none. */
uint64_t solo_remote_wanted_area(void);
/* A new one; the caller closes it. -1: there is none to be had. */
int solo_remote_make_file(uint64_t area_bytes);
/* Is it one, of the length that its maker says? -1 is none. */
int solo_remote_is_file(int file, uint64_t area_bytes);
/* Fills memory, and area where there are addresses for it; the file may be closed then. Nonzero: no addresses. */
int solo_remote_map_file(solo_remote_link *link, int file, uint64_t area_bytes);
/* A child of fork(2) must not post beside its parent. */
void solo_remote_keep_from_children(solo_remote_link *link);
/* So many bytes of the area are no memory any more, of either process, until they are written again. */
void solo_remote_free_area(solo_remote_link *link, uint64_t offset, uint64_t bytes);
/* In the process that mapped it. */
void solo_remote_unmap_file(solo_remote_link *link);

/* --- shared memory (remote_shm.c) ------------------------------------------------------------- */

/* The program's half of a connection over a connected socket, which it then owns: says hello.
 * UNAVAILABLE with the server's reason, or ours. */
solo_status solo_remote_shm_connect(int socket, solo_remote_link **out_link);

/* The server's half: reads a hello. *out_hello is filled when one came. */
solo_status solo_remote_shm_accept(int socket, solo_remote_hello *out_hello,
                                   solo_remote_link **out_link);
/* Answers it with link->welcome. */
solo_status solo_remote_shm_welcome(solo_remote_link *link);
/* Answers a program whose hello was not accepted; closes the socket. */
void solo_remote_shm_refuse(int socket, const solo_remote_welcome *welcome);
/* "program 1234 (name)": who is at the other end. */
void solo_remote_shm_name_peer(int socket, char *out, size_t size);
/* Blocks until the program is gone, or the connection was ended. */
void solo_remote_shm_await_end(solo_remote_link *link);

/* Room for a message of bytes (a multiple of SOLO_REMOTE_ALIGN), contiguous, in the channel's ring, which every
 * transport's program fills; NULL: none now. The producer's. */
void *solo_remote_reserve(solo_remote_channel *channel, uint32_t bytes);
/* Wakes everybody who sleeps on the channel in this process, or with shared memory on the other side. Any thread. */
void solo_remote_wake(solo_remote_channel *channel);
/* Who waits for what no count tells notes the bells, then looks whether it has to wait, and then awaits: which
 * returns at once where solo_remote_wake was called after the look. From the channel's consumer. */
SOLO_INLINE void solo_remote_note_bells(solo_remote_channel *channel) {
  /* acquire: pairs with solo_remote_wake: who notes its value sees what it was called for */
  channel->server_bell = solo_load_acquire(&channel->shared->server_bell);
  channel->done_bell = solo_load_acquire(&channel->shared->done_bell); /* the same */
}

/* Its rings and futexes also serve within one process: what another transport receives for a channel
 * is handed to the channel's thread by them. And two processes that have another way to come by the same memory. */
extern SOLO_HIDDEN const solo_remote_transport solo_remote_shm_transport;
void solo_remote_shm_post(solo_remote_channel *channel, uint32_t bytes);
int solo_remote_shm_take(solo_remote_channel *channel, void *buffer);
void solo_remote_shm_complete(solo_remote_channel *channel, uint64_t count);
void solo_remote_shm_await(solo_remote_channel *channel, uint64_t count, uint64_t timeout_ns);

#endif
