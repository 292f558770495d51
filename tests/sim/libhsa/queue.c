/* The simulated runtime: user-mode queues and their packet processors. */
#include "tests/sim/libhsa/internal.h"

#include "tests/sim/libhsa/hsa_sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* GROUP_BYTES_LIMIT: the virtual GPU aligns each LDS variable to 16 bytes, so a group needs more
 * memory than the packet requests. */
enum { POISON = 0x5a, GROUP_BYTES_LIMIT = 4096, LANES = 4, MOST_SEGMENT = 512 };

struct sim_queue;

/* A thread that executes kernels of a queue. Packets without the barrier bit can execute in
 * parallel. */
typedef struct lane {
  struct sim_queue *queue;
  pthread_t thread;
  int is_started, is_busy;
  hsa_kernel_dispatch_packet_t packet;
  void *running; /* a copy of the packet in memory that the kernel can read */
} lane;

typedef struct sim_queue {
  hsa_queue_t public; /* must be first: a queue handle is the address of this member */
  int device, stop, broken;
  uint64_t write_index, read_index;
  int64_t stalled; /* number of the doorbell ring at which the processor found an invalid packet */
  lane lane[LANES];
  int busy;
  pthread_t thread;
  void (*callback)(hsa_status_t, hsa_queue_t *, void *);
  void *data;
} sim_queue;

static unsigned packets[8];

unsigned hsa_sim_packets(int type) {
  pthread_mutex_lock(&sim_hsa_lock);
  unsigned count = packets[type & 7];
  pthread_mutex_unlock(&sim_hsa_lock);
  return count;
}

/* Copies bytes without functions that ThreadSanitizer intercepts. ThreadSanitizer does not see that
 * the header of the packet orders these accesses. */
static void raw_copy(void *to, const volatile void *from, size_t size) {
  for (size_t i = 0; i < size; i++)
    ((volatile unsigned char *)to)[i] = ((const volatile unsigned char *)from)[i];
}

static void raw_poison(void *at, size_t size) {
  for (size_t i = 0; i < size; i++) ((volatile unsigned char *)at)[i] = POISON;
}

static sim_queue *inside(const hsa_queue_t *queue) {
  return (sim_queue *)(uintptr_t)queue;
}

/* Returns whether the body still has the poison. If so, the program wrote the body after the
 * header, too late. */
static int is_poisoned(const void *bytes, size_t size) {
  const unsigned char *b = bytes;
  for (size_t i = 0; i < size; i++)
    if (b[i] != POISON) return 0;
  return 1;
}

static void run_barrier(const sim_queue *queue, const hsa_barrier_and_packet_t *packet) {
  if (is_poisoned(packet->dep_signal, sizeof packet->dep_signal)) {
    sim_violation("barrier packet published before its body");
    return;
  }
  for (int i = 0; i < 5; i++)
    if (packet->dep_signal[i].handle && !sim_hsa_wait_zero(packet->dep_signal[i], &queue->stop))
      return;
  sim_hsa_complete(packet->completion_signal);
}

static int hidden_is(const char *segment, uint32_t at, const void *value, size_t size) {
  char there[MOST_SEGMENT];
  if (at == UINT32_MAX) return 1;
  raw_copy(there, segment + at, size);
  return memcmp(there, value, size) == 0;
}

static void check_hidden(const hsa_kernel_dispatch_packet_t *packet, const char *segment,
                         const sim_kernel_object *kernel, hsa_queue_t *queue) {
  const uint32_t blocks[3] = {packet->grid_size_x / packet->workgroup_size_x,
                              packet->grid_size_y / packet->workgroup_size_y,
                              packet->grid_size_z / packet->workgroup_size_z};
  const uint32_t lds = packet->group_segment_size - kernel->group_bytes;
  const uint16_t dims = packet->setup & 3;
  const uint64_t queue_address = (uint64_t)(uintptr_t)queue;
  const uint32_t *at = kernel->hidden;
  if (!hidden_is(segment, at[HIDDEN_BLOCKS], blocks, sizeof blocks) ||
      !hidden_is(segment, at[HIDDEN_THREADS], &packet->workgroup_size_x, 6) ||
      !hidden_is(segment, at[HIDDEN_DIMS], &dims, sizeof dims) ||
      !hidden_is(segment, at[HIDDEN_LDS], &lds, sizeof lds) ||
      !hidden_is(segment, at[HIDDEN_QUEUE], &queue_address, sizeof queue_address))
    sim_violation("hidden arguments differ from the packet");
}

static sim_fault run_dispatch(const lane *l) {
  sim_queue *queue = l->queue;
  const hsa_kernel_dispatch_packet_t *packet = &l->packet;
  const sim_kernel_object *kernel = (const void *)(uintptr_t)packet->kernel_object;
  if (is_poisoned(&packet->kernel_object, 8) || is_poisoned(&packet->kernarg_address, 8) ||
      is_poisoned(&packet->grid_size_x, 4) || is_poisoned(&packet->completion_signal, 8)) {
    sim_violation("dispatch packet published before its body");
    return SIM_FAULT_OTHER;
  }
  if (kernel->check != KERNEL_CHECK || kernel->device != queue->device) {
    sim_violation("dispatch packet without a kernel of this device");
    return SIM_FAULT_OTHER;
  }
  const char *segment =
      sim_memory_reach((uint64_t)(uintptr_t)packet->kernarg_address, kernel->segment, NULL);
  uint32_t threads =
      (uint32_t)packet->workgroup_size_x * packet->workgroup_size_y * packet->workgroup_size_z;
  if (!segment || packet->reserved0 || packet->reserved2 || (packet->setup & ~3) ||
      !(packet->setup & 3) || threads == 0 || threads > 1024 ||
      packet->grid_size_x % packet->workgroup_size_x || packet->group_segment_size > 65536) {
    sim_violation("malformed dispatch packet");
    return SIM_FAULT_OTHER;
  }
  sim_access_check(packet->kernarg_address, queue->device, "the argument segment");
  check_hidden(packet, segment, kernel, &queue->public);
  raw_copy(l->running, packet, sizeof *packet);
  sim_grid grid = {
      .entry = kernel->entry,
      .shared_limit = (64 << 10) + GROUP_BYTES_LIMIT,
      .packet = (uint64_t)(uintptr_t)l->running,
      .implicit = (uint64_t)(uintptr_t)packet->kernarg_address + 8 * kernel->slots,
      .blocks = {packet->grid_size_x / packet->workgroup_size_x,
                 packet->grid_size_y / packet->workgroup_size_y,
                 packet->grid_size_z / packet->workgroup_size_z},
      .threads = {packet->workgroup_size_x, packet->workgroup_size_y, packet->workgroup_size_z},
      .shared_bytes = packet->group_segment_size - kernel->group_bytes,
      .slots = kernel->slots};
  sim_module_describe(kernel->module, kernel->warp_size, &grid);
  raw_copy(grid.slot, segment, 8 * kernel->slots);
  char before[MOST_SEGMENT];
  size_t compared = kernel->segment < MOST_SEGMENT ? kernel->segment : MOST_SEGMENT;
  raw_copy(before, segment, compared);
  sim_fault fault = sim_device_run(queue->device, &grid);
  if (!hidden_is(segment, 0, before, compared))
    sim_violation("an argument segment is overwritten while its kernel runs");
  sim_device_flush(queue->device);
  /* the packet is invalid after its kernel, so later reads find the poison */
  raw_poison(l->running, sizeof *packet);
  if (fault == SIM_RAN) sim_hsa_complete(packet->completion_signal);
  return fault;
}

/* Reports the fault to the program. The packets of the queue never complete. */
static void break_queue(sim_queue *queue, sim_fault fault) {
  pthread_mutex_lock(&sim_hsa_lock);
  queue->broken = 1;
  pthread_mutex_unlock(&sim_hsa_lock);
  if (fault == SIM_FAULT_ADDRESS && sim_hsa_report_fault(queue->device, 0) == HSA_STATUS_SUCCESS)
    return;
  queue->callback(fault == SIM_FAULT_INSTRUCTION
                      ? (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION
                  : fault == SIM_FAULT_ADDRESS ? (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT
                                               : HSA_STATUS_ERROR_EXCEPTION,
                  &queue->public, queue->data);
}

static void *run_lane(void *of) {
  lane *l = of;
  sim_queue *queue = l->queue;
  pthread_mutex_lock(&sim_hsa_lock);
  for (;;) {
    while (!l->is_busy && !queue->stop) pthread_cond_wait(&sim_hsa_changed, &sim_hsa_lock);
    if (!l->is_busy) break;
    pthread_mutex_unlock(&sim_hsa_lock);
    sim_delay();
    sim_fault fault = run_dispatch(l);
    if (fault != SIM_RAN) break_queue(queue, fault);
    pthread_mutex_lock(&sim_hsa_lock);
    l->is_busy = 0;
    queue->busy--;
    pthread_cond_broadcast(&sim_hsa_changed);
  }
  pthread_mutex_unlock(&sim_hsa_lock);
  return NULL;
}

static void start_dispatch(sim_queue *queue, const hsa_kernel_dispatch_packet_t *packet) {
  lane *l = NULL;
  pthread_mutex_lock(&sim_hsa_lock);
  while (queue->busy == LANES && !queue->stop) pthread_cond_wait(&sim_hsa_changed, &sim_hsa_lock);
  for (int i = 0; i < LANES && !l; i++)
    if (!queue->lane[i].is_busy) l = &queue->lane[i];
  if (l && !l->is_started) {
    l->queue = queue;
    l->running = (void *)sim_memory_alloc(SIM_ON_HOST, 64, 64);
    l->is_started = l->running && pthread_create(&l->thread, NULL, run_lane, l) == 0;
  }
  if (l && l->is_started) {
    l->packet = *packet;
    l->is_busy = 1;
    queue->busy++;
    pthread_cond_broadcast(&sim_hsa_changed);
  }
  pthread_mutex_unlock(&sim_hsa_lock);
}

/* A packet with the barrier bit waits for all preceding packets. */
static int may_start(const sim_queue *queue, uint32_t word) {
  return !(word & 1 << HSA_PACKET_HEADER_BARRIER) || !queue->busy;
}

/* The doorbell announced a packet that is still invalid. The processor waits for the next ring. The
 * caller holds sim_hsa_lock. */
static void stall(sim_queue *queue) {
  const sim_signal *doorbell = signal_of(queue->public.doorbell_signal);
  if (doorbell->rings && doorbell->value >= (int64_t)queue->read_index &&
      queue->stalled != doorbell->rings)
    queue->stalled = doorbell->rings;
}

static int is_stalled(const sim_queue *queue) {
  return queue->stalled && queue->stalled == signal_of(queue->public.doorbell_signal)->rings;
}

/* Waits for the next valid packet and removes it. Returns 0 when the queue ends. */
static int take(sim_queue *queue, hsa_kernel_dispatch_packet_t *out) {
  char *slot = (char *)queue->public.base_address + (queue->read_index % queue->public.size) * 64;
  pthread_mutex_lock(&sim_hsa_lock);
  for (;;) {
    uint32_t word = __atomic_load_n((uint32_t *)(void *)slot, __ATOMIC_ACQUIRE);
    uint32_t type = word & 0xff;
    if (queue->stop) break;
    if (type == HSA_PACKET_TYPE_INVALID) stall(queue);
    if (!queue->broken && queue->read_index < queue->write_index && !is_stalled(queue) &&
        type != HSA_PACKET_TYPE_INVALID && may_start(queue, word)) {
      raw_copy(out, slot, 64);
      raw_poison(slot + 4, 60);
      __atomic_store_n((uint32_t *)(void *)slot, HSA_PACKET_TYPE_INVALID, __ATOMIC_RELEASE);
      packets[type & 7]++;
      queue->read_index++; /* the slot can be reused; the packet is accepted, not complete */
      pthread_cond_broadcast(&sim_hsa_changed);
      break;
    }
    pthread_cond_wait(&sim_hsa_changed, &sim_hsa_lock);
  }
  int stop = queue->stop;
  pthread_mutex_unlock(&sim_hsa_lock);
  return !stop;
}

static void *process(void *argument) {
  sim_queue *queue = argument;
  hsa_kernel_dispatch_packet_t packet;
  while (take(queue, &packet)) {
    uint32_t type = packet.header & 0xff;
    if (type == HSA_PACKET_TYPE_BARRIER_AND) {
      sim_delay();
      run_barrier(queue, (const hsa_barrier_and_packet_t *)(const void *)&packet);
    } else if (type == HSA_PACKET_TYPE_KERNEL_DISPATCH) {
      start_dispatch(queue, &packet);
    } else {
      sim_violation("unsupported packet type %u", type);
    }
  }
  return NULL;
}

API hsa_status_t hsa_queue_create(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
                                  void (*callback)(hsa_status_t, hsa_queue_t *, void *), void *data,
                                  uint32_t private_size, uint32_t group_size, hsa_queue_t **out) {
  ENTER();
  (void)private_size, (void)group_size;
  sim_queue *queue = calloc(1, sizeof *queue);
  if (!queue || (size & (size - 1)) || agent.handle < AGENT_DEVICE)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  queue->device = (int)agent.handle - AGENT_DEVICE;
  queue->callback = callback;
  queue->data = data;
  queue->public.type = type;
  queue->public.size = size;
  queue->public.base_address = aligned_alloc(64, (size_t)size * 64);
  sim_signal *doorbell = calloc(1, sizeof *doorbell);
  if (!queue->public.base_address || !doorbell || sim_device_start(queue->device))
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  doorbell->is_doorbell = 1;
  queue->public.doorbell_signal.handle = (uint64_t)(uintptr_t)doorbell;
  for (uint32_t i = 0; i < size; i++) {
    char *slot = (char *)queue->public.base_address + (size_t)i * 64;
    memset(slot, POISON, 64);
    *(uint32_t *)(void *)slot = HSA_PACKET_TYPE_INVALID;
  }
  if (pthread_create(&queue->thread, NULL, process, queue))
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  sim_live("queue", 1);
  *out = &queue->public;
  return HSA_STATUS_SUCCESS;
}

API hsa_status_t hsa_queue_destroy(hsa_queue_t *handle) {
  int code = sim_call(__func__);
  sim_queue *queue = inside(handle);
  pthread_mutex_lock(&sim_hsa_lock);
  if (!queue->broken && queue->read_index != queue->write_index && !sim_call_failed() &&
      !sim_hsa_copy_failed)
    sim_violation("a queue is destroyed while it contains packets");
  queue->stop = 1;
  pthread_cond_broadcast(&sim_hsa_changed);
  pthread_mutex_unlock(&sim_hsa_lock);
  pthread_join(queue->thread, NULL);
  for (int i = 0; i < LANES; i++) {
    lane *l = &queue->lane[i];
    if (!l->is_started) continue;
    pthread_join(l->thread, NULL);
    sim_memory_free((uint64_t)(uintptr_t)l->running);
  }
  free(signal_of(handle->doorbell_signal));
  free(handle->base_address);
  free(queue);
  sim_live("queue", -1);
  return (hsa_status_t)code;
}

API uint64_t hsa_queue_add_write_index_screlease(const hsa_queue_t *queue, uint64_t value) {
  pthread_mutex_lock(&sim_hsa_lock);
  uint64_t before = inside(queue)->write_index;
  inside(queue)->write_index += value;
  pthread_mutex_unlock(&sim_hsa_lock);
  return before;
}

API uint64_t hsa_queue_load_read_index_scacquire(const hsa_queue_t *queue) {
  pthread_mutex_lock(&sim_hsa_lock);
  uint64_t index = inside(queue)->read_index;
  pthread_mutex_unlock(&sim_hsa_lock);
  return index;
}
