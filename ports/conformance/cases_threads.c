#include "ports/conformance/conformance.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 60 };

static void run_threads(void *(*main_of)(void *)) {
  pthread_t threads[THREADS];
  static uint64_t numbers[THREADS];
  for (uint64_t n = 0; n < THREADS; n++) {
    numbers[n] = n + 1;
    CONF_MUST(pthread_create(&threads[n], NULL, main_of, &numbers[n]) == 0);
  }
  for (int n = 0; n < THREADS; n++) pthread_join(threads[n], NULL);
}

static void *own_queue(void *number) {
  uint64_t want = *(uint64_t *)number, random = want * 7919;
  solo_bqueue *queue = conf_queue();
  solo_devptr x = conf_cell(want);
  solo_bevent *event = conf_event();
  for (int n = 0; n < ROUNDS; n++) {
    uint64_t mul = conf_random(&random) | 1, seen = 0;
    conf_launch(queue, conf.affine, 4, UINT64_C(0), x, mul, (uint64_t)n);
    want = want * mul + (uint64_t)n;
    CONF_OK(conf.b->queue_copy(queue, conf_host(&seen), x, 8, SOLO_COPY_OUT));
    CONF_OK(conf.b->event_record(queue, event));
    CONF_OK(conf.b->event_wait(event));
    CONF_EQUAL(seen, want);
  }
  conf_queue_done(queue);
  conf.b->event_close(conf.device, event);
  conf_free(x);
  return NULL;
}

static void queues(void) {
  conf_open();
  run_threads(own_queue);
  conf_close();
}

static void *everything(void *number) {
  uint64_t base = *(uint64_t *)number * 1000;
  for (uint64_t n = 0; n < ROUNDS; n++) {
    solo_devptr address = 0, cell = conf_cell(base + n);
    uint64_t bytes = 0;
    CONF_CHECK(conf_kernel("conf_affine") != NULL);
    CONF_OK(conf.b->module_global(conf.module, "conf_global", &address, &bytes));
    CONF_EQUAL(conf_value(cell), base + n);
    conf_free(cell);
  }
  return NULL;
}

static void lookup(void) {
  conf_open();
  run_threads(everything);
  conf_close();
}

/* Thread 1 loads modules while others launch. */
static void *load_or_launch(void *number) {
  if (*(uint64_t *)number > 1) return own_queue(number);
  for (int n = 0; n < ROUNDS / 2; n++) {
    solo_bmodule *module = NULL;
    solo_bkernel *kernel = NULL;
    solo_kernel_attributes attributes;
    CONF_OK(conf.b->module_load(conf.device, &conf.image, &module));
    CONF_OK(conf.b->module_kernel(module, "conf_empty", &kernel, &attributes));
    solo_bqueue *queue = conf_queue();
    conf_launch(queue, kernel, 1, UINT64_C(0));
    conf_queue_done(queue);
    conf.b->module_unload(conf.device, module);
  }
  return NULL;
}

static void modules(void) {
  conf_open();
  run_threads(load_or_launch);
  conf_close();
}

static struct {
  solo_bqueue *queue;
  solo_bevent *event;
  solo_devptr cell;
  uint64_t seen;
} shared;

static void *wait_for_shared(void *number) {
  int done = 0;
  if (*(uint64_t *)number == 1) {
    solo_bqueue *queue = conf_queue();
    uint64_t seen = 0;
    CONF_OK(conf.b->queue_wait_event(queue, shared.event));
    CONF_OK(conf.b->queue_copy(queue, conf_host(&seen), shared.cell, 8, SOLO_COPY_OUT));
    conf_queue_done(queue);
    CONF_EQUAL(seen, 31);
  } else if (*(uint64_t *)number == 2) {
    while (!done) CONF_OK(conf.b->event_query(shared.event, &done));
    CONF_EQUAL(shared.seen, 31);
  } else {
    CONF_OK(conf.b->event_wait(shared.event));
    CONF_EQUAL(shared.seen, 31);
  }
  return NULL;
}

static void one_event(void) {
  conf_open();
  shared.cell = conf_cell(0);
  shared.queue = conf_queue();
  shared.event = conf_event();
  conf_launch(shared.queue, conf.slow, 4, UINT64_C(0), shared.cell, UINT64_C(30000000),
              UINT64_C(31));
  CONF_OK(conf.b->queue_copy(shared.queue, conf_host(&shared.seen), shared.cell, 8, SOLO_COPY_OUT));
  CONF_OK(conf.b->event_record(shared.queue, shared.event));
  run_threads(wait_for_shared);
  conf_queue_done(shared.queue);
  conf.b->event_close(conf.device, shared.event);
  conf_free(shared.cell);
  conf_close();
}

/* Threads may use an object that another thread created. */
static void *use_shared(void *unused) {
  (void)unused;
  conf_launch(shared.queue, conf.affine, 4, UINT64_C(0), shared.cell, UINT64_C(3), UINT64_C(1));
  CONF_OK(conf.b->queue_sync(shared.queue));
  return NULL;
}

static void *open_all(void *unused) {
  (void)unused;
  conf_open();
  shared.cell = conf_cell(1);
  shared.queue = conf_queue();
  return NULL;
}

static void any_thread(void) {
  pthread_t thread;
  CONF_MUST(pthread_create(&thread, NULL, open_all, NULL) == 0);
  pthread_join(thread, NULL);
  for (int n = 0; n < 3; n++) {
    CONF_MUST(pthread_create(&thread, NULL, use_shared, NULL) == 0);
    pthread_join(thread, NULL);
  }
  CONF_EQUAL(conf_value(shared.cell), 40);
  conf_queue_done(shared.queue);
  conf_free(shared.cell);
  conf_close();
}

const conf_case conf_cases_threads[] = {
    {"threads/queues", queues, 0},         {"threads/lookup", lookup, 0},
    {"threads/modules", modules, 0},       {"threads/one_event", one_event, 0},
    {"threads/any_thread", any_thread, 0}, {0},
};
