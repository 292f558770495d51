/* Declarations of the MPI transport's files (docs/design/mpi-transport.md). Rank 0 of a job is the
 * program; the other ranks are device servers. job.lock serialises all calls of MPI; "Locked" means
 * that the caller holds it. If a call of MPI for a rank fails, this rank is marked as dead. If another
 * call fails, the job ends. */
#ifndef SOLO_REMOTE_MPI_H
#define SOLO_REMOTE_MPI_H

#include "backends/remote/remote_transport.h"
#include "runtime/base/lock.h"
#include <mpi.h>

enum {
  JOB_SLOTS = 16,
  JOB_ANSWERS = 64,
  JOB_TRANSFERS = 64,  /* maximum number of direct copies in progress per channel */
  JOB_FORWARDS = 4096, /* maximum number of stored forward requests */
#ifdef SOLO_CHECK
  JOB_MOST_RANKS = 5,
#else
  JOB_MOST_RANKS = 1025,
#endif
  JOB_HELLO_BYTES = 512,
  JOB_NOTE_BYTES = 48,
  JOB_ADDRESSES = 8,
  JOB_SECRET_BYTES = 16,
};

/* Tags of messages from the program. A message to a channel has the channel's number as tag.
 * JOB_REPORTED_BIT is added if errors_reported is odd, so that the server can detect whether the
 * newest failure was reported. */
enum {
  JOB_REPORTED_BIT = SOLO_REMOTE_CHANNELS,
  JOB_TAG_OPEN = 2 * SOLO_REMOTE_CHANNELS, /* the message is an mpi_open */
  JOB_TAG_CLOSE,
  JOB_TAG_END,
  JOB_TAG_FORWARD, /* the message is a solo_remote_forward */
  JOB_TAG_DEAD,    /* the message is the number of a dead rank */
  JOB_TAGS
};

/* mpi_answer.channel: a channel's number, or one of these constants */
enum {
  /* `completed` is the session; `tail` nonzero: memory is shared */
  JOB_ANSWER_OPENED = 0x10000,
  JOB_ANSWER_ENDED,
  JOB_ANSWER_LAST,
  /* requests the offered direct copy of message `completed` of channel `errors_made` */
  JOB_ANSWER_REQUESTED
};

typedef struct mpi_answer {
  uint32_t channel, errors_made;
  uint64_t completed, tail;
  union {
    solo_remote_result result;
    solo_remote_welcome welcome;
  } more;
} mpi_answer;

/* The program's listening socket for liveness connections. */
typedef struct mpi_listener {
  uint8_t secret[JOB_SECRET_BYTES]; /* sent by a rank */
  uint8_t answer[JOB_SECRET_BYTES]; /* sent by the program */
  uint8_t addresses[JOB_ADDRESSES][16];
  uint16_t count, port;
} mpi_listener;

/* A request to open a session, which offers the program's memory file. */
typedef struct mpi_open {
  uint32_t session;
  int32_t process, file; /* file -1: none */
  uint32_t unused;
  uint64_t inode, area_bytes;
  /* also stored in the file, so that the server recognises the program's file among files of other
   * machines */
  uint64_t secret;
} mpi_open;

/* A copy of a message that MPI may still read. */
typedef struct mpi_note {
  struct mpi_note *next;
  MPI_Request request;
  int rank;
  uint64_t bytes[JOB_NOTE_BYTES / 8];
} mpi_note;

typedef struct mpi_transfer {
  MPI_Request request;
  uint64_t ticket; /* number of the message to which the copy belongs */
  /* bytes to send at the server's request; NULL: the copy is in progress */
  void *offered;
  uint64_t size;
} mpi_transfer;

typedef struct mpi_channel {
  mpi_transfer *transfers; /* program only: JOB_TRANSFERS entries, or NULL */
  uint64_t first_transfer, last_transfer;
  /* server: the producer's side of the channel, for threads that receive messages from MPI */
  solo_remote_channel arriving;
  _Atomic uint64_t answered_ns; /* time of the oldest deferred answer; 0: none */
  _Atomic uint64_t answered_tail;
  _Atomic uint32_t answered_errors;
  _Atomic int owes;
  _Atomic uint64_t quiet_since_ns; /* time since which no message has arrived; 0: to be measured */
  _Atomic uint32_t naps, slices; /* naps until the next yield; number of consecutive long yields */
  /* forward requests for messages up to this number are rejected */
  uint64_t forwards_until;
} mpi_channel;

typedef struct mpi_forward {
  struct mpi_forward *next;
  solo_remote_forward forward;
} mpi_forward;

typedef struct mpi_link {
  solo_remote_link link;
  int rank;
  uint32_t session;
  int is_near;        /* 1: client and server share memory (remote_mpi_near.c) */
  int is_far;         /* program: 1: no shared memory; counted in job.far_links */
  int is_taken;       /* program, valid if opened: 1: the server maps the offered memory */
  _Atomic int opened; /* program: welcome and is_taken are complete */
  mpi_forward *gifts; /* server: forward requests, oldest first */
  int forward_count;
  mpi_channel channels[SOLO_REMOTE_CHANNELS];
} mpi_link;

typedef struct mpi_slot {
  MPI_Request request;
  union {
    mpi_answer answer;
    uint8_t message[SOLO_REMOTE_MESSAGE_BYTES];
  } bytes;
} mpi_slot;

typedef struct mpi_sent {
  MPI_Request request;
  mpi_answer answer;
} mpi_sent;

typedef struct mpi_job {
  solo_lock lock;          /* rank: leaf */
  _Atomic uint32_t hurry;  /* nonzero: threads wait for the lock, so polling threads release it */
  _Atomic int is_over;     /* 1: the program has ended, or MPI has failed */
  _Atomic uint32_t opened; /* server: newest session that the program requested */
  mpi_open open_request;
  int rank, size;
  MPI_Comm messages, answers, data, between;
  mpi_link **links;
  char (*hosts)[64];
  _Atomic uint8_t *dead;
  _Atomic int deaths; /* dead ranks and fatal failures of MPI */
  mpi_note *notes;    /* newest entry of a circular list */
  mpi_slot *slots;
  _Atomic uint32_t polls;
  uint32_t next_slot; /* number of the next receive to test */
  uint32_t receiving; /* number of receives posted so far */
  struct {
    solo_remote_channel *channel; /* channel of the polling thread, or NULL */
    void *buffer;
    int bytes; /* length of the message for this channel; 0: none received */
  } receiver;
  _Atomic int far_links;
  int last_answers; /* number of servers that have sent their last answer */
  mpi_sent *sent;
  uint32_t next_sent;
  void (*program_ended)(void);
  int (*wants_shared_memory)(void);
} mpi_job;

extern SOLO_HIDDEN mpi_job solo_remote_mpi;
extern SOLO_HIDDEN const solo_remote_transport solo_remote_mpi_transport;
#ifdef SOLO_CHECK
extern SOLO_HIDDEN _Atomic uint64_t solo_remote_mpi_sent;
void solo_remote_mpi_cut_liveness(int rank);
#endif

/* Initialises MPI once; later calls return the same status. UNAVAILABLE: the text has the reason. */
solo_status solo_remote_mpi_start(int is_program);
void solo_remote_mpi_finish(void);

enum { JOB_NO_RANK = -1 };

/* Marks rank as dead; JOB_NO_RANK: ends the job. Locked. */
SOLO_COLD void solo_remote_mpi_fail(int rank, int code);

/* If code is a failure, calls solo_remote_mpi_fail() and returns nonzero. Locked. */
SOLO_INLINE int solo_remote_mpi_failed(int rank, int code) {
  if (SOLO_LIKELY(code == MPI_SUCCESS)) return 0;
  solo_remote_mpi_fail(rank, code);
  return 1;
}

void solo_remote_mpi_acquire(void);
void solo_remote_mpi_release(void);
/* Sends a copy of at most JOB_NOTE_BYTES bytes. Returns nonzero on failure. Locked. */
int solo_remote_mpi_send(MPI_Comm comm, int rank, int tag, const void *bytes, size_t size);
SOLO_INLINE int solo_remote_mpi_is_dead(int rank) {
  return solo_load_relaxed(&solo_remote_mpi.dead[rank]); /* relaxed: a late read is harmless */
}
/* mark_dead() marks the rank as dead and returns nonzero if it was not yet marked.
 * broadcast_death() informs the servers, if called in the program. note_death() does both. Locked. */
void solo_remote_mpi_note_death(int rank);
int solo_remote_mpi_mark_dead(int rank);
void solo_remote_mpi_broadcast_death(int rank);
/* Server: end all sessions; end one session. Locked. */
void solo_remote_mpi_end_program(void);
void solo_remote_mpi_end_link(mpi_link *l);
/* Returns nonzero on failure. Locked. */
int solo_remote_mpi_start_move(solo_remote_channel *c, void *bytes, uint64_t size,
                               solo_remote_way way, MPI_Request *out);

SOLO_INLINE mpi_link *solo_remote_mpi_link_of(solo_remote_link *link) {
  return (mpi_link *)(void *)link;
}

SOLO_INLINE mpi_channel *solo_remote_mpi_channel_of(const solo_remote_channel *c) {
  return &solo_remote_mpi_link_of(c->link)->channels[c->number];
}

/* Posts the receives. Locked. */
void solo_remote_mpi_listen(void);
/* Handles received messages. Returns at once if another thread is doing so. */
void solo_remote_mpi_poll(void);
void solo_remote_mpi_post(solo_remote_channel *c, uint32_t bytes);
int solo_remote_mpi_receive(solo_remote_channel *c, void *buffer);
void solo_remote_mpi_complete(solo_remote_channel *c, uint64_t count);
void solo_remote_mpi_end(solo_remote_link *link);
/* Locked. */
void solo_remote_mpi_answer(const mpi_answer *answer, size_t bytes);
/* Server: sends answers that busy threads of queues have deferred. */
void solo_remote_mpi_answer_for_other_threads(mpi_link *l);
/* Server: sends the channel's answer. Only the channel's thread calls it. */
void solo_remote_mpi_answer_channel(solo_remote_channel *c);

int solo_remote_mpi_request_forward(solo_remote_link *link, const solo_remote_forward *forward);
int solo_remote_mpi_next_forward(solo_remote_channel *c, uint64_t ticket, solo_remote_forward *out);
/* Program: sends the offered direct copy of message `ticket`. Nonzero: there is none. Locked. */
int solo_remote_mpi_send_offered(mpi_link *l, uint32_t number, uint64_t ticket);
/* Server: stores a forward request; l NULL: the session has ended. Returns nonzero if the request
 * is malformed. Locked. */
int solo_remote_mpi_receive_forward_request(mpi_link *l, const void *message, int bytes);
/* Server: rejects all stored forward requests for data of the channel (UINT32_MAX: of the link).
 * Locked. */
void solo_remote_mpi_reject_forwards(mpi_link *l, uint32_t channel);

mpi_link *solo_remote_mpi_make_link(int rank, uint32_t session);
void solo_remote_mpi_free_memory(mpi_link *l);
int solo_remote_mpi_is_alive(solo_remote_link *link);
void solo_remote_mpi_close(solo_remote_link *link);
/* Server: a direct copy with another server. */
int solo_remote_mpi_move_between(solo_remote_channel *c, const solo_remote_move *m);

/* Program: if rank is on this machine, maps a new memory file into *out and describes it in *open.
 * Returns the file, which the caller closes, or -1. */
int solo_remote_mpi_offer_file(int rank, solo_remote_link *out, mpi_open *open);
/* Replaces the link's memory by that of `mapped`. Locked if the link is in job.links. */
void solo_remote_mpi_share(mpi_link *l, const solo_remote_link *mapped);
/* Server: maps the offered memory and uses it for the link, if possible. */
void solo_remote_mpi_accept_offer(mpi_link *l, const mpi_open *open);

/* Yields or naps, depending on `ns`, the time since the poll loop began. */
void solo_remote_mpi_pause(solo_remote_channel *c, uint64_t ns);
void solo_remote_mpi_await(solo_remote_channel *c, uint64_t count, uint64_t timeout_ns);

/* Makes waiting threads poll without naps again, because more messages are likely. */
SOLO_INLINE void solo_remote_mpi_reset_quiet_time(mpi_channel *m) {
  solo_store_relaxed(&m->quiet_since_ns, 0); /* relaxed: a hint */
}

#endif
