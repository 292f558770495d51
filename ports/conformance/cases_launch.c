#include "ports/conformance/conformance.h"

#include <stdio.h>
#include <string.h>

static uint64_t weighted_sum(const uint64_t *slots) {
  uint64_t sum = 0;
  for (uint64_t i = 2; i < CONF_MANY_SLOTS; i++) sum += i * slots[i];
  return sum;
}

/* The caller may overwrite the arguments after the launch. */
static void arguments(void) {
  conf_open();
  solo_bkernel *kernel = conf_kernel("conf_many");
  solo_devptr cells[4];
  uint64_t want[4], slots[CONF_MANY_SLOTS], random = 4711;
  solo_bqueue *queue = conf_queue();
  for (int n = 0; n < 4; n++) {
    cells[n] = conf_alloc(8);
    for (int i = 0; i < CONF_MANY_SLOTS; i++) slots[i] = conf_random(&random);
    slots[1] = cells[n];
    want[n] = weighted_sum(slots);
    CONF_OK(conf_try_launch(queue, kernel, 1, 1, slots, sizeof slots));
    memset(slots, 0, sizeof slots);
  }
  conf_queue_done(queue);
  for (int n = 0; n < 4; n++) {
    CONF_EQUAL(conf_value(cells[n]), want[n]);
    conf_free(cells[n]);
  }
  conf_close();
}

static void check_grid(const uint32_t teams[3], const uint32_t threads[3]) {
  enum { MOST = 1024 };
  uint64_t out[MOST];
  uint32_t size = threads[0] * threads[1] * threads[2];
  uint32_t all = teams[0] * teams[1] * teams[2] * size;
  memset(out, 0, sizeof out);
  solo_devptr block = conf_alloc(sizeof out);
  solo_bqueue *queue = conf_queue();
  CONF_OK(conf.b->queue_copy(queue, block, conf_host(out), sizeof out, SOLO_COPY_IN));
  const uint64_t slots[2] = {0, block};
  solo_launch_record launch = {.teams = {teams[0], teams[1], teams[2]},
                               .threads = {threads[0], threads[1], threads[2]},
                               .argument_bytes = 16,
                               .arguments = slots};
  CONF_OK(conf.b->queue_launch(queue, conf_kernel("conf_grid"), &launch));
  CONF_OK(conf.b->queue_copy(queue, conf_host(out), block, sizeof out, SOLO_COPY_OUT));
  conf_queue_done(queue);
  for (uint32_t n = 0; n < MOST; n++)
    CONF_MUST(CONF_EQUAL(out[n], n < all ? n / size * 65536 + n % size + 1 : 0));
  conf_free(block);
}

static void grid(void) {
  conf_open();
  if (!(conf.info.flags & SOLO_DEVICE_HAS_RTL)) conf_skip("kernels manage their own threads");
  check_grid((uint32_t[3]){1, 1, 1}, (uint32_t[3]){1, 1, 1});
  check_grid((uint32_t[3]){5, 1, 1}, (uint32_t[3]){32, 1, 1});
  check_grid((uint32_t[3]){3, 2, 2}, (uint32_t[3]){8, 2, 4});
  uint32_t most = conf.info.max_threads < 1024 ? conf.info.max_threads : 1024;
  check_grid((uint32_t[3]){1, 1, 1}, (uint32_t[3]){most, 1, 1});
  conf_close();
}

/* A launch beyond a limit is rejected and does not affect the queue. */
static void limits(void) {
  conf_open();
  solo_kernel_attributes attributes;
  solo_bkernel *kernel;
  CONF_OK(conf.b->module_kernel(conf.module, "conf_affine", &kernel, &attributes));
  solo_devptr x = conf_cell(5);
  const uint64_t slots[64] = {0, x, 2, 1};
  solo_bqueue *queue = conf_queue();
  if (conf.info.flags & SOLO_DEVICE_HAS_RTL) {
    const solo_launch_record good = {
        .teams = {1, 1, 1}, .threads = {1, 1, 1}, .argument_bytes = 32, .arguments = slots};
    solo_launch_record bad = good;
    bad.threads[0] = conf.info.max_threads + 1;
    CONF_FAILS(conf.b->queue_launch(queue, kernel, &bad), SOLO_INVALID);
    bad = good;
    bad.threads[0] = conf.info.max_threads;
    bad.threads[1] = 2;
    CONF_FAILS(conf.b->queue_launch(queue, kernel, &bad), SOLO_INVALID);
    if (conf.info.max_teams < UINT32_MAX) {
      bad = good;
      bad.teams[0] = conf.info.max_teams + 1;
      CONF_FAILS(conf.b->queue_launch(queue, kernel, &bad), SOLO_INVALID);
    }
    bad = good;
    bad.teams[0] = 0;
    CONF_FAILS(conf.b->queue_launch(queue, kernel, &bad), SOLO_INVALID);
    bad = good;
    bad.threads[2] = 0;
    CONF_FAILS(conf.b->queue_launch(queue, kernel, &bad), SOLO_INVALID);
    if (conf.info.max_shared_bytes && conf.info.max_shared_bytes < UINT32_MAX) {
      bad = good;
      bad.shared_bytes = conf.info.max_shared_bytes + 1;
      CONF_FAILS(conf.b->queue_launch(queue, kernel, &bad), SOLO_INVALID);
    }
  } else {
    CONF_FAILS(conf_try_launch(queue, kernel, 1, 1, slots, 33), SOLO_INVALID);
    CONF_OK(conf_try_launch(queue, conf.empty, 0, 0, slots, 8));
  }
  if (attributes.argument_bytes)
    CONF_FAILS(conf_try_launch(queue, kernel, 1, 1, slots, attributes.argument_bytes + 8),
               SOLO_INVALID);
  CONF_OK(conf_try_launch(queue, kernel, 1, 1, slots, 32));
  conf_queue_done(queue);
  CONF_EQUAL(conf_value(x), 11);
  conf_free(x);
  conf_close();
}

/* A launch allocates and locks nothing. */
static void floor_(void) {
  enum { N = 200 };
  conf_open();
  solo_bqueue *queue = conf_queue();
  solo_devptr x = conf_cell(0);
  const uint64_t slots[4] = {0, x, 1, 1};
  CONF_OK(conf_try_launch(queue, conf.affine, 1, 1, slots, sizeof slots));
  CONF_OK(conf.b->queue_sync(queue));
  uint64_t allocations = conf_allocations, mutexes = conf_mutexes;
#ifdef SOLO_COUNT_LOCKS
  uint64_t locks = solo_load_relaxed(&solo_lock_count);
#endif
  uint64_t start = solo_now_ns();
  for (int n = 0; n < N; n++) CONF_OK(conf_try_launch(queue, conf.affine, 1, 1, slots, 32));
  uint64_t ns = (solo_now_ns() - start) / N;
  CONF_EQUAL(conf_allocations - allocations, 0);
  CONF_EQUAL(conf_mutexes - mutexes, 0);
#ifdef SOLO_COUNT_LOCKS
  CONF_EQUAL(solo_load_relaxed(&solo_lock_count) - locks, 0);
#endif
  conf_queue_done(queue);
  CONF_EQUAL(conf_value(x), N + 1);
  printf("         %llu ns per launch (enqueue)\n", (unsigned long long)ns);
  conf_free(x);
  conf_close();
}

const conf_case conf_cases_launch[] = {
    {"launch/arguments", arguments, 0},
    {"launch/grid", grid, 0},
    {"launch/limits", limits, 0},
    {"launch/floor", floor_, 0},
    {0},
};
