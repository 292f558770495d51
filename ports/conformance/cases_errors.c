#define _DEFAULT_SOURCE
#include "ports/conformance/conformance.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* A fault may also make the device lost. */
static int is_fault(solo_status status) {
  return status == SOLO_KERNEL_FAULT || status == SOLO_DEVICE_LOST;
}

static solo_bqueue *faulty_queue(void) {
  solo_bqueue *queue = conf_queue();
  const uint64_t slots[1] = {0};
  solo_status status = conf_try_launch(queue, conf_kernel("conf_fault"), 1, 1, slots, 8);
  CONF_CHECK(status == SOLO_OK || is_fault(status));
  return queue;
}

/* queue_sync reports the fault and does not hang. */
static void fault(void) {
  conf_open();
  solo_devptr x = conf_cell(2);
  solo_bqueue *queue = faulty_queue();
  solo_error_clear();
  CONF_MUST(is_fault(conf.b->queue_sync(queue)));
  CONF_CHECK(solo_error_last()->text[0] != 0);
  CONF_CHECK(is_fault(solo_error_last()->status));
  solo_status second = conf.b->queue_sync(queue);
  CONF_CHECK(second == SOLO_OK || is_fault(second));
  if (second == SOLO_OK) {
    conf_launch(queue, conf.affine, 4, UINT64_C(0), x, UINT64_C(4), UINT64_C(1));
    CONF_OK(conf.b->queue_sync(queue));
    CONF_EQUAL(conf_value(x), 9);
  }
  conf.b->queue_close(conf.device, queue);
  (void)conf.b->mem_free(conf.device, x, SOLO_MEMORY_DEVICE);
  conf_close();
}

/* Later work does not hide the fault. */
static void kept(void) {
  conf_open();
  solo_devptr x = conf_cell(2);
  solo_bqueue *queue = faulty_queue();
  const uint64_t slots[4] = {0, x, 1, 1};
  for (int n = 0; n < 10; n++) {
    solo_status status = conf_try_launch(queue, conf.affine, 1, 1, slots, 32);
    CONF_CHECK(status == SOLO_OK || is_fault(status));
  }
  CONF_CHECK(is_fault(conf.b->queue_sync(queue)));
  conf.b->queue_close(conf.device, queue);
  (void)conf.b->mem_free(conf.device, x, SOLO_MEMORY_DEVICE);
  conf_close();
}

/* Later events report the fault, and so does the next sync. A queue that waits for such an event
 * continues. */
static void events(void) {
  conf_open();
  solo_bqueue *waiter = conf_queue(); /* before the fault, which may make the device lost */
  solo_bevent *event = conf_event();
  solo_bqueue *queue = faulty_queue();
  solo_status status = conf.b->event_record(queue, event);
  CONF_MUST(status == SOLO_OK || is_fault(status));
  if (status == SOLO_OK) {
    status = conf.b->queue_wait_event(waiter, event);
    CONF_CHECK(status == SOLO_OK || is_fault(status));
    status = conf.b->queue_sync(waiter);
    CONF_CHECK(status == SOLO_OK || is_fault(status));
    solo_error_clear();
    CONF_CHECK(is_fault(conf.b->event_wait(event)));
    CONF_CHECK(is_fault(solo_error_last()->status) && solo_error_last()->text[0]);
    CONF_CHECK(is_fault(conf.b->event_wait(event)));
    int done = 77;
    CONF_CHECK(is_fault(conf.b->event_query(event, &done)));
    CONF_EQUAL(done, 77);
  }
  CONF_CHECK(is_fault(conf.b->queue_sync(queue)));
  conf.b->event_close(conf.device, event);
  conf.b->queue_close(conf.device, queue);
  conf.b->queue_close(conf.device, waiter);
  conf_close();
}

/* Earlier work and work in other queues succeeds, unless the device is lost. */
static void blame(void) {
  conf_open();
  solo_devptr x = conf_cell(2);
  solo_bqueue *queue = conf_queue(), *concurrent = conf_queue();
  solo_bevent *before = conf_event();
  conf_launch(queue, conf.affine, 4, UINT64_C(0), x, UINT64_C(4), UINT64_C(1));
  CONF_OK(conf.b->event_record(queue, before));
  CONF_OK(conf.b->event_wait(before));
  const uint64_t slots[1] = {0};
  (void)conf_try_launch(queue, conf_kernel("conf_fault"), 1, 1, slots, 8);
  solo_status status = conf_try_launch(concurrent, conf.empty, 1, 1, slots, 8);
  if (status == SOLO_OK) status = conf.b->queue_sync(concurrent);
  solo_status earlier = conf.b->event_wait(before);
  CONF_CHECK(is_fault(conf.b->queue_sync(queue)));
  if (conf.b->queue_sync(queue) == SOLO_OK) {
    CONF_CHECK(status == SOLO_OK);
    CONF_CHECK(earlier == SOLO_OK);
    CONF_EQUAL(conf_value(x), 9);
  }
  conf.b->event_close(conf.device, before);
  conf.b->queue_close(conf.device, queue);
  conf.b->queue_close(conf.device, concurrent);
  (void)conf.b->mem_free(conf.device, x, SOLO_MEMORY_DEVICE);
  conf_close();
}

/* Unless the device is lost, only one sync reports a fault. */
static void fresh_queue(void) {
  conf_open();
  const uint64_t slots[1] = {0};
  solo_bqueue *other = conf_queue();
  solo_bqueue *queue = faulty_queue();
  CONF_CHECK(is_fault(conf.b->queue_sync(queue)));
  solo_status again = conf.b->queue_sync(queue);
  solo_status status = conf_try_launch(other, conf.empty, 1, 1, slots, 8);
  if (status == SOLO_OK) status = conf.b->queue_sync(other);
  CONF_CHECK(is_fault(again) ? is_fault(status) : again == SOLO_OK && status == SOLO_OK);
  conf.b->queue_close(conf.device, queue);
  if (again == SOLO_OK) {
    queue = conf_queue();
    CONF_OK(conf.b->queue_sync(queue));
    conf.b->queue_close(conf.device, queue);
  }
  conf.b->queue_close(conf.device, other);
  conf_close();
}

typedef struct scenario {
  solo_bdevice *device;
  solo_device_info info;
  solo_bmodule *module;
  solo_bqueue *queues[2];
  solo_bevent *event;
  solo_devptr cell;
  uint64_t value;
} scenario;

static solo_status use(scenario *s) {
  solo_bkernel *kernel = NULL;
  solo_kernel_attributes attributes;
  solo_devptr global = 0;
  uint64_t bytes = 0;
  s->value = 1;
  SOLO_TRY(conf.b->device_open(0, 0, &s->device, &s->info));
  SOLO_TRY(conf.b->module_load(s->device, &conf.image, &s->module));
  SOLO_TRY(conf.b->module_kernel(s->module, "conf_affine", &kernel, &attributes));
  SOLO_TRY(conf.b->module_global(s->module, "conf_global", &global, &bytes));
  for (int n = 0; n < 2; n++) SOLO_TRY(conf.b->queue_open(s->device, &s->queues[n]));
  SOLO_TRY(conf.b->event_open(s->device, &s->event));
  SOLO_TRY(conf.b->mem_alloc(s->device, 8, SOLO_MEMORY_DEVICE, &s->cell));
  SOLO_TRY(conf.b->queue_copy(s->queues[0], s->cell, conf_host(&s->value), 8, SOLO_COPY_IN));
  const uint64_t slots[4] = {0, s->cell, 6, 1};
  SOLO_TRY(conf_try_launch(s->queues[0], kernel, 1, 1, slots, 32));
  SOLO_TRY(conf.b->event_record(s->queues[0], s->event));
  SOLO_TRY(conf.b->queue_wait_event(s->queues[1], s->event));
  SOLO_TRY(conf.b->queue_copy(s->queues[1], conf_host(&s->value), s->cell, 8, SOLO_COPY_OUT));
  SOLO_TRY(conf.b->queue_sync(s->queues[1]));
  SOLO_TRY(conf.b->queue_sync(s->queues[0]));
  CONF_EQUAL(s->value, 7);
  return SOLO_OK;
}

static void put_away(scenario *s) {
  for (int n = 0; n < 2; n++) {
    if (!s->queues[n]) continue;
    (void)conf.b->queue_sync(s->queues[n]);
    conf.b->queue_close(s->device, s->queues[n]);
  }
  if (s->event) conf.b->event_close(s->device, s->event);
  if (s->cell) (void)conf.b->mem_free(s->device, s->cell, SOLO_MEMORY_DEVICE);
  if (s->module) conf.b->module_unload(s->device, s->module);
  if (s->device) conf.b->device_close(s->device);
}

enum { DELIVERED = 2, NOT_DELIVERED = 3, SECOND = 1000000000 };

static int count_files(void) {
  int count = 0;
  DIR *d = opendir("/proc/self/fd");
  while (d && readdir(d)) count++;
  if (d) closedir(d);
  return count;
}

/* After the loss of a device no descriptor stays open, and a device that is opened later works. */
static void check_lost(int files) {
  if (!conf_adapter_chosen.comes_back) return;
  CONF_EQUAL(count_files(), files);
  scenario s = {0};
  CONF_OK(use(&s));
  put_away(&s);
  CONF_EQUAL(count_files(), files);
}

static int fail_once(int nth, int lost) {
  scenario s = {0};
  int count;
  alarm(30);
  CONF_OK(conf.b->device_count(&count));
  int files = count_files();
  conf_adapter_chosen.fail_call(nth, lost);
  solo_error_clear();
  solo_status status = use(&s);
  int delivered = conf_adapter_chosen.failure_delivered ? conf_adapter_chosen.failure_delivered()
                                                        : status != SOLO_OK;
  if (status != SOLO_OK) {
    CONF_CHECK(solo_error_last()->status == status && solo_error_last()->text[0]);
    CONF_CHECK(delivered);
    if (lost) CONF_EQUAL(status, SOLO_DEVICE_LOST);
  } /* SOLO_OK: the failed call changed no result */
  if (!lost) conf_adapter_chosen.fail_call(0, 0);
  put_away(&s);
  conf_adapter_chosen.fail_call(0, 0);
  if (conf_adapter_chosen.live_objects) CONF_EQUAL(conf_adapter_chosen.live_objects(), 0);
  if (lost && delivered) check_lost(files);
  if (!lost) {
    s = (scenario){0};
    CONF_OK(use(&s));
    put_away(&s);
  }
  if (conf_failures)
    fprintf(stderr, "  after driver call %d failed: %s\n", nth, solo_status_name(status));
  return conf_failures ? 1 : delivered ? DELIVERED : NOT_DELIVERED;
}

static void inject_here(void) {
  int nth = 1;
  while (nth <= 300 && fail_once(nth, 0) == DELIVERED && !conf_failures) nth++;
  alarm(0);
  CONF_CHECK(nth > 5 && nth <= 300);
}

static void inject(int lost) {
  if (!conf_adapter_chosen.fail_call) conf_skip("the adapter cannot inject failures");
  CONF_MUST(conf_adapter_chosen.image(CONF_IMAGE_KERNELS, &conf.image));
  if (conf_runner && lost) conf_skip("a lost device requires a separate process");
  if (conf_runner) {
    inject_here();
    return;
  }
  int nth = 1;
  uint64_t least_ns = UINT64_MAX;
  for (int status = 0; nth <= 300; nth++) {
    uint64_t start = solo_now_ns();
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
      conf_failures = 0;
      exit(fail_once(nth, lost));
    }
    CONF_MUST(pid > 0 && waitpid(pid, &status, 0) == pid);
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_DELIVERED) break;
    int good = WIFEXITED(status) && WEXITSTATUS(status) == DELIVERED;
    if (!good) fprintf(stderr, "  call %d: wait status 0x%x\n", nth, (unsigned)status);
    CONF_CHECK(good);
    uint64_t elapsed = solo_now_ns() - start;
    if (elapsed < least_ns) least_ns = elapsed;
  }
  /* the minimum, because a busy machine delays some runs */
  CONF_CHECK(least_ns < SECOND);
  CONF_CHECK(nth > 5 && nth <= 300);
}

static void inject_memory(void) {
  inject(0);
}

static void inject_lost(void) {
  inject(1);
}

const conf_case conf_cases_errors[] = {
    {"errors/fault", fault, 0},
    {"errors/kept", kept, 0},
    {"errors/events", events, 0},
    {"errors/blame", blame, 0},
    {"errors/fresh_queue", fresh_queue, 0},
    {"errors/inject_memory", inject_memory, 0},
    {"errors/inject_lost", inject_lost, 0},
    {0},
};
