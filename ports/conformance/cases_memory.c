#include "ports/conformance/conformance.h"

#include <stdlib.h>
#include <string.h>

static void fill_pattern(uint8_t *bytes, size_t size, uint64_t seed) {
  for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)(conf_random(&seed) >> 24);
}

/* Blocks are aligned and disjoint, and usable to the last byte. */
static void alloc(void) {
  static const size_t sizes[] = {1, 7, 8, 63, 64, 65, 4096, 100000, (1 << 20) + 3};
  enum { N = sizeof sizes / sizeof *sizes };
  conf_open();
  solo_devptr blocks[N];
  uint8_t *in = malloc(2 << 20), *out = malloc(2 << 20);
  CONF_MUST(in && out);
  solo_bqueue *queue = conf_queue();
  for (int n = 0; n < N; n++) {
    blocks[n] = conf_alloc(sizes[n]);
    CONF_EQUAL(blocks[n] % 64, 0);
    for (int m = 0; m < n; m++)
      CONF_CHECK(blocks[m] + sizes[m] <= blocks[n] || blocks[n] + sizes[n] <= blocks[m]);
  }
  for (int n = 0; n < N; n++) {
    fill_pattern(in, sizes[n], (uint64_t)n + 1);
    CONF_OK(conf.b->queue_copy(queue, blocks[n], conf_host(in), sizes[n], SOLO_COPY_IN));
    CONF_OK(conf.b->queue_sync(queue));
  }
  for (int n = 0; n < N; n++) {
    fill_pattern(in, sizes[n], (uint64_t)n + 1);
    CONF_OK(conf.b->queue_copy(queue, conf_host(out), blocks[n], sizes[n], SOLO_COPY_OUT));
    CONF_OK(conf.b->queue_sync(queue));
    CONF_CHECK(memcmp(in, out, sizes[n]) == 0);
    conf_free(blocks[n]);
  }
  conf_queue_done(queue);
  free(in);
  free(out);
  conf_close();
}

static void exhausted(void) {
  static const uint64_t sizes[] = {UINT64_MAX,        UINT64_MAX - 1,    UINT64_MAX - 63,
                                   UINT64_MAX - 4096, UINT64_C(1) << 63, UINT64_C(1) << 60};
  conf_open();
  for (int n = 0; n < 6; n++) {
    solo_devptr address = 12345;
    CONF_FAILS(conf.b->mem_alloc(conf.device, sizes[n], SOLO_MEMORY_DEVICE, &address),
               SOLO_DEVICE_NOMEM);
    CONF_EQUAL(address, 12345);
  }
  solo_devptr cell = conf_cell(3); /* the failure does not persist */
  CONF_EQUAL(conf_value(cell), 3);
  conf_free(cell);
  conf_close();
}

/* Allocates more in total than a small device has, so freed memory must be reused. */
static void reuse(void) {
  conf_open();
  uint64_t bytes = conf.info.memory_bytes / 4;
  if (bytes > 16 << 20) bytes = 16 << 20;
  for (int n = 0; n < 16; n++) conf_free(conf_alloc(bytes));
  conf_close();
}

static void kinds(void) {
  static const solo_memory_kind all[] = {SOLO_MEMORY_HOST, SOLO_MEMORY_SHARED};
  conf_open();
  for (int n = 0; n < 2; n++) {
    solo_devptr address = 0;
    solo_status status = conf.b->mem_alloc(conf.device, 4096, all[n], &address);
    if (status == SOLO_UNSUPPORTED) continue;
    CONF_OK(status);
    volatile uint64_t *host = (volatile uint64_t *)(uintptr_t)address;
    solo_devptr cell = conf_cell(9);
    solo_bqueue *queue = conf_queue();
    host[0] = 6;
    conf_launch(queue, conf.affine, 4, UINT64_C(0), address, UINT64_C(7), UINT64_C(0));
    CONF_OK(conf.b->queue_copy(queue, address + 8, cell, 8, SOLO_COPY_OUT));
    CONF_OK(conf.b->queue_copy(queue, cell, address, 8, SOLO_COPY_IN));
    CONF_OK(conf.b->queue_copy(queue, address + 16, cell, 8, SOLO_COPY_WITHIN));
    conf_queue_done(queue);
    CONF_EQUAL(host[0], 42);
    CONF_EQUAL(host[1], 9);
    CONF_EQUAL(host[2], 42);
    conf_free(cell);
    CONF_OK(conf.b->mem_free(conf.device, address, all[n]));
  }
  conf_close();
}

static void mem_pin(void) {
  conf_open();
  enum { BYTES = 8192 };
  uint64_t *host = aligned_alloc(4096, BYTES);
  CONF_MUST(host);
  solo_devptr address = 0;
  solo_status status = solo_backend_mem_pin(conf.b, conf.device, host, BYTES, &address);
  if (status == SOLO_UNSUPPORTED) {
    free(host);
    conf_report_unsupported("host memory cannot be pinned");
  }
  CONF_OK(status);
  host[1] = 5;
  solo_bqueue *queue = conf_queue();
  conf_launch(queue, conf.affine, 4, UINT64_C(0), address + 8, UINT64_C(5), UINT64_C(1));
  CONF_OK(conf.b->queue_sync(queue));
  CONF_EQUAL(host[1], 26);
  solo_devptr cell = conf_alloc(8); /* copies use the host address even after pinning */
  CONF_OK(conf.b->queue_copy(queue, cell, conf_host(host + 1), 8, SOLO_COPY_IN));
  conf_queue_done(queue);
  CONF_EQUAL(conf_value(cell), 26);
  conf_free(cell);
  CONF_OK(solo_backend_mem_unpin(conf.b, conf.device, host));
  free(host);
  conf_close();
}

/* Copies write only their range. */
static void copy(void) {
  enum { SPACE = 70000 };
  static const size_t sizes[] = {1, 3, 8, 64, 255, 4097, 65537};
  conf_open();
  uint8_t *in = malloc(SPACE), *out = malloc(SPACE), *want = malloc(SPACE);
  CONF_MUST(in && out && want);
  solo_devptr a = conf_alloc(SPACE), b = conf_alloc(SPACE);
  solo_bqueue *queue = conf_queue();
  for (int n = 0; n < 7; n++) {
    size_t size = sizes[n], from = 13u * (unsigned)n + 1, to = 1000 + 7u * (unsigned)n;
    fill_pattern(in, SPACE, 77 + (uint64_t)n);
    memset(want, 0x33, SPACE);
    CONF_OK(conf.b->queue_copy(queue, b, conf_host(want), SPACE, SOLO_COPY_IN));
    CONF_OK(conf.b->queue_copy(queue, a + from, conf_host(in + to), size, SOLO_COPY_IN));
    CONF_OK(conf.b->queue_copy(queue, b + to, a + from, size, SOLO_COPY_WITHIN));
    CONF_OK(conf.b->queue_copy(queue, conf_host(out), b, SPACE, SOLO_COPY_OUT));
    CONF_OK(conf.b->queue_sync(queue));
    memcpy(want + to, in + to, size);
    CONF_CHECK(memcmp(out, want, SPACE) == 0);
    memset(out, 0x44, SPACE);
    memset(want, 0x44, SPACE);
    CONF_OK(conf.b->queue_copy(queue, conf_host(out + from), a + from, size, SOLO_COPY_OUT));
    CONF_OK(conf.b->queue_sync(queue));
    memcpy(want + from, in + to, size);
    CONF_CHECK(memcmp(out, want, SPACE) == 0);
  }
  conf_queue_done(queue);
  conf_free(a);
  conf_free(b);
  free(in);
  free(out);
  free(want);
  conf_close();
}

const conf_case conf_cases_memory[] = {
    {"memory/alloc", alloc, 0},
    {"memory/exhausted", exhausted, 0},
    {"memory/reuse", reuse, 0},
    {"memory/kinds", kinds, 0},
    {"memory/copy", copy, 0},
    {"memory/mem_pin", mem_pin, CONF_OPTIONAL(mem_pin)},
    {0},
};
