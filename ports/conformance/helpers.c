#include "ports/conformance/conformance.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

conf_context conf;
extern int conf_verdict_pipe;
jmp_buf *conf_runner;
char conf_why[256];
static _Thread_local int is_runner;

void conf_run_in_process(const conf_case *c) {
  is_runner = 1;
  c->run();
}

int conf_failed(const char *file, int line, const char *what) {
  solo_add_relaxed(&conf_failures, 1); /* relaxed: read after pthread_join() */
  fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
  return 0;
}

void conf_stop(void) {
  fflush(NULL);
  if (conf_runner && is_runner) longjmp(*conf_runner, 1);
  _exit(1);
}

static _Noreturn void leave(int code, const char *why) {
  if (conf_runner && is_runner) {
    snprintf(conf_why, sizeof conf_why, "%s", why);
    longjmp(*conf_runner, conf_failures ? 1 : code);
  }
  ssize_t written = write(conf_verdict_pipe, why, strlen(why));
  (void)written;
  fflush(NULL);
  _exit(conf_failures ? 1 : code);
}

void conf_skip(const char *why) {
  leave(77, why);
}

void conf_report_unsupported(const char *what) {
  leave(78, what);
}

void conf_is_ok(const char *file, int line, const char *what, solo_status status) {
  if (status == SOLO_OK) return;
  char text[1024];
  snprintf(text, sizeof text, "%s is %s (%s)", what, solo_status_name(status),
           solo_error_last()->text);
  conf_failed(file, line, text);
  conf_stop();
}

int conf_fails(const char *file, int line, const char *what, solo_status status, solo_status want) {
  char text[1024];
  if (status != want) {
    snprintf(text, sizeof text, "%s is %s, expected %s", what, solo_status_name(status),
             solo_status_name(want));
    return conf_failed(file, line, text);
  }
  if (solo_error_last()->status == want && solo_error_last()->text[0]) return 1;
  snprintf(text, sizeof text, "%s set no error text", what);
  return conf_failed(file, line, text);
}

int conf_equal(const char *file, int line, const char *what, uint64_t actual, uint64_t expected) {
  if (actual == expected) return 1;
  char text[512];
  snprintf(text, sizeof text, "%s is %llu, expected %llu", what, (unsigned long long)actual,
           (unsigned long long)expected);
  return conf_failed(file, line, text);
}

void conf_open(void) {
  int count;
  CONF_OK(conf.b->device_count(&count));
  CONF_MUST(conf_adapter_chosen.image(CONF_IMAGE_KERNELS, &conf.image));
  CONF_OK(conf.b->device_open(0, 0, &conf.device, &conf.info));
  solo_backend_device_describe(conf.b, conf.device, &conf.info);
  CONF_OK(conf.b->module_load(conf.device, &conf.image, &conf.module));
  conf.empty = conf_kernel("conf_empty");
  conf.affine = conf_kernel("conf_affine");
  conf.slow = conf_kernel("conf_slow");
}

void conf_close(void) {
  conf.b->module_unload(conf.device, conf.module);
  conf.b->device_close(conf.device);
  conf.device = NULL;
  if (conf_adapter_chosen.live_objects) CONF_EQUAL(conf_adapter_chosen.live_objects(), 0);
}

int conf_is_asynchronous(void) {
  return !(conf.info.flags & SOLO_DEVICE_SYNCHRONOUS);
}

solo_bqueue *conf_queue(void) {
  solo_bqueue *queue = NULL;
  CONF_OK(conf.b->queue_open(conf.device, &queue));
  return queue;
}

void conf_queue_done(solo_bqueue *queue) {
  CONF_OK(conf.b->queue_sync(queue));
  conf.b->queue_close(conf.device, queue);
}

solo_bevent *conf_event(void) {
  solo_bevent *event = NULL;
  CONF_OK(conf.b->event_open(conf.device, &event));
  return event;
}

solo_bkernel *conf_kernel(const char *name) {
  solo_bkernel *kernel = NULL;
  solo_kernel_attributes attributes;
  CONF_OK(conf.b->module_kernel(conf.module, name, &kernel, &attributes));
  return kernel;
}

solo_devptr conf_alloc(uint64_t bytes) {
  solo_devptr address = 0;
  CONF_OK(conf.b->mem_alloc(conf.device, bytes, SOLO_MEMORY_DEVICE, &address));
  CONF_MUST(address != 0);
  return address;
}

void conf_free(solo_devptr address) {
  CONF_OK(conf.b->mem_free(conf.device, address, SOLO_MEMORY_DEVICE));
}

solo_devptr conf_cell(uint64_t value) {
  solo_devptr cell = conf_alloc(8);
  solo_bqueue *queue = conf_queue();
  CONF_OK(conf.b->queue_copy(queue, cell, conf_host(&value), 8, SOLO_COPY_IN));
  conf_queue_done(queue);
  return cell;
}

uint64_t conf_value(solo_devptr cell) {
  uint64_t value = 0;
  solo_bqueue *queue = conf_queue();
  CONF_OK(conf.b->queue_copy(queue, conf_host(&value), cell, 8, SOLO_COPY_OUT));
  conf_queue_done(queue);
  return value;
}

solo_status conf_try_launch(solo_bqueue *queue, solo_bkernel *kernel, uint32_t teams,
                            uint32_t threads, const uint64_t *slots, uint32_t bytes) {
  solo_launch_record launch = {.teams = {teams, 1, 1},
                               .threads = {threads, 1, 1},
                               .argument_bytes = bytes,
                               .arguments = slots};
  return conf.b->queue_launch(queue, kernel, &launch);
}

void conf_launch(solo_bqueue *queue, solo_bkernel *kernel, int slots, ...) {
  uint64_t values[32] = {0};
  va_list list;
  va_start(list, slots);
  for (int i = 0; i < slots; i++) values[i] = va_arg(list, uint64_t);
  va_end(list);
  CONF_OK(conf_try_launch(queue, kernel, 1, 1, values, 8 * (uint32_t)slots));
  /* overwritten, because a launch may read the arguments only during the call */
  memset(values, 0xee, sizeof values);
}

uint64_t conf_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

uint64_t conf_host(const void *pointer) {
  return (uint64_t)(uintptr_t)pointer;
}
