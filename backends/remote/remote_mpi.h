/* What the files of the MPI transport share. They are compiled once per implementation of MPI.
 *
 * The ranks of a job are one program, rank 0, and device servers. Those on the program's machine share memory with it
 * (remote_mpi_near.c); what follows is about the others. Program and server have a copy each
 * of what shm's two sides share: a message goes from the program's ring to the server's, by one MPI
 * message; the other way go answers, which bring the counts up to date. The bytes of copies go beside
 * them, from where they are to where they belong.
 *
 * Threads: MPI is initialised for calls one at a time (MPI_THREAD_SERIALIZED), which job.lock sees to,
 * and which every MPI does reliably. There is no thread for progress: who waits, polls; on the server
 * that is the queue's thread as long as messages come (20 ms), then the control thread, with naps of up to
 * 2 ms in between.
 *
 * Errors: MPI's calls return them (MPI_ERRORS_RETURN), and the rank that the call was about is lost then, or all are
 * where that is not known. That a rank dies MPI does not tell: remote_mpi_lifeline.c, for launchers that were told to let the
 * others go on. (Else mpirun ends the whole job.) What was being sent to it, or received, is given up and never asked for again.
 */
#ifndef SOLO_REMOTE_MPI_H
#define SOLO_REMOTE_MPI_H

#include "backends/remote/remote_transport.h"
#include "runtime/base/lock.h"
#include <mpi.h>

enum {
  JOB_SLOTS = 16, /* messages or answers that may arrive at a time */
  JOB_ANSWERS = 64,
  JOB_TRANSFERS = 64, /* of a channel, under way */
  JOB_GIFTS = 4096,   /* of a server, that are not given yet */
#ifdef SOLO_CHECK
  JOB_MOST_RANKS = 5,
#else
  JOB_MOST_RANKS = 1025,
#endif
  JOB_HELLO_BYTES = 512,
  JOB_NOTE_BYTES = 48,
  JOB_ADDRESSES = 8, /* of a node */
  JOB_SECRET_BYTES = 16,
};

/* Tags of what a program sends. Below: the channel, and in one bit more how many failures of it have
 * been reported (errors_taken), which is the number made or one less. */
enum {
  JOB_TAKEN_BIT = SOLO_REMOTE_CHANNELS,
  JOB_TAG_OPEN = 2 * SOLO_REMOTE_CHANNELS, /* the bytes: an mpi_open */
  JOB_TAG_CLOSE,                           /* of the session */
  JOB_TAG_END,                             /* of the program */
  JOB_TAG_GIFT,                            /* the bytes: a solo_remote_gift */
  JOB_TAG_DEAD,                            /* the bytes: a rank that has died */
  JOB_TAGS
};

/* What an answer is about: a channel, or these. */
enum {
  JOB_ANSWER_OPENED = 0x10000, /* completed: the session; tail: what was offered is shared */
  JOB_ANSWER_ENDED,
  JOB_ANSWER_LAST,
  JOB_ANSWER_WANTED /* completed: whose bytes are wanted, of channel errors_made */
};

typedef struct mpi_answer {
  uint32_t channel, errors_made;
  uint64_t completed, tail;
  union {
    solo_remote_result result; /* only where it is new */
    solo_remote_welcome welcome;
  } more;
} mpi_answer;

/* Where the program listens for its servers' lifelines. */
typedef struct mpi_listener {
  uint8_t secret[JOB_SECRET_BYTES];     /* of the job's ranks: whoever else comes is turned away */
  uint8_t answer[JOB_SECRET_BYTES];     /* the program's: whoever else answers is not it */
  uint8_t addresses[JOB_ADDRESSES][16]; /* IPv6; IPv4 as ::ffff:a.b.c.d */
  uint16_t count, port;                 /* 0 addresses: nobody listens */
} mpi_listener;

/* What a program asks for a session with, and where the memory file is that it offers. */
typedef struct mpi_open {
  uint32_t session;
  int32_t process, file; /* -1: it offers none */
  uint32_t unused;
  uint64_t inode, area_bytes;
  uint64_t secret; /* in the file: another machine of this name may have one that looks like it */
} mpi_open;

/* A message of a few bytes, kept until MPI has done with them. */
typedef struct mpi_note {
  struct mpi_note *next;
  MPI_Request request;
  int rank;
  uint64_t bytes[JOB_NOTE_BYTES / 8];
} mpi_note;

typedef struct mpi_transfer {
  MPI_Request request;
  uint64_t ticket; /* over when this message is answered */
  void *offered;   /* sent when the server asks for it; NULL: under way */
  uint64_t size;   /* of that */
} mpi_transfer;

typedef struct mpi_channel {
  mpi_transfer *transfers; /* the program's: JOB_TRANSFERS of them, once there is one */
  uint64_t first_transfer, last_transfer;
  solo_remote_channel arriving; /* the server's: the receiving thread's half */
  _Atomic uint64_t answered_ns; /* about when; 0: nothing has been put off since */
  _Atomic uint64_t answered_tail;
  _Atomic uint32_t answered_errors;
  _Atomic int owes;                /* has more to answer */
  _Atomic uint64_t quiet_since_ns; /* who waits has found nothing new since then; 0: since now */
  _Atomic uint32_t naps, slices;   /* of who waits: before it yields again; yields that took long */
  uint64_t gifts_until; /* who wants what this message has brought, or one before, is too late */
} mpi_channel;

typedef struct mpi_gift {
  struct mpi_gift *next;
  solo_remote_gift gift;
} mpi_gift;

typedef struct mpi_link {
  solo_remote_link link;
  int rank; /* the other side's */
  uint32_t session;
  int is_near;        /* messages and counts go through memory that both have (remote_mpi_near.c) */
  int is_far;         /* of a program: they do not, and the link counts in job.far_links */
  int is_taken;       /* of a program: the server has what was offered to it; read behind opened */
  _Atomic int opened; /* the program's: it has been answered, by welcome */
  mpi_gift *gifts;    /* the server's, in the order in which they were told */
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
  solo_lock lock;          /* rank: leaf. Guards all that follows, and every call of MPI. */
  _Atomic uint32_t hurry;  /* threads that want it for more than a look */
  _Atomic int is_over;     /* the program has ended, or MPI fails */
  _Atomic uint32_t opened; /* of a server: number of the session asked for last */
  mpi_open asked;          /* of a server: that session */
  int rank, size;          /* among those who fit together; the program's is 0 */
  MPI_Comm messages, answers, data, between;
  mpi_link **links;      /* by rank: those that are open */
  char (*hosts)[64];     /* by rank */
  _Atomic uint8_t *dead; /* by rank: it has died; a flag by itself */
  _Atomic int deaths;    /* how many, and failures that cost all */
  mpi_note *notes;       /* those that are on their way, in a circle: the last */
  mpi_slot *slots;
  _Atomic uint32_t looks; /* ever made */
  uint32_t next_slot;     /* the next to be looked at; counts on, as receiving does */
  uint32_t receiving;     /* those from next_slot to here receive */
  struct {
    solo_remote_channel *channel; /* of the thread that looks; NULL: it takes no messages */
    void *buffer;                 /* for its next message */
    int bytes;                    /* of that one; 0: it did not come */
  } taker;
  _Atomic int far_links; /* of a program: those that are not near */
  int last_answers;      /* servers that will say no more */
  mpi_sent *sent;        /* of a server: JOB_ANSWERS of them */
  uint32_t next_sent;
  void (*program_ended)(void);      /* of a server; NULL: nobody */
  int (*wants_shared_memory)(void); /* of a program */
} mpi_job;

extern SOLO_HIDDEN mpi_job solo_remote_mpi;
extern SOLO_HIDDEN const solo_remote_transport solo_remote_mpi_transport;
#ifdef SOLO_CHECK
extern SOLO_HIDDEN _Atomic uint64_t solo_remote_mpi_sent; /* bytes, beside messages */
void solo_remote_mpi_cut_lifeline(int rank);              /* of tests: as if it had ended */
#endif

/* --- the job (remote_mpi_job.c) --------------------------------------------------------------- */

/* Initialises MPI and meets the other ranks. UNAVAILABLE, with the reason: again and again. */
solo_status solo_remote_mpi_start(int is_program);
/* Ends what was started, at the end of the process. */
void solo_remote_mpi_finish(void);

/* --- calls (remote_mpi_call.c) ---------------------------------------------------------------- */

enum { JOB_NOBODY = -1 };

/* A call of MPI about a rank has failed: that is lost, or with JOB_NOBODY all is. The lock is held. */
SOLO_COLD void solo_remote_mpi_fail(int rank, int code);

/* What every call of MPI is given through; nonzero: it failed. The lock is held. */
SOLO_INLINE int solo_remote_mpi_failed(int rank, int code) {
  if (SOLO_LIKELY(code == MPI_SUCCESS)) return 0;
  solo_remote_mpi_fail(rank, code);
  return 1;
}

void solo_remote_mpi_acquire(void);
void solo_remote_mpi_release(void);
/* Sends at most JOB_NOTE_BYTES, which are copied. Nonzero: they will not arrive. The lock is held. */
int solo_remote_mpi_send(MPI_Comm comm, int rank, int tag, const void *bytes, size_t size);
/* A flag by itself: what is moved with a rank that is dead never comes. */
SOLO_INLINE int solo_remote_mpi_is_dead(int rank) {
  return solo_load_relaxed(&solo_remote_mpi.dead[rank]); /* a flag by itself */
}
/* A rank is dead, as far as it concerns us; a program tells its servers. The lock is held. */
void solo_remote_mpi_note_death(int rank);
/* The two halves of it. Nonzero: it was not known. */
int solo_remote_mpi_mark_dead(int rank);
void solo_remote_mpi_broadcast_death(int rank);
/* A server's: the program is gone, or its session is over. The lock is held. */
void solo_remote_mpi_end_program(void);
void solo_remote_mpi_end_link(mpi_link *l);
/* Moves bytes with the link's other side. The lock is held. */
int solo_remote_mpi_start_move(solo_remote_channel *c, void *bytes, uint64_t size,
                               solo_remote_way way, MPI_Request *out);

SOLO_INLINE mpi_link *solo_remote_mpi_link_of(solo_remote_link *link) {
  return (mpi_link *)(void *)link;
}

SOLO_INLINE mpi_channel *solo_remote_mpi_channel_of(const solo_remote_channel *c) {
  return &solo_remote_mpi_link_of(c->link)->channels[c->number];
}

/* --- messages (remote_mpi_messages.c) ------------------------------------------------------------------ */

/* Starts to receive. The lock is held. */
void solo_remote_mpi_listen(void);
/* Handles what has arrived, unless another thread does. */
void solo_remote_mpi_poll(void);
/* Of the transport (remote_transport.h). */
void solo_remote_mpi_post(solo_remote_channel *c, uint32_t bytes);
int solo_remote_mpi_take(solo_remote_channel *c, void *buffer);
void solo_remote_mpi_complete(solo_remote_channel *c, uint64_t count);
void solo_remote_mpi_end(solo_remote_link *link);
/* Sends an answer of bytes to the program. The lock is held. */
void solo_remote_mpi_answer(const mpi_answer *answer, size_t bytes);
/* What the queues have put off while they do what takes long. */
void solo_remote_mpi_answer_for_others(mpi_link *l);
/* Tells the program how far the channel is; from the thread whose channel it is. */
void solo_remote_mpi_answer_channel(solo_remote_channel *c);

/* --- gifts (remote_mpi_gift.c) ---------------------------------------------------------------- */

/* The program's half and the server's, of the transport. */
int solo_remote_mpi_give(solo_remote_link *link, const solo_remote_gift *gift);
int solo_remote_mpi_next_gift(solo_remote_channel *c, uint64_t ticket, solo_remote_gift *out);
/* The bytes that the channel's message offered are wanted; nonzero: it offered none. The lock is held. */
int solo_remote_mpi_send_offered(mpi_link *l, uint32_t number, uint64_t ticket);
/* What the program told; l NULL: after the session; nonzero: it makes no sense. The lock is held. */
int solo_remote_mpi_take_gift(mpi_link *l, const void *message, int bytes);
/* Who waits for a gift of the channel (UINT32_MAX: of any) is told that none comes. The lock is held. */
void solo_remote_mpi_drop_gifts(mpi_link *l, uint32_t channel);

/* --- links (remote_mpi_link.c) ---------------------------------------------------------------- */

/* Its memory and table; NULL: no memory. */
mpi_link *solo_remote_mpi_make_link(int rank, uint32_t session);
void solo_remote_mpi_free_memory(mpi_link *l);
/* Of the transport, for near links, too. */
int solo_remote_mpi_is_alive(solo_remote_link *link);
void solo_remote_mpi_close(solo_remote_link *link);
/* A server's: bytes from or to another one. Returns as the transport's move. */
int solo_remote_mpi_move_between(solo_remote_channel *c, const solo_remote_move *m);

/* --- near links (remote_mpi_near.c) ----------------------------------------------------------- */

/* The program's: maps a memory file into *out and says in *open where it is, for a rank of its own machine. Returns
 * the file, which the caller closes; -1: there is none, and nothing in *out. */
int solo_remote_mpi_offer_file(int rank, solo_remote_link *out, mpi_open *open);
/* The link has the memory that is mapped in the other from now on. Nobody uses the link yet, or the lock is held. */
void solo_remote_mpi_share(mpi_link *l, const solo_remote_link *mapped);
/* A server's: takes what is offered. Nothing happens where that is not possible. */
void solo_remote_mpi_take_offer(mpi_link *l, const mpi_open *open);

/* --- waiting (remote_mpi_wait.c) -------------------------------------------------------------- */

/* Between two looks of who has waited for ns: lets others run. */
void solo_remote_mpi_pause(solo_remote_channel *c, uint64_t ns);
void solo_remote_mpi_await(solo_remote_channel *c, uint64_t count, uint64_t timeout_ns);

/* Something has come or gone on the channel: more is likely to come soon. */
SOLO_INLINE void solo_remote_mpi_stir(mpi_channel *m) {
  solo_store_relaxed(&m->quiet_since_ns, 0); /* a hint for who waits */
}

#endif
