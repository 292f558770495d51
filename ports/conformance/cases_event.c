#include "ports/conformance/conformance.h"

#include <string.h>

enum { SLOW_NS = 20 * 1000 * 1000 };

static void launch_slow(solo_bqueue *queue, solo_devptr cell, uint64_t value) {
  conf_launch(queue, conf.slow, 4, UINT64_C(0), cell, (uint64_t)SLOW_NS, value);
}

static void unrecorded(void) {
  conf_open();
  solo_bqueue *queue = conf_queue();
  solo_bevent *event = conf_event();
  int done = 0;
  CONF_OK(conf.b->event_query(event, &done));
  CONF_EQUAL(done, 1);
  CONF_OK(conf.b->event_wait(event));
  CONF_OK(conf.b->queue_wait_event(queue, event));
  conf_queue_done(queue);
  conf.b->event_close(conf.device, event);
  conf_close();
}

/* An event is pending until all earlier work is complete. Then the results are visible. */
static void wait(void) {
  conf_open();
  solo_devptr x = conf_cell(0);
  solo_bqueue *queue = conf_queue();
  solo_bevent *event = conf_event();
  int pending = 0;
  for (uint64_t n = 1; n <= 4; n++) {
    uint64_t seen = 0;
    int done = 7;
    launch_slow(queue, x, n);
    CONF_OK(conf.b->event_record(queue, event));
    CONF_OK(conf.b->event_query(event, &done));
    pending += done == 0;
    CONF_OK(conf.b->queue_copy(queue, conf_host(&seen), x, 8, SOLO_COPY_OUT));
    CONF_OK(conf.b->event_record(queue, event));
    CONF_OK(conf.b->event_wait(event));
    CONF_EQUAL(seen, n);
    CONF_OK(conf.b->event_query(event, &done));
    CONF_EQUAL(done, 1);
  }
  /* even on a busy machine, at least one query precedes the end of the work */
  CONF_CHECK(pending > 0 || !conf_is_asynchronous());
  conf_queue_done(queue);
  conf.b->event_close(conf.device, event);
  conf_free(x);
  conf_close();
}

/* event_query makes progress without event_wait. */
static void query(void) {
  conf_open();
  solo_devptr x = conf_cell(0);
  solo_bqueue *queue = conf_queue();
  solo_bevent *event = conf_event();
  uint64_t seen = 0;
  int done = 0;
  launch_slow(queue, x, 6);
  CONF_OK(conf.b->queue_copy(queue, conf_host(&seen), x, 8, SOLO_COPY_OUT));
  CONF_OK(conf.b->event_record(queue, event));
  while (!done) CONF_OK(conf.b->event_query(event, &done));
  CONF_EQUAL(seen, 6);
  conf_queue_done(queue);
  conf.b->event_close(conf.device, event);
  conf_free(x);
  conf_close();
}

/* Returns whether the earlier event was reached before the later one. */
static int is_reached_first(void) {
  solo_devptr x = conf_cell(0), y = conf_cell(0);
  solo_bqueue *queue = conf_queue();
  solo_bevent *early = conf_event(), *late = conf_event();
  int done = 7;
  launch_slow(queue, x, 1);
  CONF_OK(conf.b->event_record(queue, early));
  conf_launch(queue, conf.slow, 4, UINT64_C(0), y, 10 * (uint64_t)SLOW_NS, UINT64_C(2));
  CONF_OK(conf.b->event_record(queue, late));
  for (int n = 0; n < 5; n++) launch_slow(queue, y, 3);
  uint64_t start = solo_now_ns();
  CONF_OK(conf.b->event_wait(early));
  uint64_t early_ns = solo_now_ns() - start;
  CONF_OK(conf.b->event_query(late, &done));
  CONF_EQUAL(conf_value(x), 1);
  CONF_OK(conf.b->event_wait(late));
  uint64_t late_ns = solo_now_ns() - start;
  conf_queue_done(queue);
  CONF_EQUAL(conf_value(y), 3);
  conf.b->event_close(conf.device, early);
  conf.b->event_close(conf.device, late);
  conf_free(x);
  conf_free(y);
  return !done && 2 * early_ns < late_ns;
}

/* An event is reached before later work of its queue. Several attempts, because on a busy machine
 * the waiting thread may continue late. */
static void partial(void) {
  enum { TIMES = 10 };
  conf_open();
  if (!conf_is_asynchronous()) conf_skip("synchronous device");
  int reached = 0;
  for (int n = 0; n < TIMES && !reached; n++) reached = is_reached_first();
  CONF_CHECK(reached);
  conf_close();
}

/* queue_wait_event orders queues without blocking the host. */
static void cross(void) {
  conf_open();
  solo_devptr x = conf_cell(0), y = conf_cell(0);
  solo_bqueue *first = conf_queue(), *second = conf_queue();
  solo_bevent *event = conf_event();
  uint64_t quickest = UINT64_MAX;
  for (uint64_t n = 1; n <= 4; n++) {
    launch_slow(first, x, n);
    CONF_OK(conf.b->event_record(first, event));
    uint64_t start = solo_now_ns();
    CONF_OK(conf.b->queue_wait_event(second, event));
    uint64_t ns = solo_now_ns() - start;
    if (ns < quickest) quickest = ns;
    CONF_OK(conf.b->queue_copy(second, y, x, 8, SOLO_COPY_WITHIN));
    CONF_OK(conf.b->queue_sync(second));
    CONF_EQUAL(conf_value(y), n);
  }
  CONF_CHECK(quickest < SLOW_NS / 2 || !conf_is_asynchronous());
  conf_queue_done(first);
  conf_queue_done(second);
  conf.b->event_close(conf.device, event);
  conf_free(x);
  conf_free(y);
  conf_close();
}

/* A second record does not affect a queue that already waits for the event. */
static void rerecord(void) {
  conf_open();
  solo_devptr x = conf_cell(0), y = conf_cell(0), z = conf_cell(0);
  solo_bqueue *slow = conf_queue(), *quick = conf_queue(), *third = conf_queue();
  solo_bevent *event = conf_event();
  launch_slow(slow, x, 1);
  CONF_OK(conf.b->event_record(slow, event));
  CONF_OK(conf.b->queue_wait_event(third, event));
  CONF_OK(conf.b->queue_copy(third, y, x, 8, SOLO_COPY_WITHIN));
  conf_launch(quick, conf.affine, 4, UINT64_C(0), z, UINT64_C(0), UINT64_C(3));
  CONF_OK(conf.b->event_record(quick, event));
  CONF_OK(conf.b->event_wait(event));
  CONF_EQUAL(conf_value(z), 3);
  CONF_OK(conf.b->queue_sync(third));
  CONF_EQUAL(conf_value(y), 1);
  conf_queue_done(slow);
  conf_queue_done(quick);
  conf_queue_done(third);
  conf.b->event_close(conf.device, event);
  conf_free(x);
  conf_free(y);
  conf_free(z);
  conf_close();
}

/* An event may be closed while a queue waits for it. */
static void close_early(void) {
  conf_open();
  solo_devptr x = conf_cell(0), y = conf_cell(0);
  solo_bqueue *first = conf_queue(), *second = conf_queue();
  for (uint64_t n = 1; n <= 3; n++) {
    solo_bevent *event = conf_event();
    launch_slow(first, x, n);
    CONF_OK(conf.b->event_record(first, event));
    CONF_OK(conf.b->queue_wait_event(second, event));
    conf.b->event_close(conf.device, event);
    solo_bevent *others[16]; /* one of these may reuse the closed event's memory */
    for (int i = 0; i < 16; i++) others[i] = conf_event();
    for (int i = 0; i < 16; i++) CONF_OK(conf.b->event_record(second, others[i]));
    CONF_OK(conf.b->queue_copy(second, y, x, 8, SOLO_COPY_WITHIN));
    for (int i = 0; i < 16; i++) conf.b->event_close(conf.device, others[i]);
    CONF_OK(conf.b->queue_sync(second));
    CONF_EQUAL(conf_value(y), n);
  }
  conf_queue_done(first);
  conf_queue_done(second);
  conf_free(x);
  conf_free(y);
  conf_close();
}

/* An event stays reached after its queue is closed and the queue's memory is reused. */
static void queue_closed(void) {
  conf_open();
  solo_devptr x = conf_cell(0);
  solo_bqueue *queue = conf_queue(), *other = conf_queue();
  solo_bevent *event = conf_event();
  int done = 0;
  launch_slow(queue, x, 1);
  CONF_OK(conf.b->event_record(queue, event));
  conf_queue_done(queue);
  CONF_OK(conf.b->event_query(event, &done));
  CONF_EQUAL(done, 1);
  CONF_OK(conf.b->event_wait(event));
  CONF_OK(conf.b->queue_wait_event(other, event));
  CONF_OK(conf.b->queue_sync(other));
  queue = conf_queue();
  launch_slow(queue, x, 2);
  CONF_OK(conf.b->event_query(event, &done));
  CONF_EQUAL(done, 1);
  conf_queue_done(queue);
  conf_queue_done(other);
  conf.b->event_close(conf.device, event);
  conf_free(x);
  conf_close();
}

enum { QUEUES = 4, CELLS = 6, EVENTS = 8, STEPS = 150 };

typedef struct graph {
  uint64_t random;
  solo_bqueue *queues[QUEUES];
  solo_bevent *events[EVENTS];
  solo_devptr cells[CELLS];
  uint64_t want[CELLS];
  int user[CELLS];
} graph;

/* Orders `queue` after the last queue that used the cell. */
static void use_cell(graph *g, int queue, int cell) {
  int last = g->user[cell];
  g->user[cell] = queue;
  if (last < 0 || last == queue) return;
  uint64_t choice = conf_random(&g->random);
  solo_bevent **slot = &g->events[choice % EVENTS];
  CONF_OK(conf.b->event_record(g->queues[last], *slot));
  CONF_OK(conf.b->queue_wait_event(g->queues[queue], *slot));
  if (choice >> 32 & 3) return;
  conf.b->event_close(conf.device, *slot);
  *slot = conf_event();
}

static void step(graph *g) {
  uint64_t choice = conf_random(&g->random);
  int queue = (int)(choice % QUEUES), cell = (int)(choice / 64 % CELLS);
  int source = (int)(choice / 4096 % CELLS);
  use_cell(g, queue, cell);
  if (choice >> 40 & 1 && source != cell) {
    use_cell(g, queue, source);
    CONF_OK(conf.b->queue_copy(g->queues[queue], g->cells[cell], g->cells[source], 8,
                               SOLO_COPY_WITHIN));
    g->want[cell] = g->want[source];
    return;
  }
  uint64_t mul = choice | 1, add = choice >> 7;
  conf_launch(g->queues[queue], conf.affine, 4, UINT64_C(0), g->cells[cell], mul, add);
  g->want[cell] = g->want[cell] * mul + add;
}

static void run_graph(uint64_t seed) {
  graph g = {.random = seed};
  for (int n = 0; n < QUEUES; n++) g.queues[n] = conf_queue();
  for (int n = 0; n < EVENTS; n++) g.events[n] = conf_event();
  for (int n = 0; n < CELLS; n++) {
    g.want[n] = (uint64_t)n;
    g.cells[n] = conf_cell((uint64_t)n);
    g.user[n] = -1;
  }
  for (int n = 0; n < STEPS; n++) step(&g);
  for (int n = 0; n < QUEUES; n++) conf_queue_done(g.queues[(seed + (uint64_t)n) % QUEUES]);
  for (int n = 0; n < CELLS; n++) {
    CONF_EQUAL(conf_value(g.cells[n]), g.want[n]);
    conf_free(g.cells[n]);
  }
  for (int n = 0; n < EVENTS; n++) conf.b->event_close(conf.device, g.events[n]);
}

static void graphs(void) {
  conf_open();
  for (uint64_t seed = 1; seed <= 20; seed++) run_graph(seed * 0x9e3779b97f4a7c15);
  conf_close();
}

const conf_case conf_cases_event[] = {
    {"event/unrecorded", unrecorded, 0},
    {"event/wait", wait, 0},
    {"event/query", query, 0},
    {"event/partial", partial, 0},
    {"event/cross", cross, 0},
    {"event/rerecord", rerecord, 0},
    {"event/close_early", close_early, 0},
    {"event/queue_closed", queue_closed, 0},
    {"event/graph", graphs, 0},
    {0},
};
