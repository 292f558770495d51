/* What profile_record.c records and profile_write.c writes.
 *
 *   threads -> thread -> thread ...        pushed by CAS, never taken out
 *                 |
 *               chunk -> chunk ...         the owner appends; count and next are published
 *
 * Ownership: all of it stays until the process ends. Threads: a thread's chunks are written by it
 * alone; the writer reads what count says.
 */
#ifndef SOLO_PROFILE_PRIVATE_H
#define SOLO_PROFILE_PRIVATE_H

#include "runtime/trace/profile.h"

#ifndef SOLO_PROFILE_CHUNKS /* tests fill them */
#define SOLO_PROFILE_CHUNKS 8192
#endif

enum {
  PROFILE_RECORDS = 128,                     /* per chunk */
  PROFILE_CHUNKS_MOST = SOLO_PROFILE_CHUNKS, /* of all threads: a million events, 80 MB */
  PROFILE_TEXTS_MOST = 8192,                 /* different names and locations */
  PROFILE_TEXT_BYTES = 4096,                 /* of a longer one the beginning is kept */
  PROFILE_PROCESSES_MOST = 1024,             /* others that tell of work */
  PROFILE_FIRST_PROCESS = 1 << 22,           /* larger than any real one's number */
};

typedef struct profile_record {
  uint64_t begin_ns, end_ns, bytes, to, from;
  const char *name, *where; /* of the table of texts */
  uint32_t teams, threads;
  uint32_t queue;          /* of work, as the next */
  uint32_t clock_error_us; /* what begin and end may be wrong by */
  int16_t device;
  uint8_t kind, status;
  uint8_t is_work; /* of another process: where says which */
} profile_record;

typedef struct profile_chunk {
  _Atomic(struct profile_chunk *) next;
  _Atomic uint32_t count;
  profile_record record[PROFILE_RECORDS];
} profile_chunk;

typedef struct profile_thread {
  struct profile_thread *next;
  uint32_t id; /* gettid(2) */
  _Atomic uint64_t dropped;
  profile_chunk *last; /* the owner's */
  _Atomic(profile_chunk *) first;
} profile_thread;

typedef struct profile_state {
  solo_profile_order order;
  char *path; /* absolute */
  int32_t process;
  uint64_t begin_ns, begin_us;                   /* monotonic; since 1970 */
  const char *processes[PROFILE_PROCESSES_MOST]; /* the writer's: where work was done */
  int process_count;
  _Atomic(profile_thread *) threads;
  _Atomic uint64_t dropped; /* of threads without a record of their own */
} profile_state;

/* Writes all there is, once. */
void solo_profile_write(profile_state *profile);

#endif
