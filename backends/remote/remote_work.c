/* The log of the servers' devices for LIBOMPTARGET_PROFILE. Each fetch of records samples the
 * server's clock, so that align() can convert times to the clock of this process
 * (docs/design/remote-protocol.md derives the error bound). */
#include "backends/remote/remote.h"
#include "backends/remote/remote_server_list.h"

#include "runtime/backend_work.h"
#include "runtime/base/log.h"
#include "runtime/base/settings.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  SAMPLES = 8,
  FETCH_AFTER = 4096,
  MOST_RECORDS = 1 << 20, /* per server; more records are dropped */
  LONGEST_NAME = 512,
  /* limits the fetch from a defective server that never reports the end of its log */
  MOST_ANSWERS = 1 << 16,
};

typedef struct clock_sample {
  uint64_t client_ns, server_ns;
  uint64_t error_ns; /* maximum error of client_ns */
} clock_sample;

typedef struct kept_name {
  struct kept_name *next;
  char text[];
} kept_name;

/* Guarded by the server's lock. */
struct solo_remote_log {
  char where[160];
  clock_sample before; /* clock sample of the last fetch */
  int numbers[SOLO_REMOTE_DEVICES];
  kept_name *names;
  uint64_t posted; /* messages since the last fetch */
  solo_device_work *records;
  uint32_t first, last, capacity;
  uint64_t dropped;                /* number of unreported dropped records */
  int has_reported_invalid_record; /* 1: an invalid record was reported */
};

int solo_remote_is_profiled(void) {
  return solo_settings()->profile != NULL;
}

/* Takes several samples and uses the one with the shortest round trip. The caller holds the
 * server's lock. */
static solo_status sample_clock(solo_remote_server *s, clock_sample *out) {
  uint64_t least = UINT64_MAX;
  for (int n = 0; n < SAMPLES; n++) {
    uint64_t server_ns = 0, start = solo_now_ns();
    solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_CLOCK);
    if (m) *m = (solo_remote_plain){.head = m->head, .value = 1};
    SOLO_TRY(solo_remote_call(s, m, &server_ns, sizeof server_ns));
    uint64_t elapsed = solo_now_ns() - start;
    if (elapsed >= least) continue;
    least = elapsed;
    *out = (clock_sample){
        .client_ns = start + elapsed / 2, .server_ns = server_ns, .error_ns = elapsed / 2 + 1};
  }
  return SOLO_OK;
}

#define MOST_DRIFT_NS (INT64_C(1) << 60)

/* Converts server time: interpolates between the samples; outside of them, uses the offset of the
 * nearer sample. */
static uint64_t align(const clock_sample *a, const clock_sample *b, uint64_t server_ns) {
  double span = (double)(int64_t)(b->server_ns - a->server_ns);
  uint64_t first = a->client_ns - a->server_ns;
  int64_t drift = (int64_t)(b->client_ns - b->server_ns - first);
  /* A larger drift is a fault of the server; it is ignored, because it could cause an overflow. */
  if (drift > MOST_DRIFT_NS || drift < -MOST_DRIFT_NS) drift = 0;
  double part = span > 0 ? (double)(int64_t)(server_ns - a->server_ns) / span : 1;
  if (part < 0) part = 0;
  if (part > 1) part = 1;
  return server_ns + first + (uint64_t)(int64_t)((double)drift * part);
}

/* Returns a permanent copy of the name; NULL: no name, or no memory. */
static const char *keep_name(solo_remote_log *log, const char *text, size_t length) {
  if (!length || length > LONGEST_NAME) return NULL;
  for (const kept_name *n = log->names; n; n = n->next)
    if (strncmp(n->text, text, length) == 0 && !n->text[length]) return n->text;
  kept_name *n = calloc(1, sizeof *n + length + 1);
  if (!n) return NULL;
  memcpy(n->text, text, length);
  n->next = log->names;
  log->names = n;
  return n->text;
}

static uint32_t most_records(void) {
#ifdef SOLO_CHECK
  const char *few = getenv("SOLO_TEST_WORK_RECORDS");
  if (few) return (uint32_t)atoi(few);
#endif
  return MOST_RECORDS;
}

/* Returns NULL if the log is full or no memory is left. */
static solo_device_work *next_record(solo_remote_log *log) {
  if (log->first == log->last) log->first = log->last = 0;
  if (log->last == log->capacity) {
    uint32_t capacity = log->capacity ? 2 * log->capacity : 1024, most = most_records();
    if (capacity > most) capacity = most;
    solo_device_work *more =
        capacity > log->capacity ? realloc(log->records, capacity * sizeof *more) : NULL;
    if (!more) return NULL;
    log->records = more;
    log->capacity = capacity;
  }
  return &log->records[log->last++];
}

/* Reports each series of dropped records once. */
static void report_dropped_records(solo_remote_server *s) {
  solo_remote_log *log = s->log;
  if (!log->dropped) return;
  solo_warn("LIBOMPTARGET_PROFILE lacks %llu operations of the devices of %s: at most %u are kept",
            (unsigned long long)log->dropped, s->title, most_records());
  log->dropped = 0;
}

/* read_record() rounds lengths up to 8; they still stay within the answer. */
_Static_assert(SOLO_REMOTE_ANSWER_BYTES % 8 == 0 && sizeof(solo_remote_works) % 8 == 0 &&
                   sizeof(solo_remote_work) % 8 == 0,
               "records lie at multiples of 8");

static int read_record(solo_remote_log *log, const clock_sample *now, const uint8_t **at,
                       const uint8_t *end) {
  solo_remote_work w;
  if ((size_t)(end - *at) < sizeof w) return 1;
  memcpy(&w, *at, sizeof w);
  const char *name = (const char *)(*at + sizeof w);
  if (w.name_bytes > LONGEST_NAME || w.name_bytes > (size_t)(end - *at) - sizeof w ||
      w.device >= SOLO_REMOTE_DEVICES || w.kind >= SOLO_WORK_KINDS || !w.begin_ns ||
      w.end_ns < w.begin_ns || memchr(name, 0, w.name_bytes)) /* a NUL would end the name early */
    return 1;
  *at += (sizeof w + w.name_bytes + 7) & ~(size_t)7;
  solo_device_work *record = next_record(log);
  uint64_t error_ns = log->before.error_ns > now->error_ns ? log->before.error_ns : now->error_ns;
  if (!record)
    log->dropped++;
  else
    *record = (solo_device_work){.kind = (solo_work_kind)w.kind,
                                 .device = log->numbers[w.device],
                                 .queue = w.channel,
                                 .begin_ns = align(&log->before, now, w.begin_ns),
                                 .end_ns = align(&log->before, now, w.end_ns),
                                 .clock_error_ns = error_ns,
                                 .bytes = w.bytes,
                                 .name = keep_name(log, name, w.name_bytes),
                                 .where = log->where};
  return 0;
}

static void fetch(solo_remote_server *s) {
  solo_remote_log *log = s->log;
  clock_sample now;
  log->posted = 0;
  if (sample_clock(s, &now) != SOLO_OK) return;
  solo_remote_works head = {.count = 1};
  for (int n = 0; head.count && n < MOST_ANSWERS; n++) {
    SOLO_ALIGNED(8) uint8_t answer[SOLO_REMOTE_ANSWER_BYTES];
    solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_WORK);
    if (m) *m = (solo_remote_plain){.head = m->head};
    if (solo_remote_call(s, m, answer, sizeof answer) != SOLO_OK) return;
    memcpy(&head, answer, sizeof head);
    if (head.dropped)
      solo_warn("LIBOMPTARGET_PROFILE lacks %u operations of the devices of %s", head.dropped,
                s->title);
    const uint8_t *at = answer + sizeof head, *end = answer + sizeof answer;
    for (uint32_t i = 0; i < head.count; i++)
      if (read_record(log, &now, &at, end)) {
        if (!log->has_reported_invalid_record)
          solo_warn("LIBOMPTARGET_PROFILE: %s sent an invalid record: the profile is incomplete",
                    s->title);
        log->has_reported_invalid_record = 1;
        return;
      }
  }
  log->before = now;
}

void solo_remote_start_log(solo_bdevice *device) {
  solo_remote_server *s = device->server;
  if (SOLO_LIKELY(!solo_remote_is_profiled())) return;
  solo_lock_acquire(&s->lock);
  if (!s->log) s->log = calloc(1, sizeof *s->log);
  if (s->log) {
    s->log->numbers[device->ordinal] = device->number;
    snprintf(s->log->where, sizeof s->log->where, "%s on %s, process %d", s->title,
             s->link->welcome.host, s->link->welcome.process);
    fetch(s); /* samples the clock before this device has records */
  }
  solo_lock_release(&s->lock);
}

void solo_remote_fetch_work(solo_remote_server *s) {
  solo_lock_acquire(&s->lock);
  if (s->log && !solo_remote_is_lost(&s->control)) fetch(s);
  solo_lock_release(&s->lock);
}

void solo_remote_fetch_all_work(void) {
  for (int n = 0; n < solo_remote_server_count(); n++) {
    solo_remote_server *s = solo_remote_server_at(n);
    if (s->link && s->log) solo_remote_fetch_work(s);
  }
}

void solo_remote_fetch_some_work(solo_bqueue *queue) {
  solo_remote_server *s = queue->device->server;
  if (!s->log) return;
  solo_lock_acquire(&s->lock);
  s->log->posted += queue->channel.count - queue->counted;
  queue->counted = queue->channel.count;
  if (s->log->posted >= FETCH_AFTER) fetch(s);
  solo_lock_release(&s->lock);
}

uint32_t solo_remote_device_work(solo_bdevice *device, solo_device_work *out, uint32_t most) {
  solo_remote_server *s = device->server;
  uint32_t count = 0;
  if (!s->log) return 0;
  solo_lock_acquire(&s->lock);
  solo_remote_log *log = s->log;
  if (log->first == log->last && !solo_remote_is_lost(&s->control)) fetch(s);
  while (count < most && log->first != log->last) out[count++] = log->records[log->first++];
  if (!count) report_dropped_records(s);
  solo_lock_release(&s->lock);
  return count;
}
