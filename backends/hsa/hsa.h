/* Internal interface of the HSA backend (docs/design/gpu-queues.md). A solo_bqueue is a sequence of
 * operations. Kernels are packets in a hardware queue, which several solo_bqueue objects share;
 * copies run on the copy engines. The completion signal of an operation changes from 1 to 0
 * when the operation completes. A failed copy makes the signal negative; the device is then lost.
 * Ownership, threads, errors: runtime/backend.h. Units: bytes, ns. */
#ifndef SOLO_HSA_PRIVATE_H
#define SOLO_HSA_PRIVATE_H

#include "backends/hsa/hsa_api.h"
#include "backends/hsa/hsa_kernarg.h"
#include "backends/hsa/hsa_packet.h"
#include "runtime/backend.h"
#include "runtime/backend_operations.h"
#include "runtime/base/atomic.h"
#include "runtime/base/lock.h"

enum {
  SOLO_HSA_HARDWARE_QUEUES = 4,
  SOLO_HSA_QUEUE_PACKETS = 512,
  /* interval between packets with the barrier bit: a power of two, less than half of
   * SOLO_HSA_QUEUE_PACKETS (invariant I5 of gpu-queues.md) */
  SOLO_HSA_BARRIER_EVERY = 64,
  SOLO_HSA_SEGMENT_BYTES = 4096, /* for the arguments of Clang's largest kernels, and inline data */
  /* solo_device_info.inline_data_reads: estimated bytes that a bus transfers during a small copy */
  SOLO_HSA_INLINE_READS = 1 << 20,
  /* Operations in flight per queue. A process has 4,096 interrupt signals, enough for 256 queues. */
  SOLO_HSA_OPERATIONS = 16,
  SOLO_HSA_STAGE_BYTES = 1 << 20,
  SOLO_HSA_STAGES = 2,
  SOLO_HSA_LOST_TEXT = 160,
};

typedef struct solo_hsa_grant solo_hsa_grant;

typedef struct solo_hsa_completion_signal {
  hsa_signal_t signal;
  solo_bdevice *home;
  _Atomic uint32_t holders;
  struct solo_hsa_completion_signal *next;
  struct solo_hsa_completion_signal *next_all; /* next in all_completions; constant */
} solo_hsa_completion_signal;

typedef struct solo_hsa_hardware_queue {
  hsa_queue_t *queue;
  uint8_t *segments;
  _Atomic uint32_t publishing; /* spin lock of solo_hsa_publish_begin() */
} solo_hsa_hardware_queue;

struct solo_bdevice {
  hsa_agent_t agent, host;
  hsa_amd_memory_pool_t device_pool, host_pool, kernarg_pool;
  int ordinal, number;
  char target[SOLO_TARGET_TEXT];
  uint32_t max_threads, max_shared, max_teams;
  _Atomic int lost;                   /* the hsa_status_t that ended the device; 0: usable */
  char lost_text[SOLO_HSA_LOST_TEXT]; /* complete once lost is set */
  _Atomic int lost_claimed;
  solo_lock lock; /* guards the non-atomic members below, and insertions into all_completions */
  solo_hsa_hardware_queue hardware[SOLO_HSA_HARDWARE_QUEUES];
  uint32_t queues_opened;
  solo_hsa_completion_signal *free_completions;
  /* signals are inserted but never removed, so readers need no lock */
  _Atomic(solo_hsa_completion_signal *) all_completions;
  solo_bkernel *retired;
  solo_hsa_grant *grants;
  /* One bit per ordinal. A bit of peers_reached is valid if the same bit of peers_queried is set. */
  _Atomic uint64_t peers_queried, peers_reached;
  _Atomic int no_boxes; /* 1: the copy engine rejects boxes (solo_copy_box) */
  solo_bdevice *next;   /* guarded by open_lock */
};

struct solo_bkernel {
  solo_bkernel *next;
  uint64_t object;
  uint32_t group_bytes, private_bytes, max_threads;
  /* position and limit of inline data in the kernarg segment */
  uint32_t inline_data_at, inline_data_bytes;
  solo_hsa_kernarg_layout layout;
  char name[];
};

struct solo_bmodule {
  solo_bdevice *device;
  hsa_executable_t executable;
  solo_span note;
  solo_amdgpu_metadata metadata;
  solo_lock lock; /* guards kernels */
  solo_bkernel *kernels;
};

typedef enum solo_hsa_operation_kind {
  SOLO_HSA_PACKET,
  SOLO_HSA_COPY,
} solo_hsa_operation_kind;

typedef struct solo_hsa_operation {
  solo_hsa_completion_signal *completion;
  /* signals of awaited events, referenced until the operation is complete */
  solo_hsa_completion_signal *held[2];
  solo_hsa_operation_kind kind;
} solo_hsa_operation;

struct solo_bqueue {
  solo_bdevice *device;
  solo_hsa_hardware_queue *hardware;
  uint64_t count;   /* committed operations */
  uint32_t waiting; /* number of events in `waits`, for which the next operation waits */
  solo_hsa_completion_signal *waits[2];
  int begun; /* 1: the next operation's slot is prepared */
  const solo_bkernel *last;
  uint8_t *stage[SOLO_HSA_STAGES]; /* pinned */
  /* number of the operation that uses the buffer, from 1; 0: none */
  uint64_t stage_use[SOLO_HSA_STAGES];
  uint32_t stage_next;
  solo_hsa_operation operations[SOLO_HSA_OPERATIONS];
};

struct solo_bevent {
  solo_bdevice *device;
  solo_lock lock;                         /* guards completion */
  solo_hsa_completion_signal *completion; /* NULL: the event is reached */
  _Atomic uint32_t queries;
};

#define XX(operation) SOLO_BACKEND_DECLARE(hsa, operation)
SOLO_BACKEND_OPERATIONS(XX, XX)
#undef XX

extern SOLO_HIDDEN const solo_backend solo_hsa_backend;

solo_status solo_hsa_fail(solo_bdevice *device, hsa_status_t result, const char *what, ...)
    SOLO_PRINTF(3, 4) SOLO_COLD;
solo_status solo_hsa_fail_start(hsa_status_t result, const char *what) SOLO_COLD;
solo_status solo_hsa_fail_lost(const solo_bdevice *device) SOLO_COLD;
void solo_hsa_mark_lost(solo_bdevice *device, hsa_status_t result, const char *format, ...)
    SOLO_PRINTF(3, 4) SOLO_COLD;

SOLO_INLINE int solo_hsa_is_lost(const solo_bdevice *device) {
  /* Ordering:  this acquire load pairs with the release store in solo_hsa_mark_lost().
   * Otherwise: the caller could report an incomplete lost_text. */
  return SOLO_UNLIKELY(solo_load_acquire(&((solo_bdevice *)(uintptr_t)device)->lost) != 0);
}

#define SOLO_HSA_CHECK_LOST(device)                                                                \
  do {                                                                                             \
    if (solo_hsa_is_lost(device)) return solo_hsa_fail_lost(device);                               \
  } while (0)

#define SOLO_HSA_TRY(device, call, ...)                                                            \
  do {                                                                                             \
    hsa_status_t hsa_result_ = (call);                                                             \
    if (SOLO_UNLIKELY(hsa_result_ != HSA_STATUS_SUCCESS))                                          \
      return solo_hsa_fail(device, hsa_result_, __VA_ARGS__);                                      \
  } while (0)

/* Returns a signal of value 1; the caller holds the only reference. */
solo_status solo_hsa_completion_allocate(solo_bdevice *device,
                                         solo_hsa_completion_signal **out) SOLO_MUST_CHECK;
void solo_hsa_completion_acquire(solo_hsa_completion_signal *completion);
void solo_hsa_completion_release(solo_hsa_completion_signal *completion);
/* Returns whether the signal's operation is complete. Marks the device as lost if a copy failed. */
int solo_hsa_completion_reached(const solo_hsa_completion_signal *completion);
/* Marks the device as lost if any copy failed. */
void solo_hsa_completions_check(solo_bdevice *device);
solo_status solo_hsa_completion_wait(solo_bdevice *device,
                                     const solo_hsa_completion_signal *completion) SOLO_MUST_CHECK;
void solo_hsa_completions_close(solo_bdevice *device);

/* Prepares the next operation. The caller enqueues it, and then calls solo_hsa_operation_commit(). */
solo_status solo_hsa_operation_begin(solo_bqueue *queue, solo_hsa_operation_kind kind,
                                     solo_hsa_operation **out) SOLO_MUST_CHECK;
void solo_hsa_operation_commit(solo_bqueue *queue);
/* Returns the last operation; NULL if it is complete. */
const solo_hsa_operation *solo_hsa_operation_before(const solo_bqueue *queue);
void solo_hsa_operation_release(solo_hsa_operation *operation);

/* Enqueues a packet that waits for the events in queue->waits. */
solo_status solo_hsa_operation_wait(solo_bqueue *queue) SOLO_MUST_CHECK;
solo_status solo_hsa_queue_drain(solo_bqueue *queue) SOLO_MUST_CHECK;

SOLO_INLINE solo_hsa_operation *solo_hsa_operation_at(solo_bqueue *queue, uint64_t number) {
  return &queue->operations[number % SOLO_HSA_OPERATIONS];
}

typedef struct solo_hsa_copy {
  solo_hsa_operation *operation;
  hsa_signal_t dependences[3];
  const hsa_signal_t *first;
  uint32_t count;
} solo_hsa_copy;

solo_status solo_hsa_copy_begin(solo_bqueue *queue, solo_hsa_copy *out) SOLO_MUST_CHECK;

/* Returns whether all devices in the bit set `devices` can access the block. */
int solo_hsa_grants_has(solo_bdevice *device, uint64_t address, uint64_t devices);
/* Records the devices that can access the block; replaces an older record. */
solo_status solo_hsa_grants_add(solo_bdevice *device, uint64_t base, uint64_t bytes,
                                uint64_t devices) SOLO_MUST_CHECK;
void solo_hsa_grants_remove(solo_bdevice *device, uint64_t base);
void solo_hsa_grants_close(solo_bdevice *device);

enum { SOLO_HSA_MOST_DEVICES = 64 };

typedef struct solo_hsa_open_devices {
  uint32_t count;
  hsa_agent_t agents[SOLO_HSA_MOST_DEVICES];
  int ordinals[SOLO_HSA_MOST_DEVICES];
} solo_hsa_open_devices;

void solo_hsa_devices_open(solo_hsa_open_devices *out);

uint32_t solo_hsa_unified_flags(const solo_bdevice *device);

solo_status solo_hsa_hardware_open(solo_bdevice *device,
                                   solo_hsa_hardware_queue *hardware) SOLO_MUST_CHECK;
void solo_hsa_hardware_close(solo_hsa_hardware_queue *hardware);

/* Between the two calls, no other thread reserves or submits packets of the hardware queue. */
void solo_hsa_publish_begin(solo_hsa_hardware_queue *hardware);
void solo_hsa_publish_end(solo_hsa_hardware_queue *hardware);
/* Reserves a packet. Waits until the previous use of its slot and kernarg segment is complete. */
solo_status solo_hsa_packet_reserve(solo_bdevice *device, solo_hsa_hardware_queue *hardware,
                                    uint64_t *out_index) SOLO_MUST_CHECK;
void *solo_hsa_packet_at(const solo_hsa_hardware_queue *hardware, uint64_t index);
void solo_hsa_packet_submit(const solo_hsa_hardware_queue *hardware, uint64_t index, uint32_t word);

/* Enqueues a barrier packet that waits for a preceding copy and for the events in queue->waits. When
 * the barrier completes, `operation` (may be NULL) completes. */
solo_status solo_hsa_barrier(solo_bqueue *queue,
                             const solo_hsa_operation *operation) SOLO_MUST_CHECK;

#endif
