/* Events of all threads: profile_record.c appends, profile_write.c reads. The memory is never
 * freed.
 *
 *   threads -> thread -> thread    added by compare-and-swap, never removed
 *                |
 *              chunk -> chunk      appended by the owner
 */
#ifndef SOLO_PROFILE_PRIVATE_H
#define SOLO_PROFILE_PRIVATE_H

#include "runtime/trace/profile.h"

#ifndef SOLO_PROFILE_CHUNKS
#define SOLO_PROFILE_CHUNKS 8192
#endif

enum {
  PROFILE_RECORDS = 128,
  PROFILE_CHUNKS_MOST = SOLO_PROFILE_CHUNKS, /* a million events, or 80 MB */
  PROFILE_TEXTS_MOST = 8192,
  PROFILE_TEXT_BYTES = 4096,
  PROFILE_PROCESSES_MOST = 1024,
  PROFILE_FIRST_PROCESS = 1 << 22,
};

typedef struct profile_record {
  uint64_t begin_ns, end_ns, bytes, to, from;
  const char *name, *where;
  uint32_t teams, threads;
  uint32_t queue;
  uint32_t clock_error_us;
  int16_t device;
  uint8_t kind, status;
  uint8_t is_work; /* nonzero: the process `where` did the work */
} profile_record;

typedef struct profile_chunk {
  _Atomic(struct profile_chunk *) next;
  _Atomic uint32_t count;
  profile_record record[PROFILE_RECORDS];
} profile_chunk;

typedef struct profile_thread {
  struct profile_thread *next;
  uint32_t id;
  _Atomic uint64_t dropped;
  profile_chunk *last;
  _Atomic(profile_chunk *) first;
} profile_thread;

typedef struct profile_state {
  solo_profile_order order;
  char *path;
  int32_t process;
  uint64_t begin_ns, begin_us; /* CLOCK_MONOTONIC; microseconds since 1970 */
  const char *processes[PROFILE_PROCESSES_MOST];
  int process_count;
  _Atomic(profile_thread *) threads;
  _Atomic uint64_t dropped;
} profile_state;

void solo_profile_write(profile_state *profile);

#endif
