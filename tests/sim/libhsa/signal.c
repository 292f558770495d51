/* The simulated runtime: signals and signal handlers. */
#include "tests/sim/libhsa/internal.h"

#include "tests/sim/libhsa/hsa_sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

pthread_mutex_t sim_hsa_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t sim_hsa_changed = PTHREAD_COND_INITIALIZER;

API hsa_status_t hsa_signal_create(hsa_signal_value_t value, uint32_t count,
                                   const hsa_agent_t *consumers, hsa_signal_t *out) {
  ENTER();
  (void)count, (void)consumers;
  sim_signal *signal = malloc(sizeof *signal);
  if (!signal) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  *signal = (sim_signal){.value = value};
  sim_live("signal", 1);
  out->handle = (uint64_t)(uintptr_t)signal;
  return HSA_STATUS_SUCCESS;
}

API hsa_status_t hsa_signal_destroy(hsa_signal_t signal) {
  int code = sim_call(__func__);
  sim_live("signal", -1);
  pthread_mutex_lock(&sim_hsa_lock);
  signal_of(signal)->gone = 1;
  int waiters = signal_of(signal)->waiters; /* the last waiting thread frees the signal */
  pthread_cond_broadcast(&sim_hsa_changed);
  pthread_mutex_unlock(&sim_hsa_lock);
  if (!waiters) free(signal_of(signal));
  return (hsa_status_t)code;
}

API hsa_signal_value_t hsa_signal_load_scacquire(hsa_signal_t signal) {
  pthread_mutex_lock(&sim_hsa_lock);
  int64_t value = signal_of(signal)->value;
  pthread_mutex_unlock(&sim_hsa_lock);
  return value;
}

static unsigned doorbells; /* protected by sim_hsa_lock */

unsigned hsa_sim_doorbells(void) {
  pthread_mutex_lock(&sim_hsa_lock);
  unsigned count = doorbells;
  pthread_mutex_unlock(&sim_hsa_lock);
  return count;
}

API void hsa_signal_store_screlease(hsa_signal_t signal, hsa_signal_value_t value) {
  int backwards = 0;
  pthread_mutex_lock(&sim_hsa_lock);
  sim_signal *s = signal_of(signal);
  if (s->is_doorbell) {
    backwards = s->rings > 0 && value < s->value;
    s->rings++;
    doorbells++;
  }
  if (!backwards) s->value = value;
  pthread_cond_broadcast(&sim_hsa_changed);
  pthread_mutex_unlock(&sim_hsa_lock);
  if (backwards) sim_violation("a doorbell is rung with a lower index than before");
}

void sim_hsa_complete(hsa_signal_t signal) {
  if (!signal.handle) return;
  pthread_mutex_lock(&sim_hsa_lock);
  signal_of(signal)->value--;
  pthread_cond_broadcast(&sim_hsa_changed);
  pthread_mutex_unlock(&sim_hsa_lock);
}

int sim_hsa_wait_zero(hsa_signal_t handle, const int *stop) {
  sim_signal *signal = signal_of(handle);
  pthread_mutex_lock(&sim_hsa_lock);
  signal->waiters++;
  while (signal->value != 0 && !*stop && !signal->gone)
    pthread_cond_wait(&sim_hsa_changed, &sim_hsa_lock);
  int reached = signal->value == 0 && !signal->gone;
  int last = --signal->waiters == 0 && signal->gone;
  pthread_mutex_unlock(&sim_hsa_lock);
  if (last) free(signal);
  return reached;
}

API hsa_signal_value_t hsa_signal_wait_scacquire(hsa_signal_t signal,
                                                 hsa_signal_condition_t condition,
                                                 hsa_signal_value_t compare, uint64_t timeout,
                                                 hsa_wait_state_t state) {
  struct timespec until;
  sim_call(__func__);
  (void)state;
  clock_gettime(CLOCK_REALTIME, &until);
  uint64_t ns = (uint64_t)until.tv_nsec + timeout; /* a tick of the clock is 1 ns */
  until.tv_sec += (time_t)(ns / 1000000000);
  until.tv_nsec = (long)(ns % 1000000000);
  if (condition != HSA_SIGNAL_CONDITION_LT)
    sim_violation("wait for unsupported condition %d", (int)condition);
  pthread_mutex_lock(&sim_hsa_lock);
  while (signal_of(signal)->value >= compare)
    if (pthread_cond_timedwait(&sim_hsa_changed, &sim_hsa_lock, &until)) break;
  int64_t value = signal_of(signal)->value;
  pthread_mutex_unlock(&sim_hsa_lock);
  return value;
}

typedef struct handler {
  struct handler *next;
  sim_signal *signal;
  int64_t value;
  hsa_amd_signal_handler call;
  void *argument;
} handler;

static handler *handlers; /* protected by sim_hsa_lock */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int has_thread;

/* Removes and returns a handler if its signal has the value or was destroyed. The caller holds
 * sim_hsa_lock. */
static handler *take_ready(void) {
  for (handler **at = &handlers; *at; at = &(*at)->next) {
    handler *h = *at;
    if (h->signal->value != h->value && !h->signal->gone) continue;
    *at = h->next;
    return h;
  }
  return NULL;
}

static void *call_handlers(void *unused) {
  (void)unused;
  pthread_mutex_lock(&sim_hsa_lock);
  for (;;) {
    handler *h = take_ready();
    if (!h) {
      pthread_cond_wait(&sim_hsa_changed, &sim_hsa_lock);
      continue;
    }
    int64_t value = h->signal->value;
    int gone = h->signal->gone, last = --h->signal->waiters == 0 && gone;
    pthread_mutex_unlock(&sim_hsa_lock);
    if (last) free(h->signal);
    sim_delay();
    if (!gone && h->call(value, h->argument)) sim_violation("a handler requests another call");
    free(h);
    pthread_mutex_lock(&sim_hsa_lock);
  }
  return NULL;
}

static void start_handlers(void) {
  pthread_t thread;
  has_thread = pthread_create(&thread, NULL, call_handlers, NULL) == 0;
  if (has_thread) pthread_detach(thread);
}

API hsa_status_t hsa_amd_signal_async_handler(hsa_signal_t signal, hsa_signal_condition_t condition,
                                              hsa_signal_value_t value, hsa_amd_signal_handler call,
                                              void *argument) {
  ENTER();
  if (!call || !signal.handle) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (condition != HSA_SIGNAL_CONDITION_EQ)
    sim_violation("handler for unsupported condition %d", (int)condition);
  pthread_once(&once, start_handlers);
  handler *h = malloc(sizeof *h);
  if (!h || !has_thread) {
    free(h);
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  pthread_mutex_lock(&sim_hsa_lock);
  *h = (handler){handlers, signal_of(signal), value, call, argument};
  h->signal->waiters++;
  handlers = h;
  pthread_cond_broadcast(&sim_hsa_changed);
  pthread_mutex_unlock(&sim_hsa_lock);
  return HSA_STATUS_SUCCESS;
}
