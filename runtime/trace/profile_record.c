#define _GNU_SOURCE
#include "runtime/trace/profile_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct text {
  const char *key;
  char copy[];
} text;

static profile_state profile;
static _Atomic(text *) *texts; /* hash table by key */
static _Atomic uint32_t chunks;
static _Atomic int is_written;
static _Thread_local profile_thread *own;

static text *new_text(const char *key) {
  size_t length = strnlen(key, PROFILE_TEXT_BYTES);
  text *t = malloc(sizeof *t + length + 1);
  if (!t) return NULL;
  t->key = key;
  memcpy(t->copy, key, length);
  t->copy[length] = 0;
  return t;
}

/* Returns a permanent copy of the string. The library of the original may be unloaded; then another
 * string can have its address. NULL: the table is full. */
static const char *keep(const char *key) {
  enum { PROBES = 64 };
  if (!key) return NULL;
  uint64_t hash = (uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15) >> 32;
  text *made = NULL;
  for (int i = 0; i < PROBES; i++) {
    _Atomic(text *) *slot = &texts[(hash + (unsigned)i) % PROFILE_TEXTS_MOST];
    text *t = solo_load_acquire(slot); /* pairs with the compare-and-swap below */
    if (!t) {
      if (!made && !(made = new_text(key))) return NULL;
      /* Invariant: a published text is complete.
       * Ordering:  pairs with the acquire load above.
       * Otherwise: a thread could compare uninitialised characters.
       */
      if (solo_cas_acq_rel(slot, &t, made)) return made->copy;
    }
    if (t->key == key && strncmp(t->copy, key, PROFILE_TEXT_BYTES) == 0) {
      free(made);
      return t->copy;
    }
  }
  free(made);
  return NULL;
}

static profile_chunk *new_chunk(void) {
  /* relaxed: a budget */
  if (solo_load_relaxed(&chunks) >= PROFILE_CHUNKS_MOST) return NULL;
  solo_add_relaxed(&chunks, 1); /* relaxed: a budget */
  return calloc(1, sizeof(profile_chunk));
}

static profile_thread *this_thread(void) {
  if (own) return own;
  if (solo_load_relaxed(&chunks) >= PROFILE_CHUNKS_MOST) return NULL; /* relaxed: a budget */
  profile_thread *t = calloc(1, sizeof *t);
  if (!t) return NULL;
  t->id = solo_thread_id();
  t->next = solo_load_relaxed(&profile.threads); /* relaxed: the compare-and-swap validates it */
  /* Invariant: a listed thread is initialised.
   * Ordering:  pairs with the acquire load in solo_profile_write().
   * Otherwise: the writer could read an uninitialised pointer.
   */
  while (!solo_cas_release(&profile.threads, &t->next, t)) {
  }
  return own = t;
}

static profile_record *next_record(profile_thread *t) {
  profile_chunk *chunk = t->last;
  /* relaxed: this thread stores it */
  if (chunk && solo_load_relaxed(&chunk->count) < PROFILE_RECORDS)
    return &chunk->record[solo_load_relaxed(&chunk->count)];
  profile_chunk *made = new_chunk();
  if (!made) return NULL;
  if (chunk)
    solo_store_release(&chunk->next, made); /* the chunk is zeroed; pairs with put_thread */
  else
    solo_store_release(&t->first, made); /* the chunk is zeroed; pairs with put_thread */
  t->last = made;
  return &made->record[0];
}

static uint32_t to_us(uint64_t ns) {
  uint64_t us = ns / 1000 + (ns % 1000 != 0);
  return us < UINT32_MAX ? (uint32_t)us : UINT32_MAX;
}

/* server: the process that did the work; NULL: this process. */
static void record(const solo_trace_event *e, const char *server, uint32_t queue) {
  if (e->end_ns - e->begin_ns < (uint64_t)profile.order.granularity_us * 1000) return;
  profile_thread *t = this_thread();
  profile_record *r = t ? next_record(t) : NULL;
  if (!r) {
    solo_add_relaxed(t ? &t->dropped : &profile.dropped, 1); /* relaxed: a count */
    return;
  }
  *r = (profile_record){.begin_ns = e->begin_ns,
                        .end_ns = e->end_ns,
                        .bytes = e->bytes,
                        .to = e->to,
                        .from = e->from,
                        .name = keep(e->name),
                        .where = keep(server ? server : e->where),
                        .is_work = server != NULL,
                        .teams = e->teams,
                        .threads = e->threads,
                        .queue = queue,
                        .clock_error_us = to_us(e->clock_error_ns),
                        .device = (int16_t)e->device,
                        .kind = (uint8_t)e->kind,
                        .status = (uint8_t)e->status};
  /* Invariant: the first count records are complete.
   * Ordering:  pairs with the acquire load in put_thread().
   * Otherwise: the file could contain partial records.
   */
  solo_add_release(&t->last->count, 1);
}

static void reported(const solo_trace_event *e) {
  if (e->status == SOLO_DISABLED) return;
  if (e->kind == SOLO_TRACE_NEW || e->kind == SOLO_TRACE_DELETE) return;
  record(e, NULL, 0);
}

static void worked(const solo_trace_event *e, const char *where, uint32_t queue) {
  record(e, where, queue);
}

static void finish(void) {
  if (profile.path && profile.order.collect && getpid() == profile.process) profile.order.collect();
  /* relaxed: only decides which call writes the file */
  if (!profile.path || solo_exchange_relaxed(&is_written, 1)) return;
  if (getpid() == profile.process) solo_profile_write(&profile);
}

/* Priority 101 makes this the last destructor. Other destructors and atexit(3) functions may use
 * devices. */
__attribute__((destructor(101))) static void at_end(void) {
  finish();
}

/* Creates the file at the start, so that a failure is reported early. Returns an absolute path,
 * because programs change their directory. */
static char *claim_file(const solo_profile_order *order) {
  FILE *file = fopen(order->path, "w");
  char *path = file ? realpath(order->path, NULL) : NULL;
  if (!path)
    order->warn("LIBOMPTARGET_PROFILE=%s cannot be written (%s): there will be no profile",
                order->path, strerror(errno));
  if (file) fclose(file);
  return path;
}

const solo_observer *solo_profile_start(const solo_profile_order *order) {
  static const solo_observer observer = {.reported = reported, .finish = finish, .worked = worked};
  texts = calloc(PROFILE_TEXTS_MOST, sizeof *texts);
  char *path = texts ? claim_file(order) : NULL;
  if (!path) {
    free(texts);
    texts = NULL;
    return NULL;
  }
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  profile.order = *order;
  if (order->granularity_us < 0) profile.order.granularity_us = 0;
  profile.process = getpid();
  profile.begin_us = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
  profile.begin_ns = solo_now_ns();
  profile.path = path;
  return &observer;
}
