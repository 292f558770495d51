#include "ports/conformance/conformance.h"

#include <stdlib.h>
#include <string.h>

enum { SLOW_NS = 20 * 1000 * 1000 };

/* The order is preserved for more operations than a ring can contain. */
static void order(void) {
  conf_open();
  solo_devptr x = conf_cell(1), y = conf_cell(0);
  solo_bqueue *queue = conf_queue();
  uint64_t want = 1, random = 99;
  for (int n = 0; n < 1500; n++) {
    uint64_t mul = conf_random(&random) | 1, add = conf_random(&random);
    conf_launch(queue, conf.affine, 4, UINT64_C(0), x, mul, add);
    want = want * mul + add;
    if (n % 5) continue;
    CONF_OK(conf.b->queue_copy(queue, y, x, 8, SOLO_COPY_WITHIN));
    conf_launch(queue, conf.affine, 4, UINT64_C(0), x, UINT64_C(0), UINT64_C(17));
    CONF_OK(conf.b->queue_copy(queue, x, y, 8, SOLO_COPY_WITHIN));
  }
  conf_queue_done(queue);
  CONF_EQUAL(conf_value(x), want);
  conf_free(x);
  conf_free(y);
  conf_close();
}

static void sync(void) {
  conf_open();
  solo_devptr x = conf_cell(0);
  solo_bqueue *queue = conf_queue();
  CONF_OK(conf.b->queue_sync(queue));
  for (uint64_t n = 1; n <= 5; n++) {
    uint64_t seen = 0;
    conf_launch(queue, conf.slow, 4, UINT64_C(0), x, (uint64_t)SLOW_NS / 4, n);
    CONF_OK(conf.b->queue_copy(queue, conf_host(&seen), x, 8, SOLO_COPY_OUT));
    CONF_OK(conf.b->queue_sync(queue));
    CONF_EQUAL(seen, n);
    conf_launch(queue, conf.slow, 4, UINT64_C(0), x, (uint64_t)SLOW_NS, 100 + n);
    CONF_OK(conf.b->queue_sync(queue));
    CONF_EQUAL(conf_value(x), 100 + n);
  }
  CONF_OK(conf.b->queue_sync(queue));
  conf_queue_done(queue);
  conf_free(x);
  conf_close();
}

static void independent(void) {
  conf_open();
  if (!conf_is_asynchronous()) conf_skip("synchronous device");
  solo_devptr x = conf_cell(0), y = conf_cell(0);
  solo_bqueue *busy = conf_queue(), *free_one = conf_queue();
  solo_bevent *event = conf_event();
  int done = 1;
  CONF_CHECK(busy != free_one);
  conf_launch(busy, conf.slow, 4, UINT64_C(0), x, 15 * (uint64_t)SLOW_NS, UINT64_C(1));
  CONF_OK(conf.b->event_record(busy, event));
  conf_launch(free_one, conf.affine, 4, UINT64_C(0), y, UINT64_C(0), UINT64_C(8));
  CONF_OK(conf.b->queue_sync(free_one));
  CONF_OK(conf.b->event_query(event, &done));
  CONF_EQUAL(done, 0);
  CONF_EQUAL(conf_value(y), 8);
  conf_queue_done(busy);
  conf_queue_done(free_one);
  CONF_EQUAL(conf_value(x), 1);
  conf.b->event_close(conf.device, event);
  conf_free(x);
  conf_free(y);
  conf_close();
}

static void many(void) {
  enum { N = 24 };
  conf_open();
  for (int round = 0; round < 3; round++) {
    solo_bqueue *queues[N];
    solo_devptr cells[N];
    for (int n = 0; n < N; n++) {
      queues[n] = conf_queue();
      cells[n] = conf_cell((uint64_t)n);
      conf_launch(queues[n], conf.affine, 4, UINT64_C(0), cells[n], UINT64_C(3), UINT64_C(1));
    }
    for (int n = 0; n < N; n++) {
      conf_queue_done(queues[n]);
      CONF_EQUAL(conf_value(cells[n]), 3 * n + 1);
      conf_free(cells[n]);
    }
  }
  conf_close();
}

static void copy_box(void) {
  enum { DST = 4096, SRC = 4096 };
  static const solo_copy_box boxes[] = {
      {.row_bytes = 5,
       .rows = 4,
       .slices = 3,
       .dst_row_pitch = 11,
       .dst_slice_pitch = 100,
       .src_row_pitch = 7,
       .src_slice_pitch = 50},
      {.row_bytes = 16,
       .rows = 8,
       .slices = 1,
       .dst_row_pitch = 16,
       .dst_slice_pitch = 128,
       .src_row_pitch = 64,
       .src_slice_pitch = 512},
      {.row_bytes = 32,
       .rows = 4,
       .slices = 4,
       .dst_row_pitch = 32,
       .dst_slice_pitch = 128,
       .src_row_pitch = 32,
       .src_slice_pitch = 128},
      {.row_bytes = 8,
       .rows = 4,
       .slices = 4,
       .dst_row_pitch = 8,
       .dst_slice_pitch = 40,
       .src_row_pitch = 8,
       .src_slice_pitch = 32},
  };
  conf_open();
  uint8_t in[SRC], want[DST], out[DST];
  solo_devptr a = conf_alloc(SRC), b = conf_alloc(DST);
  solo_bqueue *queue = conf_queue();
  for (int n = 0; n < 4; n++) {
    const solo_copy_box *box = &boxes[n];
    for (size_t i = 0; i < SRC; i++) in[i] = (uint8_t)(i * 7 + (size_t)n);
    memset(want, 0xee, DST);
    CONF_OK(conf.b->queue_copy(queue, b, conf_host(want), DST, SOLO_COPY_IN));
    CONF_OK(
        solo_backend_queue_copy_box(conf.b, queue, a + 3, conf_host(in + 1), box, SOLO_COPY_IN));
    solo_copy_box within = *box;
    within.src_row_pitch = box->dst_row_pitch;
    within.src_slice_pitch = box->dst_slice_pitch;
    CONF_OK(solo_backend_queue_copy_box(conf.b, queue, b + 9, a + 3, &within, SOLO_COPY_WITHIN));
    CONF_OK(conf.b->queue_copy(queue, conf_host(out), b, DST, SOLO_COPY_OUT));
    CONF_OK(conf.b->queue_sync(queue));
    for (uint64_t s = 0; s < box->slices; s++)
      for (uint64_t r = 0; r < box->rows; r++)
        memcpy(want + 9 + s * box->dst_slice_pitch + r * box->dst_row_pitch,
               in + 1 + s * box->src_slice_pitch + r * box->src_row_pitch, box->row_bytes);
    CONF_CHECK(memcmp(out, want, DST) == 0);
  }
  conf_queue_done(queue);
  conf_free(a);
  conf_free(b);
  conf_close();
}

static void fill(void) {
  enum { SPACE = 50000 };
  static const size_t sizes[] = {1, 5, 4096, 4097, 40000};
  conf_open();
  uint8_t *want = malloc(SPACE), *out = malloc(SPACE);
  CONF_MUST(want && out);
  solo_devptr block = conf_alloc(SPACE);
  solo_bqueue *queue = conf_queue();
  memset(want, 0x11, SPACE);
  CONF_OK(conf.b->queue_copy(queue, block, conf_host(want), SPACE, SOLO_COPY_IN));
  CONF_OK(conf.b->queue_sync(queue));
  for (int n = 0; n < 5; n++) {
    CONF_OK(solo_backend_queue_fill(conf.b, queue, block + 3, 0x1200 + 0x40 + n, sizes[n]));
    CONF_OK(conf.b->queue_copy(queue, conf_host(out), block, SPACE, SOLO_COPY_OUT));
    CONF_OK(conf.b->queue_sync(queue));
    memset(want + 3, 0x40 + n, sizes[n]);
    CONF_CHECK(memcmp(out, want, SPACE) == 0);
  }
  conf_queue_done(queue);
  conf_free(block);
  free(want);
  free(out);
  conf_close();
}

static void copy_peer(void) {
  enum { WORDS = 1 << 18 };
  int devices;
  CONF_OK(conf.b->device_count(&devices));
  if (devices < 2) conf_skip("one device only");
  conf_open();
  solo_bdevice *peer;
  solo_device_info info;
  CONF_OK(conf.b->device_open(1, 1, &peer, &info));
  uint64_t *in = malloc(8 * WORDS + 24), *out = malloc(8 * WORDS + 24);
  CONF_MUST(in && out);
  for (uint64_t i = 0; i < WORDS + 3; i++) in[i] = i * i + 1;
  solo_devptr src = conf_alloc(8 * WORDS + 24), dst = 0;
  CONF_OK(conf.b->mem_alloc(peer, 8 * WORDS + 24, SOLO_MEMORY_DEVICE, &dst));
  solo_bqueue *queue = conf_queue(), *other = NULL;
  CONF_OK(conf.b->queue_copy(queue, src, conf_host(in), 8 * WORDS + 24, SOLO_COPY_IN));
  CONF_OK(solo_backend_queue_copy_peer(conf.b, queue, peer, dst, src, 8 * WORDS + 24));
  CONF_OK(conf.b->queue_sync(queue));
  CONF_OK(conf.b->queue_open(peer, &other));
  CONF_OK(conf.b->queue_copy(other, conf_host(out), dst, 8 * WORDS + 24, SOLO_COPY_OUT));
  CONF_OK(conf.b->queue_sync(other));
  CONF_CHECK(memcmp(in, out, 8 * WORDS + 24) == 0);
  conf.b->queue_close(peer, other);
  CONF_OK(conf.b->mem_free(peer, dst, SOLO_MEMORY_DEVICE));
  conf.b->device_close(peer);
  conf_queue_done(queue);
  conf_free(src);
  free(in);
  free(out);
  conf_close();
}

const conf_case conf_cases_queue[] = {
    {"queue/order", order, 0},
    {"queue/sync", sync, 0},
    {"queue/independent", independent, 0},
    {"queue/many", many, 0},
    {"queue/copy_box", copy_box, CONF_OPTIONAL(queue_copy_box)},
    {"queue/fill", fill, CONF_OPTIONAL(queue_fill)},
    {"queue/copy_peer", copy_peer, CONF_OPTIONAL(queue_copy_peer)},
    {0},
};
