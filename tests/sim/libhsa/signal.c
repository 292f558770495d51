/* The simulated runtime: signals, and copies by an engine of its own. */
#include "tests/sim/libhsa/inside.h"

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
  int waiters = signal_of(signal)->waiters; /* the last of them frees it */
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

static unsigned doorbells; /* rung; under the lock */

unsigned hsa_sim_doorbells(void) {
  pthread_mutex_lock(&sim_hsa_lock);
  unsigned count = doorbells;
  pthread_mutex_unlock(&sim_hsa_lock);
  return count;
}

API void hsa_signal_store_screlease(hsa_signal_t signal, hsa_signal_value_t value) {
  pthread_mutex_lock(&sim_hsa_lock);
  signal_of(signal)->value = value;
  doorbells += (unsigned)signal_of(signal)->is_doorbell;
  pthread_cond_broadcast(&sim_hsa_changed);
  pthread_mutex_unlock(&sim_hsa_lock);
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

/* --- failures of accepted copies ----------------------------------------------------------------
 */

int sim_hsa_copy_failed;         /* under the lock */
static int copies_until_failure; /* under the lock; 0: none ordered */

void hsa_sim_fail_copy(unsigned nth) {
  pthread_mutex_lock(&sim_hsa_lock);
  copies_until_failure = (int)nth;
  pthread_mutex_unlock(&sim_hsa_lock);
}

__attribute__((constructor)) static void order_failure(void) {
  const char *text = getenv("SIM_FAIL_COPY"); /* the N-th copy */
  if (text) copies_until_failure = atoi(text);
}

/* The error as hsa_ext_amd.h says: a negative signal. */
static int fail_as_ordered(hsa_signal_t completion) {
  pthread_mutex_lock(&sim_hsa_lock);
  int fails = copies_until_failure && --copies_until_failure == 0;
  if (fails) {
    sim_hsa_copy_failed = 1;
    if (getenv("SIM_TRACE")) fprintf(stderr, "sim: a copy fails, ordered to fail\n");
    signal_of(completion)->value = -1;
    pthread_cond_broadcast(&sim_hsa_changed);
  }
  pthread_mutex_unlock(&sim_hsa_lock);
  return fails;
}

API hsa_signal_value_t hsa_signal_wait_scacquire(hsa_signal_t signal,
                                                 hsa_signal_condition_t condition,
                                                 hsa_signal_value_t compare, uint64_t timeout,
                                                 hsa_wait_state_t state) {
  struct timespec until;
  sim_call(__func__);
  (void)state;
  clock_gettime(CLOCK_REALTIME, &until);
  uint64_t ns = (uint64_t)until.tv_nsec + timeout; /* the frequency is 1 GHz */
  until.tv_sec += (time_t)(ns / 1000000000);
  until.tv_nsec = (long)(ns % 1000000000);
  if (condition != HSA_SIGNAL_CONDITION_LT) sim_violation("wait for condition %d", (int)condition);
  pthread_mutex_lock(&sim_hsa_lock);
  while (signal_of(signal)->value >= compare)
    if (pthread_cond_timedwait(&sim_hsa_changed, &sim_hsa_lock, &until)) break;
  int64_t value = signal_of(signal)->value;
  pthread_mutex_unlock(&sim_hsa_lock);
  return value;
}

/* --- copies -------------------------------------------------------------------------------------
 */

typedef struct copy {
  void *dst;
  const void *src;
  uint64_t dst_address, src_address; /* as the caller knows them */
  size_t size;
  int dst_device, src_device;
  uint32_t count;
  hsa_signal_t dependences[8], completion;
} copy;

static sim_worker *engine;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start_engine(void) {
  engine = sim_worker_start();
}

/* Held while bytes are moved and while memory is freed: a copy finds its memory there or not. */
static pthread_mutex_t moving = PTHREAD_MUTEX_INITIALIZER;

int sim_hsa_free(void *address) {
  pthread_mutex_lock(&moving);
  int result = sim_memory_free((uint64_t)(uintptr_t)address);
  pthread_mutex_unlock(&moving);
  return result;
}

/* Whether both ends are still allocated. After a failed call they need not be: a lost device's
 * memory is freed without waiting for what it had to do. */
static int still_there(const copy *c) {
  if (sim_memory_reach(c->dst_address, c->size, NULL) &&
      sim_memory_reach(c->src_address, c->size, NULL))
    return 1;
  if (!sim_call_failed())
    sim_violation("memory of a copy of %zu bytes was freed before the copy was done", c->size);
  return 0;
}

static void run_copy(void *argument) {
  static const int never;
  copy *c = argument;
  for (uint32_t i = 0; i < c->count; i++)
    if (!sim_hsa_wait_zero(c->dependences[i], &never)) return;
  if (fail_as_ordered(c->completion)) return;
  pthread_mutex_lock(&moving);
  if (!still_there(c)) {
    pthread_mutex_unlock(&moving);
    return;
  }
  sim_touch_begin(c->dst_device >= 0 ? c->dst_device : c->src_device);
  memcpy(c->dst, c->src, c->size);
  sim_touch_end(c->dst_device >= 0 ? c->dst_device : c->src_device);
  pthread_mutex_unlock(&moving);
  sim_hsa_complete(c->completion);
}

API hsa_status_t hsa_amd_memory_async_copy(void *dst, hsa_agent_t dst_agent, const void *src,
                                           hsa_agent_t src_agent, size_t size, uint32_t count,
                                           const hsa_signal_t *dependences,
                                           hsa_signal_t completion) {
  ENTER();
  copy c = {.size = size, .count = count, .completion = completion};
  if (!dst_agent.handle || !src_agent.handle || count > 8) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  c.dst_address = (uint64_t)(uintptr_t)dst;
  c.src_address = (uint64_t)(uintptr_t)src;
  c.dst = sim_memory_reach(c.dst_address, size, &c.dst_device);
  c.src = sim_memory_reach(c.src_address, size, &c.src_device);
  if (!c.dst || !c.src) {
    sim_violation("async copy of %zu bytes from %p to %p: not memory of the runtime's", size, src,
                  dst);
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
  if (count) memcpy(c.dependences, dependences, count * sizeof *dependences);
  pthread_once(&once, start_engine);
  if (!engine || sim_worker_add(engine, run_copy, &c, sizeof c))
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  return HSA_STATUS_SUCCESS;
}
