/* The simulated runtime: copies by an engine, and fills. */
#include "tests/sim/libhsa/internal.h"

#include "tests/sim/libhsa/hsa_sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sim_hsa_copy_failed;         /* protected by sim_hsa_lock */
static int copies_until_failure; /* the copy that fails, counted from the next one; 0: none */

void hsa_sim_fail_copy(unsigned nth) {
  pthread_mutex_lock(&sim_hsa_lock);
  copies_until_failure = (int)nth;
  pthread_mutex_unlock(&sim_hsa_lock);
}

__attribute__((constructor)) static void order_failure(void) {
  const char *text = getenv("SIM_FAIL_COPY");
  if (text) copies_until_failure = atoi(text);
}

/* A failed copy sets its signal to a negative value (hsa_ext_amd.h). */
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

typedef struct side {
  char *at;
  uint64_t address; /* the address that the caller passed */
  size_t bytes, pitch, slice;
  int device;
} side;

typedef struct copy {
  side dst, src;
  hsa_dim3_t range;
  size_t row; /* bytes of a plain copy, which can exceed the 32 bits of range.x */
  uint32_t count;
  hsa_signal_t dependences[8], completion;
} copy;

static sim_worker *engine;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start_engine(void) {
  engine = sim_worker_start();
}

/* References the signals, so that they are not freed before the copy ends. */
static void hold_signals(const copy *c) {
  pthread_mutex_lock(&sim_hsa_lock);
  for (uint32_t i = 0; i < c->count; i++) signal_of(c->dependences[i])->waiters++;
  signal_of(c->completion)->waiters++;
  pthread_mutex_unlock(&sim_hsa_lock);
}

static void drop_signal(hsa_signal_t handle) {
  pthread_mutex_lock(&sim_hsa_lock);
  sim_signal *signal = signal_of(handle);
  int last = --signal->waiters == 0 && signal->gone;
  pthread_mutex_unlock(&sim_hsa_lock);
  if (last) free(signal);
}

/* Held while a copy moves bytes, so that the memory of the copy is not freed. */
static pthread_mutex_t moving = PTHREAD_MUTEX_INITIALIZER;

int sim_hsa_free(void *address) {
  pthread_mutex_lock(&moving);
  int result = sim_memory_free((uint64_t)(uintptr_t)address);
  pthread_mutex_unlock(&moving);
  return result;
}

/* Returns whether both sides of the copy are still allocated. A program may free the memory of a
 * lost device without a wait for copies. */
static int still_there(const copy *c) {
  if (sim_memory_reach(c->dst.address, c->dst.bytes, NULL) &&
      sim_memory_reach(c->src.address, c->src.bytes, NULL))
    return 1;
  if (!sim_call_failed() && !sim_hsa_copy_failed)
    sim_violation("memory of a copy of %zu bytes was freed before the copy was complete", c->row);
  return 0;
}

static void do_copy(const copy *c) {
  static const int never;
  /* Locks both devices in ascending order, so that two copies in opposite directions cannot block
   * each other. */
  int first = c->dst.device, second = c->src.device == first ? SIM_ON_HOST : c->src.device;
  for (uint32_t i = 0; i < c->count; i++)
    if (!sim_hsa_wait_zero(c->dependences[i], &never)) return;
  if (fail_as_ordered(c->completion)) return;
  if (first > second) {
    int other = first;
    first = second, second = other;
  }
  pthread_mutex_lock(&moving);
  if (!still_there(c)) {
    pthread_mutex_unlock(&moving);
    return;
  }
  if (first >= 0) sim_access_begin(first);
  if (second >= 0) sim_access_begin(second);
  for (uint32_t z = 0; z < c->range.z; z++)
    for (uint32_t y = 0; y < c->range.y; y++)
      memcpy(c->dst.at + z * c->dst.slice + y * c->dst.pitch,
             c->src.at + z * c->src.slice + y * c->src.pitch, c->row);
  if (second >= 0) sim_access_end(second);
  if (first >= 0) sim_access_end(first);
  pthread_mutex_unlock(&moving);
  sim_hsa_complete(c->completion);
}

static void run_copy(void *argument) {
  const copy *c = argument;
  do_copy(c);
  for (uint32_t i = 0; i < c->count; i++) drop_signal(c->dependences[i]);
  drop_signal(c->completion);
}

static hsa_status_t enqueue(copy *c, const hsa_signal_t *dependences) {
  if (c->count > 8) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (c->count) memcpy(c->dependences, dependences, c->count * sizeof *dependences);
  pthread_once(&once, start_engine);
  if (!engine) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  hold_signals(c);
  if (sim_worker_add(engine, run_copy, c, sizeof *c)) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  return HSA_STATUS_SUCCESS;
}

static int reach(side *s, const void *address, size_t bytes) {
  s->address = (uint64_t)(uintptr_t)address;
  s->bytes = bytes;
  s->at = sim_memory_reach(s->address, bytes, &s->device);
  if (!s->at) sim_violation("copy of %zu bytes at %p: not memory of the runtime", bytes, address);
  return s->at != NULL;
}

static void check_access(hsa_agent_t agent, const void *dst, const void *src) {
  if (agent.handle < AGENT_DEVICE) return;
  sim_access_check(dst, (int)agent.handle - AGENT_DEVICE, "the target of a copy");
  sim_access_check(src, (int)agent.handle - AGENT_DEVICE, "the source of a copy");
}

API hsa_status_t hsa_amd_memory_async_copy(void *dst, hsa_agent_t dst_agent, const void *src,
                                           hsa_agent_t src_agent, size_t size, uint32_t count,
                                           const hsa_signal_t *dependences,
                                           hsa_signal_t completion) {
  ENTER();
  copy c = {.range = {0, 1, 1}, .row = size, .count = count, .completion = completion};
  if (!dst_agent.handle || !src_agent.handle) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (!reach(&c.dst, dst, size) || !reach(&c.src, src, size))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  check_access(dst_agent, dst, src);
  check_access(src_agent, dst, src);
  return enqueue(&c, dependences);
}

/* Rejects everything that hsa_pitched_ptr_t does not guarantee: incomplete words, and offsets other
 * than 0. */
static int lay_out(side *s, const hsa_pitched_ptr_t *p, const hsa_dim3_t *offset,
                   const hsa_dim3_t *range) {
  uint64_t bits = (uint64_t)(uintptr_t)p->base | p->pitch | p->slice | range->x;
  if (bits % 4 || offset->x || offset->y || offset->z || p->pitch < range->x) {
    sim_violation("invalid box at %p: pitch %zu, slice %zu, %u bytes per row", p->base, p->pitch,
                  p->slice, range->x);
    return 0;
  }
  s->pitch = p->pitch;
  s->slice = p->slice;
  return reach(s, p->base, (range->z - 1) * p->slice + (range->y - 1) * p->pitch + range->x);
}

API hsa_status_t hsa_amd_memory_async_copy_rect(
    const hsa_pitched_ptr_t *dst, const hsa_dim3_t *dst_offset, const hsa_pitched_ptr_t *src,
    const hsa_dim3_t *src_offset, const hsa_dim3_t *range, hsa_agent_t agent,
    hsa_amd_copy_direction_t direction, uint32_t count, const hsa_signal_t *dependences,
    hsa_signal_t completion) {
  ENTER();
  const char *text = getenv("SIM_HSA_SDMA");
  copy c = {.range = *range, .row = range->x, .count = count, .completion = completion};
  if (text && !atoi(text)) return HSA_STATUS_ERROR_INVALID_AGENT; /* no copy engine */
  if (agent.handle < AGENT_DEVICE) return HSA_STATUS_ERROR_INVALID_AGENT;
  if (!lay_out(&c.dst, dst, dst_offset, range) || !lay_out(&c.src, src, src_offset, range))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if ((c.dst.device >= 0) != (direction != hsaDeviceToHost) ||
      (c.src.device >= 0) != (direction != hsaHostToDevice))
    sim_violation("the direction %d of a box copy does not match its memory", (int)direction);
  check_access(agent, dst->base, src->base);
  return enqueue(&c, dependences);
}

API hsa_status_t hsa_amd_memory_fill(void *at, uint32_t value, size_t count) {
  ENTER();
  side s;
  if (!at || (uint64_t)(uintptr_t)at % 4) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (!reach(&s, at, count * 4)) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  sim_delay();
  if (s.device >= 0) sim_access_begin(s.device);
  for (size_t i = 0; i < count; i++) memcpy(s.at + 4 * i, &value, 4);
  if (s.device >= 0) sim_access_end(s.device);
  return HSA_STATUS_SUCCESS;
}
