/* What the files of the MPI transport share (docs/design/mpi-transport.md). Rank 0 of a job is the
 * program, the others are device servers. job.lock serialises all calls of MPI; "Locked" functions
 * require it. A failed call marks its rank as dead, or ends the job if the rank is unknown. */
#ifndef SOLO_REMOTE_MPI_H
#define SOLO_REMOTE_MPI_H

#include "backends/remote/remote_transport.h"
#include "runtime/base/lock.h"
#include <mpi.h>

enum {
  JOB_SLOTS = 16, /* posted receives */
  JOB_ANSWERS = 64,
  JOB_TRANSFERS = 64,  /* direct copies of a channel */
  JOB_FORWARDS = 4096, /* requested transfers */
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

/* Tags from the program. A message has its channel as tag, plus JOB_TAKEN_BIT if errors_reported,
 * which is errors_made or errors_made - 1, is odd. */
enum {
  JOB_TAKEN_BIT = SOLO_REMOTE_CHANNELS,
  JOB_TAG_OPEN = 2 * SOLO_REMOTE_CHANNELS, /* an mpi_open */
  JOB_TAG_CLOSE,                           /* the session */
  JOB_TAG_END,
  JOB_TAG_FORWARD, /* a solo_remote_forward */
  JOB_TAG_DEAD,    /* a dead rank */
  JOB_TAGS
};

/* mpi_answer.channel: a channel, or */
enum {
  JOB_ANSWER_OPENED = 0x10000, /* completed: session; tail: nonzero if memory is shared */
  JOB_ANSWER_ENDED,
  JOB_ANSWER_LAST,
  JOB_ANSWER_WANTED /* requests direct copy `completed` of channel `errors_made` */
};

typedef struct mpi_answer {
  uint32_t channel, errors_made;
  uint64_t completed, tail;
  union {
    solo_remote_result result; /* only if new */
    solo_remote_welcome welcome;
  } more;
} mpi_answer;

/* The program's listener for liveness connections. */
typedef struct mpi_listener {
  uint8_t secret[JOB_SECRET_BYTES]; /* of the ranks */
  uint8_t answer[JOB_SECRET_BYTES]; /* of the program */
  uint8_t addresses[JOB_ADDRESSES][16];
  uint16_t count, port;
} mpi_listener;

/* A session request, with the program's memory file. */
typedef struct mpi_open {
  uint32_t session;
  int32_t process, file; /* -1: none */
  uint32_t unused;
  uint64_t inode, area_bytes;
  uint64_t secret; /* in the file; another machine may have this name */
} mpi_open;

typedef struct mpi_note {
  struct mpi_note *next;
  MPI_Request request;
  int rank;
  uint64_t bytes[JOB_NOTE_BYTES / 8];
} mpi_note;

typedef struct mpi_transfer {
  MPI_Request request;
  uint64_t ticket; /* ends when this message is answered */
  void *offered;   /* sent on request; NULL: in progress */
  uint64_t size;
} mpi_transfer;

typedef struct mpi_channel {
  mpi_transfer *transfers; /* program: JOB_TRANSFERS, or NULL */
  uint64_t first_transfer, last_transfer;
  solo_remote_channel arriving; /* server: the producer's half */
  _Atomic uint64_t answered_ns; /* of the first deferred answer; 0: none */
  _Atomic uint64_t answered_tail;
  _Atomic uint32_t answered_errors;
  _Atomic int owes;
  _Atomic uint64_t quiet_since_ns; /* without messages since then; 0: reset */
  _Atomic uint32_t naps, slices;   /* before the next yield; long yields */
  uint64_t forwards_until;         /* rejects later requests for data up to this message */
} mpi_channel;

typedef struct mpi_forward {
  struct mpi_forward *next;
  solo_remote_forward gift;
} mpi_forward;

typedef struct mpi_link {
  solo_remote_link link;
  int rank; /* of the other side */
  uint32_t session;
  int is_near;        /* shared memory (remote_mpi_near.c) */
  int is_far;         /* program: counted in job.far_links */
  int is_taken;       /* program, if opened: memory is shared */
  _Atomic int opened; /* program: welcome is complete */
  mpi_forward *gifts; /* server: oldest first */
  int gift_count;
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
  _Atomic uint32_t hurry;  /* threads that wait for the lock */
  _Atomic int is_over;     /* the program has ended, or MPI failed */
  _Atomic uint32_t opened; /* server: newest session */
  mpi_open asked;
  int rank, size;
  MPI_Comm messages, answers, data, between;
  mpi_link **links;
  char (*hosts)[64];
  _Atomic uint8_t *dead;
  _Atomic int deaths; /* ranks, or fatal failures of MPI */
  mpi_note *notes;    /* circular; the newest */
  mpi_slot *slots;
  _Atomic uint32_t looks; /* polls so far */
  uint32_t next_slot;     /* the receive to test next */
  uint32_t receiving;     /* receives posted so far */
  struct {
    solo_remote_channel *channel; /* the polling thread's, or NULL */
    void *buffer;
    int bytes; /* 0: none received */
  } taker;
  _Atomic int far_links;
  int last_answers; /* from servers that have ended */
  mpi_sent *sent;
  uint32_t next_sent;
  void (*program_ended)(void);      /* server */
  int (*wants_shared_memory)(void); /* program */
} mpi_job;

extern SOLO_HIDDEN mpi_job solo_remote_mpi;
extern SOLO_HIDDEN const solo_remote_transport solo_remote_mpi_transport;
#ifdef SOLO_CHECK
extern SOLO_HIDDEN _Atomic uint64_t solo_remote_mpi_sent;
void solo_remote_mpi_cut_liveness(int rank);
#endif

/* Initialises MPI once. UNAVAILABLE with the reason, also later. */
solo_status solo_remote_mpi_start(int is_program);
void solo_remote_mpi_finish(void);

enum { JOB_NOBODY = -1 };

/* Marks rank (JOB_NOBODY: all) as lost. Locked. */
SOLO_COLD void solo_remote_mpi_fail(int rank, int code);

/* Checks a call's result. Locked. */
SOLO_INLINE int solo_remote_mpi_failed(int rank, int code) {
  if (SOLO_LIKELY(code == MPI_SUCCESS)) return 0;
  solo_remote_mpi_fail(rank, code);
  return 1;
}

void solo_remote_mpi_acquire(void);
void solo_remote_mpi_release(void);
/* Sends a copy of at most JOB_NOTE_BYTES. Nonzero: failed. Locked. */
int solo_remote_mpi_send(MPI_Comm comm, int rank, int tag, const void *bytes, size_t size);
SOLO_INLINE int solo_remote_mpi_is_dead(int rank) {
  return solo_load_relaxed(&solo_remote_mpi.dead[rank]); /* a flag */
}
/* Marks the rank as dead and, in a program, informs the servers. Locked. The first half returns
 * nonzero if the death is new. */
void solo_remote_mpi_note_death(int rank);
int solo_remote_mpi_mark_dead(int rank);
void solo_remote_mpi_broadcast_death(int rank);
/* Server. Locked. */
void solo_remote_mpi_end_program(void);
void solo_remote_mpi_end_link(mpi_link *l);
/* Locked. */
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
/* Handles received messages, unless another thread does. */
void solo_remote_mpi_poll(void);
void solo_remote_mpi_post(solo_remote_channel *c, uint32_t bytes);
int solo_remote_mpi_take(solo_remote_channel *c, void *buffer);
void solo_remote_mpi_complete(solo_remote_channel *c, uint64_t count);
void solo_remote_mpi_end(solo_remote_link *link);
/* Server. Locked. */
void solo_remote_mpi_answer(const mpi_answer *answer, size_t bytes);
/* Sends deferred answers of busy queues. */
void solo_remote_mpi_answer_for_others(mpi_link *l);
/* For the thread of the channel. */
void solo_remote_mpi_answer_channel(solo_remote_channel *c);

int solo_remote_mpi_request_forward(solo_remote_link *link, const solo_remote_forward *gift);
int solo_remote_mpi_next_forward(solo_remote_channel *c, uint64_t ticket, solo_remote_forward *out);
/* Sends an offered direct copy. Nonzero: there is none. Locked. */
int solo_remote_mpi_send_offered(mpi_link *l, uint32_t number, uint64_t ticket);
/* Stores a request; l is NULL after the session. Nonzero: malformed. Locked. */
int solo_remote_mpi_receive_forward_request(mpi_link *l, const void *message, int bytes);
/* Rejects all requests of the channel (UINT32_MAX: link). Locked. */
void solo_remote_mpi_reject_forwards(mpi_link *l, uint32_t channel);

mpi_link *solo_remote_mpi_make_link(int rank, uint32_t session);
void solo_remote_mpi_free_memory(mpi_link *l);
int solo_remote_mpi_is_alive(solo_remote_link *link);
void solo_remote_mpi_close(solo_remote_link *link);
/* Server: the transport's move. */
int solo_remote_mpi_move_between(solo_remote_channel *c, const solo_remote_move *m);

/* Program: maps a memory file into *out and describes it in *open, if rank is on this machine.
 * Returns the file, which the caller closes, or -1. */
int solo_remote_mpi_offer_file(int rank, solo_remote_link *out, mpi_open *open);
/* Replaces the link's memory. Locked if the link is in job.links. */
void solo_remote_mpi_share(mpi_link *l, const solo_remote_link *mapped);
/* Server: shares the offered memory, if possible. */
void solo_remote_mpi_take_offer(mpi_link *l, const mpi_open *open);

/* Yields or naps in a poll loop that began ns ago. */
void solo_remote_mpi_pause(solo_remote_channel *c, uint64_t ns);
void solo_remote_mpi_await(solo_remote_channel *c, uint64_t count, uint64_t timeout_ns);

/* More messages are likely. */
SOLO_INLINE void solo_remote_mpi_reset_quiet_time(mpi_channel *m) {
  solo_store_relaxed(&m->quiet_since_ns, 0); /* a hint */
}

#endif
