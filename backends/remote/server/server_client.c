/* One client: hello, control thread, release of its objects. */
#define _DEFAULT_SOURCE
#include "backends/remote/remote_server.h"
#include "backends/remote/server/server.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  SPIN_NS = 100 * 1000,
  LONGEST_SLEEP_NS = 200 * 1000 * 1000,
  THREADLESS_SLEEP_NS = 1000 * 1000, /* sleep of the control thread while queues have no thread */
};

int solo_remote_max_clients;
void (*solo_remote_program_ended)(void);
static _Atomic int clients;

static void *run_control(void *context) {
  server_client *c = context;
  uint64_t idle_since = 0;
  SOLO_ALIGNED(64) uint8_t buffer[SOLO_REMOTE_MESSAGE_BYTES];
  server_prepare_uses();
  while (!solo_load_relaxed(&c->link->lost)) { /* relaxed: a late read is harmless */
    int bytes = c->transport->receive(&c->control, buffer);
    if (bytes == 0) {
      solo_cpu_relax();
      int is_busy = server_serve_threadless(c);
      uint64_t now = solo_now_ns();
      if (!idle_since) idle_since = now;
      if (now - idle_since > SOLO_REMOTE_SPIN_BEFORE_YIELD_NS) (void)sched_yield();
      if (now - idle_since <= SPIN_NS) continue;
      solo_remote_read_bells(&c->control);
      /* relaxed: serve() sets lost, then changes the futex word, which ends the await */
      if (!solo_load_relaxed(&c->link->lost))
        c->transport->await(&c->control, SOLO_REMOTE_NEXT_MESSAGE,
                            is_busy ? THREADLESS_SLEEP_NS : LONGEST_SLEEP_NS);
      continue;
    }
    idle_since = 0;
    const void *message = bytes < 0 ? NULL : buffer;
    if (!message || server_control(c, message, (uint32_t)bytes))
      server_refuse(c, &c->control, message);
    else
      c->transport->complete(&c->control, c->control.count);
  }
  return NULL;
}

/* For tests: a driver that hangs with all signals blocked. */
static void hang_if_requested(void) {
#ifdef SOLO_CHECK
  sigset_t all;
  if (!getenv("SOLO_TEST_STUCK_END")) return;
  sigfillset(&all);
  for (pthread_sigmask(SIG_SETMASK, &all, NULL);;) pause();
#endif
}

static void close_everything(server_client *c) {
  hang_if_requested();
  for (uint32_t n = 0; n < c->device_count; n++) server_close_all(c, n);
  for (server_kernel *next; c->spare_kernels; c->spare_kernels = next) {
    next = c->spare_kernels->next;
    free(c->spare_kernels);
  }
  server_free_log(c);
  free(c->image);
  for (int n = 0; n < SOLO_REMOTE_IMAGES; n++) server_image_release(c->kept[n]);
}

static uint64_t loaded_ns;

__attribute__((constructor)) static void note_start(void) {
  loaded_ns = solo_now_ns();
}

void solo_remote_fill_welcome(solo_remote_welcome *w, solo_status status) {
  w->magic = SOLO_REMOTE_MAGIC;
  w->version = SOLO_REMOTE_VERSION;
  w->status = status;
  w->process = (int32_t)getpid();
  w->loaded_ns = loaded_ns;
  w->welcomed_ns = solo_now_ns();
  if (gethostname(w->host, sizeof w->host - 1) != 0) w->host[0] = 0;
  if (status != SOLO_OK) snprintf(w->text, sizeof w->text, "%s", solo_error_last()->text);
}

static solo_status serve(server_client *c) {
  pthread_t control;
  solo_remote_channel_of(c->link, 0, &c->control);
  SOLO_TRY(solo_remote_shm_welcome(c->link));
  if (pthread_create(&control, NULL, run_control, c) != 0)
    return solo_fail(SOLO_NOMEM, "cannot create a thread for a program");
  solo_remote_shm_await_end(c->link);
  solo_store_relaxed(&c->link->lost, 1); /* relaxed: a late read is harmless */
  if (solo_remote_program_ended) solo_remote_program_ended();
  solo_remote_wake(&c->control);
  pthread_join(control, NULL);
  close_everything(c);
  return SOLO_OK;
}

solo_status solo_remote_serve_link(solo_remote_link *link) {
  server_client *c = calloc(1, sizeof *c);
  if (!c) {
    link->transport->close(link);
    return solo_fail(SOLO_NOMEM, "the device server has no memory for a program");
  }
  c->link = link;
  c->transport = link->transport;
  solo_remote_channel_of(link, 0, &c->control);
  (void)run_control(c);
  close_everything(c);
  link->transport->close(link);
  free(c);
  return SOLO_OK;
}

static solo_status too_many(void) {
  return solo_fail(SOLO_UNAVAILABLE, "the limit of %d programs (--clients) is reached",
                   solo_remote_max_clients);
}

/* A client that is rejected after a valid hello receives the reason over its link. */
solo_status solo_remote_serve(int socket) {
  solo_remote_hello hello;
  server_client *c = calloc(1, sizeof *c);
  solo_status status =
      c ? SOLO_OK : solo_fail(SOLO_NOMEM, "the device server has no memory for a program");
  int number = solo_add_relaxed(&clients, 1); /* a counter */
  solo_remote_link *link = NULL;
  solo_remote_welcome refusal = {0};
  if (status == SOLO_OK) status = solo_remote_shm_accept(socket, &hello, &link);
  if (status == SOLO_OK) {
    c->link = link;
    c->transport = link->transport;
    if (solo_remote_max_clients && number >= solo_remote_max_clients) status = too_many();
    solo_remote_fill_welcome(&link->welcome, status);
    if (status == SOLO_OK)
      status = serve(c);
    else
      (void)solo_remote_shm_welcome(link);
    link->transport->close(link);
  } else {
    solo_remote_fill_welcome(&refusal, status);
    solo_remote_shm_refuse(socket, &refusal);
  }
  solo_sub_relaxed(&clients, 1); /* a counter */
  free(c);
  return status;
}
