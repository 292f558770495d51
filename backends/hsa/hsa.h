/* What the files of the HSA backend share: the handles' insides, errors, completion signals.
 *
 * Order. An in-order queue of the contract (solo_bqueue) is a sequence of operations, each with a
 * completion signal, whose value is 1 until the operation is complete. Kernels go as packets into one of a
 * few hardware queues that the device's queues share. A packet that follows an operation of its queue that is
 * not complete carries the barrier bit, and starts when all packets before it in its hardware queue are
 * complete. A packet that follows nothing carries no barrier bit, so kernels of several queues run at a time. Copies go
 * to the copy engines with the completion signals they depend on. A packet that follows a copy, or another
 * queue's event, gets a barrier-AND packet in front. So a launch costs one packet and one doorbell,
 * and its wait one signal.
 *
 * Completion signals are counted: the queue holds one for each of its last operations; an event that was
 * recorded there holds the same one, and so does an operation that waits for the event. A completion signal is used
 * again only when its queue alone holds it. Its value:
 *
 *   1 --the operation is complete--> 0 --only its queue holds it, and uses it again--> 1
 *   1 --the copy failed: the device is lost--> negative, for ever
 *
 * Argument segments are slots beside the packets of a hardware queue, one per packet. Every
 * SOLO_HSA_BARRIER_EVERY-th packet carries the barrier bit whatever it is: packet i is complete once
 * the next such packet behind it was taken, and then its slot is free.
 *
 * Lost devices. The runtime reports a queue's error or a memory fault by callback: the first report
 * is kept, everything after returns DEVICE_LOST, waits end. A copy that fails after it was accepted
 * makes its signal negative (hsa_ext_amd.h), and barriers and copies behind it wait for 0 for ever:
 * nothing computes with what did not arrive, nothing is copied out over the host's data. So it ends
 * the device too. A thread that waits, or asks again and again, looks at all completion signals of the device now
 * and then: the negative one is rarely the one that is waited for.
 *
 * Ownership, threads, errors: runtime/backend.h. Units: bytes, ns.
 */
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
  SOLO_HSA_HARDWARE_QUEUES = 4, /* per device, shared by its queues */
  SOLO_HSA_QUEUE_PACKETS = 512,
  SOLO_HSA_BARRIER_EVERY = 64,     /* a power of two, less than half of the packets */
  SOLO_HSA_SEGMENT_BYTES = 4096,   /* argument segment (Clang passes at most that), inline data */
  SOLO_HSA_INLINE_READS = 1 << 20, /* a guess: what a bus moves in the time of a small copy */
  /* In flight per queue before one waits for the oldest. Each has a signal, and the kernel driver
   * has 4096 that can wake somebody up per process: enough for 256 queues. */
  SOLO_HSA_OPERATIONS = 16,
  SOLO_HSA_STAGE_BYTES = 1 << 20,
  SOLO_HSA_STAGES = 2,
  SOLO_HSA_LOST_TEXT = 160,
};

typedef struct solo_hsa_grant solo_hsa_grant; /* hsa_peer.c */

typedef struct solo_hsa_completion_signal {
  hsa_signal_t signal;
  solo_bdevice *home; /* whose free list it goes back to; open as long as any holder */
  _Atomic uint32_t holders;
  struct solo_hsa_completion_signal *next; /* free list of the device */
  struct solo_hsa_completion_signal
      *next_all; /* list of all of the device; written before it is in it */
} solo_hsa_completion_signal;

typedef struct solo_hsa_hardware_queue {
  hsa_queue_t *queue;          /* NULL: not made yet */
  uint8_t *segments;           /* SOLO_HSA_QUEUE_PACKETS x SOLO_HSA_SEGMENT_BYTES, host memory */
  _Atomic uint32_t publishing; /* 1: a thread is between reserving a packet and its doorbell */
} solo_hsa_hardware_queue;

struct solo_bdevice {
  hsa_agent_t agent, host;
  hsa_amd_memory_pool_t device_pool, host_pool, kernarg_pool;
  int ordinal, number;
  char target[SOLO_TARGET_TEXT];
  uint32_t max_threads, max_shared, max_teams;
  _Atomic int lost;                   /* the hsa_status_t that ended the device; 0: it lives */
  char lost_text[SOLO_HSA_LOST_TEXT]; /* written before lost is set */
  _Atomic int lost_claimed;           /* the first reporter writes the text */
  solo_lock lock;                     /* guards what follows */
  solo_hsa_hardware_queue hardware[SOLO_HSA_HARDWARE_QUEUES];
  uint32_t queues_opened;
  solo_hsa_completion_signal *free_completions;
  _Atomic(solo_hsa_completion_signal *) all_completions; /* grows only; read without the lock */
  solo_bkernel *retired;                                 /* of unloaded modules: their names */
  solo_hsa_grant *grants;                                /* blocks opened to other devices */
  /* Bits by ordinal: whether this device reaches the other's memory. Those asked are final. */
  _Atomic uint64_t peers_asked, peers_reached;
  _Atomic int no_boxes; /* the copy engine does not take them; relaxed: spares a call */
  solo_bdevice *next;   /* in the list of open devices, for the fault handler */
};

struct solo_bkernel {
  solo_bkernel *next;
  uint64_t object;
  uint32_t group_bytes, private_bytes, max_threads;
  uint32_t inline_data_at, inline_data_bytes; /* in the segment, behind the arguments */
  solo_hsa_kernarg_layout layout;
  char name[];
};

struct solo_bmodule {
  solo_bdevice *device;
  hsa_executable_t executable;
  solo_span note; /* own copy of the metadata */
  solo_amdgpu_metadata metadata;
  solo_lock lock; /* guards kernels */
  solo_bkernel *kernels;
};

typedef enum solo_hsa_operation_kind {
  SOLO_HSA_PACKET,
  SOLO_HSA_ELSEWHERE, /* not by a packet: a copy */
} solo_hsa_operation_kind;

typedef struct solo_hsa_operation {
  solo_hsa_completion_signal *completion; /* kept from use to use */
  solo_hsa_completion_signal *held[2];    /* events that it waits for, until it is complete */
  solo_hsa_operation_kind kind;
} solo_hsa_operation;

struct solo_bqueue {
  solo_bdevice *device;
  solo_hsa_hardware_queue *hardware;
  uint64_t count;   /* operations so far; the next goes to slot count % SOLO_HSA_OPERATIONS */
  uint32_t waiting; /* events that the next operation waits for */
  solo_hsa_completion_signal *waits[2];
  int begun; /* the next operation has its completion signal already: what it was begun for failed */
  const solo_bkernel *last;        /* last launched, for messages; lives until the device closes */
  uint8_t *stage[SOLO_HSA_STAGES]; /* pinned, for pageable host memory; NULL: not made yet */
  uint64_t stage_use[SOLO_HSA_STAGES]; /* the operation that reads it, counted from 1; 0: none */
  uint32_t stage_next;
  solo_hsa_operation operations[SOLO_HSA_OPERATIONS];
};

struct solo_bevent {
  solo_bdevice *device;
  solo_lock lock;                         /* guards completion */
  solo_hsa_completion_signal *completion; /* NULL: not recorded, or recorded on an idle queue */
  _Atomic uint32_t queries;               /* that found it not reached */
};

#define XX(operation) SOLO_BACKEND_DECLARE(hsa, operation)
SOLO_BACKEND_OPERATIONS(XX, XX)
#undef XX

extern SOLO_HIDDEN const solo_backend solo_hsa_backend;

/* --- errors (hsa_status.c) -------------------------------------------------------------------- */

/* Records a failure: what (printf) and the runtime's words. device may be NULL. */
solo_status solo_hsa_fail(solo_bdevice *device, hsa_status_t result, const char *what, ...)
    SOLO_PRINTF(3, 4) SOLO_COLD;
/* UNAVAILABLE, whatever the result. */
solo_status solo_hsa_fail_start(hsa_status_t result, const char *what) SOLO_COLD;
/* DEVICE_LOST (or KERNEL_FAULT) with the first report's words. */
solo_status solo_hsa_fail_lost(const solo_bdevice *device) SOLO_COLD;
/* Marks the device lost; the first caller's words stay. Any thread. */
void solo_hsa_lose(solo_bdevice *device, hsa_status_t result, const char *format, ...)
    SOLO_PRINTF(3, 4) SOLO_COLD;

SOLO_INLINE int solo_hsa_is_lost(const solo_bdevice *device) {
  /* pairs with solo_hsa_lose: who sees it may read the text */
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

/* --- completion signals (hsa/hsa_completion.c) ------------------------------------------------ */

/* A completion signal with one holder, at 1. */
solo_status solo_hsa_completion_take(solo_bdevice *device,
                                     solo_hsa_completion_signal **out) SOLO_MUST_CHECK;
void solo_hsa_completion_hold(solo_hsa_completion_signal *completion);
/* NULL: nothing. */
void solo_hsa_completion_drop(solo_hsa_completion_signal *completion);
/* Not where the copy failed: that makes the device lost. */
int solo_hsa_completion_reached(const solo_hsa_completion_signal *completion);
/* Makes the device lost if one of its copies failed: for a thread that has waited for long. */
void solo_hsa_completions_look(solo_bdevice *device);
/* Waits until reached (spins, sleeps) or the device is lost: then DEVICE_LOST. */
solo_status solo_hsa_completion_wait(solo_bdevice *device,
                                     const solo_hsa_completion_signal *completion) SOLO_MUST_CHECK;
/* Destroys the completion signals of a device that closes. */
void solo_hsa_completions_close(solo_bdevice *device);

/* --- operations of a queue (hsa_operation.c) ------------------------------------------------------ */

/* The next operation. */
solo_status solo_hsa_operation_begin(solo_bqueue *queue, solo_hsa_operation_kind kind,
                                     solo_hsa_operation **out) SOLO_MUST_CHECK;
/* It was handed to the device, with all that the queue waits for. */
void solo_hsa_operation_commit(solo_bqueue *queue);
/* The last operation committed; NULL: none, or it is complete. Failed: not complete. */
const solo_hsa_operation *solo_hsa_operation_before(const solo_bqueue *queue);
/* Lets go of what a complete operation waited for. */
void solo_hsa_operation_release(solo_hsa_operation *operation);

/* --- waiting (hsa_queue.c) */

/* Makes an operation that does nothing but wait for what the queue waits for. */
solo_status solo_hsa_operation_wait(solo_bqueue *queue) SOLO_MUST_CHECK;
/* Waits until the queue is idle; DEVICE_LOST without the kernel's name. */
solo_status solo_hsa_queue_drain(solo_bqueue *queue) SOLO_MUST_CHECK;

SOLO_INLINE solo_hsa_operation *solo_hsa_operation_at(solo_bqueue *queue, uint64_t number) {
  return &queue->operations[number % SOLO_HSA_OPERATIONS];
}

/* --- copies (hsa_copy.c, hsa_peer.c) ---------------------------------------------------------- */

/* A copy about to be enqueued, to be committed when the runtime took it. */
typedef struct solo_hsa_copy {
  solo_hsa_operation *operation;
  hsa_signal_t dependences[3];
  const hsa_signal_t *first; /* NULL: none */
  uint32_t count;
} solo_hsa_copy;

solo_status solo_hsa_copy_begin(solo_bqueue *queue, solo_hsa_copy *out) SOLO_MUST_CHECK;

/* --- blocks opened to other devices (hsa_grants.c) ---------------------------------------------- */

/* Was the block around address opened to all of these (a bit per ordinal)? */
int solo_hsa_grants_has(solo_bdevice *device, uint64_t address, uint64_t devices);
/* The block is open to these and no others. */
solo_status solo_hsa_grants_add(solo_bdevice *device, uint64_t base, uint64_t bytes,
                                uint64_t devices) SOLO_MUST_CHECK;
/* A block is freed; all are forgotten with their device. */
void solo_hsa_grants_forget(solo_bdevice *device, uint64_t base);
void solo_hsa_grants_close(solo_bdevice *device);

/* --- devices (hsa_device.c) ------------------------------------------------------------------- */

enum { SOLO_HSA_MOST_DEVICES = 64 };

typedef struct solo_hsa_open_devices {
  uint32_t count;
  hsa_agent_t agents[SOLO_HSA_MOST_DEVICES];
  int ordinals[SOLO_HSA_MOST_DEVICES];
} solo_hsa_open_devices;

void solo_hsa_devices_open(solo_hsa_open_devices *out);

/* Of solo_device_flags those about memory (hsa_unified.c). */
uint32_t solo_hsa_unified_flags(const solo_bdevice *device);

/* --- packets (hsa_hardware.c) ------------------------------------------------------------------- */

/* Makes the hardware queue usable. Caller holds the device's lock. */
solo_status solo_hsa_hardware_open(solo_bdevice *device,
                                   solo_hsa_hardware_queue *hardware) SOLO_MUST_CHECK;
void solo_hsa_hardware_close(solo_hsa_hardware_queue *hardware);

/* Between reserve and submit one thread at a time, of all that use the hardware queue. */
void solo_hsa_publish_begin(solo_hsa_hardware_queue *hardware);
void solo_hsa_publish_end(solo_hsa_hardware_queue *hardware);
/* Reserves a packet; waits until its slot, and its argument segment, are free. */
solo_status solo_hsa_packet_reserve(solo_bdevice *device, solo_hsa_hardware_queue *hardware,
                                    uint64_t *out_index) SOLO_MUST_CHECK;
void *solo_hsa_packet_at(const solo_hsa_hardware_queue *hardware, uint64_t index);
/* Makes the packet valid, its first word last, and rings the doorbell. */
void solo_hsa_packet_submit(const solo_hsa_hardware_queue *hardware, uint64_t index, uint32_t word);

/* A barrier packet for what the queue waits for and for a copy before; completes operation's signal
 * (NULL: none). */
solo_status solo_hsa_barrier(solo_bqueue *queue,
                             const solo_hsa_operation *operation) SOLO_MUST_CHECK;

#endif
