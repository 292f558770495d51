/* The log of a client's devices. Threads of queues append records; the control thread sends them. */
#define _GNU_SOURCE
#include "backends/remote/server/server.h"

#include "runtime/backend_work.h"
#include <stdlib.h>
#include <string.h>

enum { LOG_RECORDS = 16384, LONGEST_NAME = 512 };

typedef struct log_record {
  uint64_t begin_ns, end_ns, bytes;
  const char *name;
  uint32_t device, channel, kind;
} log_record;

typedef struct name {
  struct name *next;
  char text[];
} name;

struct server_log {
  name *names;
  solo_lock lock; /* guards the following members */
  uint64_t first, last;
  uint32_t dropped;
  log_record records[LOG_RECORDS];
};

uint64_t server_now(void) {
#ifdef SOLO_CHECK
  const char *skew = getenv("SOLO_TEST_CLOCK_MS"); /* for tests: a clock with an offset */
  if (skew) return solo_now_ns() + (uint64_t)atoll(skew) * 1000000u;
#endif
  return solo_now_ns();
}

void server_start_log(server_client *c) {
  if (solo_load_relaxed(&c->log)) return; /* relaxed: no other writer */
  server_log *log = calloc(1, sizeof *log);
  if (!log) return;
  solo_lock_init(&log->lock, SOLO_RANK_LEAF);
  solo_store_release(&c->log, log); /* pairs with server_begin_work() */
}

void server_free_log(server_client *c) {
  server_log *log = solo_load_relaxed(&c->log); /* the queues have ended */
  while (log && log->names) {
    name *n = log->names;
    log->names = n->next;
    free(n);
  }
  free(log);
}

const char *server_log_name(server_client *c, const char *text) {
  server_log *log = solo_load_relaxed(&c->log); /* relaxed: no other writer */
  size_t length = strnlen(text, LONGEST_NAME);
  if (!log) return NULL;
  for (const name *n = log->names; n; n = n->next)
    if (strncmp(n->text, text, LONGEST_NAME) == 0) return n->text;
  name *n = calloc(1, sizeof *n + length + 1);
  if (!n) return NULL;
  memcpy(n->text, text, length);
  n->next = log->names;
  log->names = n;
  return n->text;
}

static int describe(const server_queue *q, const solo_remote_head *m, server_work *out) {
  const void *message = m;
  const solo_remote_copy *copy = message;
  const solo_remote_between *between = message;
  const solo_remote_launch *launch = message;
  static const uint8_t kinds[] = {[SOLO_COPY_IN] = SOLO_WORK_COPY_IN,
                                  [SOLO_COPY_OUT] = SOLO_WORK_COPY_OUT,
                                  [SOLO_COPY_WITHIN] = SOLO_WORK_COPY_WITHIN};
  switch (m->kind) {
  case SOLO_REMOTE_LAUNCH: {
    const server_kernel *kernel =
        launch->kernel < SOLO_REMOTE_KERNELS ? server_kernel_of(q, launch->kernel) : NULL;
    *out = (server_work){.kind = SOLO_WORK_KERNEL, .name = kernel ? kernel->name : NULL};
    return m->bytes >= sizeof *launch;
  }
  case SOLO_REMOTE_COPY:
  case SOLO_REMOTE_COPY_PEER:
    if (m->bytes < sizeof *copy || copy->direction >= sizeof kinds) return 0;
    *out = (server_work){.kind = kinds[copy->direction], .bytes = copy->bytes};
    return 1;
  case SOLO_REMOTE_FILL:
    *out = (server_work){.kind = SOLO_WORK_FILL, .bytes = copy->bytes};
    return m->bytes >= sizeof *copy;
  case SOLO_REMOTE_SEND_TO:
  case SOLO_REMOTE_RECEIVE_FROM:
  case SOLO_REMOTE_RECEIVE_FORWARDED:
    *out = (server_work){.kind = SOLO_WORK_COPY_WITHIN, .bytes = between->bytes};
    return m->bytes >= sizeof *between;
  default:
    return 0;
  }
}

void server_begin_work(const server_queue *q, const solo_remote_head *m, server_work *out) {
  out->begin_ns = 0;
  if (SOLO_LIKELY(!solo_load_acquire(&q->client->log))) return; /* pairs with server_start_log() */
  if (!describe(q, m, out)) return;
  out->begin_ns = server_now();
}

void server_set_forwarded_kind(const server_queue *q, server_work *work) {
  work->kind = q->has_requested ? SOLO_WORK_COPY_IN : SOLO_WORK_COPY_WITHIN;
}

void server_end_work(server_queue *q, const server_work *work) {
  if (!work->begin_ns) return;
  server_log *log = solo_load_acquire(&q->client->log); /* pairs with server_start_log() */
  uint64_t begin = work->begin_ns > q->worked_until ? work->begin_ns : q->worked_until;
  q->worked_until = server_now();
  solo_lock_acquire(&log->lock);
  if (log->last - log->first == LOG_RECORDS)
    log->dropped++;
  else
    log->records[log->last++ % LOG_RECORDS] = (log_record){.begin_ns = begin,
                                                           .end_ns = q->worked_until,
                                                           .bytes = work->bytes,
                                                           .name = work->name,
                                                           .device = q->number,
                                                           .channel = q->channel.number,
                                                           .kind = work->kind};
  solo_lock_release(&log->lock);
}

static size_t write_record(const log_record *r, uint8_t *out, size_t size_left) {
  size_t length = r->name ? strlen(r->name) : 0;
  size_t size = (sizeof(solo_remote_work) + length + 7) & ~(size_t)7;
  if (size > size_left) return 0;
  const solo_remote_work w = {.begin_ns = r->begin_ns,
                              .end_ns = r->end_ns,
                              .bytes = r->bytes,
                              .device = r->device,
                              .channel = r->channel,
                              .kind = r->kind,
                              .name_bytes = (uint32_t)length};
  memcpy(out, &w, sizeof w);
  if (length) memcpy(out + sizeof w, r->name, length);
  return size;
}

void server_write_log(server_client *c, uint8_t *answer) {
  solo_remote_works head = {.now_ns = server_now()};
  server_log *log = solo_load_relaxed(&c->log); /* relaxed: no other writer */
  size_t used = sizeof head;
  if (log) {
    solo_lock_acquire(&log->lock);
    for (; log->first != log->last; log->first++, head.count++) {
      size_t size = write_record(&log->records[log->first % LOG_RECORDS], answer + used,
                                 SOLO_REMOTE_ANSWER_BYTES - used);
      if (!size) break;
      used += size;
    }
    head.dropped = log->dropped;
    log->dropped = 0;
    solo_lock_release(&log->lock);
  }
  memcpy(answer, &head, sizeof head);
}
