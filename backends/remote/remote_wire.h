/* The protocol between a program and a device server: messages, and the memory that both see.
 *
 * A connection has channels. Channel 0 (control) opens devices, loads modules, allocates; each other
 * channel is one queue of one device. On a channel the program posts messages, in order and without
 * an answer; the server counts those it has completed. The number of a message on its channel
 * (from 1) is thus the ticket of what it asks for, and an event is a channel and a ticket: it is
 * reached when the channel's count has reached the ticket, and asking costs no message.
 *
 * Handles of modules, kernels and channels are chosen by the program. What it needs to know before
 * it can go on (an address, a kernel's limits) is answered in the channel's result.
 *
 * Bytes of copies pass through the channel's staging area: the program allocates it, in pieces that
 * it uses again when the message that named them is complete.
 *
 * Trust: server and program belong to one user, so that neither guards secrets from the other; but
 * each checks whatever it reads here before it uses it, since the other may be broken. Numbers are
 * little endian, as they lie in memory: server and program run the same instruction set, which the
 * hello checks with the sizes of what it carries.
 */
#ifndef SOLO_REMOTE_WIRE_H
#define SOLO_REMOTE_WIRE_H

#include "runtime/backend.h"
#include "runtime/base/atomic.h"

enum {
  SOLO_REMOTE_VERSION = 10,
  SOLO_REMOTE_CHANNELS = 256, /* of a connection */
  SOLO_REMOTE_DEVICES = 64,
  SOLO_REMOTE_MODULES = 4096,
  SOLO_REMOTE_KERNELS = 65536,
  SOLO_REMOTE_IMAGES = 64, /* kept by a server for the next module */
  SOLO_REMOTE_RING_BYTES = 64 << 10,
  SOLO_REMOTE_MESSAGE_BYTES = 16 << 10, /* longest message */
  SOLO_REMOTE_STAGING_BYTES = 1 << 20,  /* of a channel */
  SOLO_REMOTE_BUFFERS = 4, /* parts of a staging area, where bytes are moved beside messages */
  SOLO_REMOTE_PART_BYTES = SOLO_REMOTE_STAGING_BYTES / SOLO_REMOTE_BUFFERS,
  SOLO_REMOTE_LONGEST_MOVE = 1 << 30,
  SOLO_REMOTE_MOST_TAG = 0x7fff, /* of moves between servers */
  SOLO_REMOTE_ANSWER_BYTES = 1024,
  SOLO_REMOTE_REFUSAL_BYTES = 128,
  SOLO_REMOTE_AREA_ALIGN =
      2 << 20,            /* of blocks of the area, and its length: what a huge page has */
  SOLO_REMOTE_ALIGN = 16, /* of messages; also of what is allocated in staging areas, times 4 */
};

#define SOLO_REMOTE_MAGIC UINT64_C(0x7265766f6c6f73) /* "solover" */

/* --- hello: over the socket, before anything else --------------------------------------------- */

/* From the program; carries the shared memory's descriptor. */
typedef struct solo_remote_hello {
  uint64_t magic;
  uint32_t version;
  uint32_t shared_bytes; /* sizeof(solo_remote_shared): two builds that differ in layout differ */
  uint32_t info_bytes;   /* sizeof(solo_device_info) */
  uint32_t api_version;  /* SOLO_BACKEND_API */
  uint64_t memory_bytes; /* of the shared memory, without the area */
  uint64_t area_bytes;   /* of the area, which lies behind it; 0: the program has none */
} solo_remote_hello;

/* From the server. */
typedef struct solo_remote_welcome {
  uint64_t magic;
  uint32_t version;
  int32_t status; /* a solo_status; text says why it is not OK */
  int32_t process;
  uint64_t area; /* the area's address in the server; 0: it has none */
  /* By the server's clock: when its libraries were loaded, and when it answered. What a start consists of. */
  uint64_t loaded_ns, welcomed_ns;
  char text[SOLO_ERROR_TEXT];
  char host[64];
} solo_remote_welcome;

/* --- shared memory ---------------------------------------------------------------------------- */

typedef struct solo_remote_result {
  int32_t status;
  int32_t vendor_code;
  uint64_t ticket; /* of the message that failed */
  char text[SOLO_ERROR_TEXT];
  uint8_t answer[SOLO_REMOTE_ANSWER_BYTES];
} solo_remote_result;

/* What both sides see of a channel. Counters only grow. */
typedef struct solo_remote_shared {
  /* the program writes */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t head; /* bytes of the ring ever filled */
  _Atomic uint64_t posted;                             /* messages ever posted */
  _Atomic uint32_t errors_taken;                       /* failures that a sync has reported */
  /* the server writes */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t tail; /* bytes of the ring ever emptied */
  _Atomic uint64_t completed;                          /* messages ever completed */
  _Atomic uint32_t errors_made;
  /* sleeping: who sets it sleeps on the bell, and is woken by a new value of it */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint32_t server_sleeps;
  _Atomic uint32_t server_bell;
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint32_t waiters; /* threads of either side */
  _Atomic uint32_t done_bell;
  SOLO_ALIGNED(SOLO_CACHE_PAIR) solo_remote_result result;
  /* of channel 0: why the server ends the connection; 0: it does not, 1: the text is being written, 2: it is there */
  _Atomic uint32_t refused;
  char refusal[SOLO_REMOTE_REFUSAL_BYTES];
  SOLO_ALIGNED(4096) uint8_t ring[SOLO_REMOTE_RING_BYTES];
} solo_remote_shared;

/* Whose devices: a server's backends, and ours that stand for them. */
typedef enum solo_remote_family {
  SOLO_REMOTE_CUDA,
  SOLO_REMOTE_HSA,
  SOLO_REMOTE_HOST,
  SOLO_REMOTE_SIMT,
  SOLO_REMOTE_FAMILIES
} solo_remote_family;

/* --- messages --------------------------------------------------------------------------------- */

typedef enum solo_remote_kind {
  SOLO_REMOTE_PAD = 1, /* the rest of the ring is empty; no message, not counted */
  /* control, answered */
  SOLO_REMOTE_FIND_DEVICES,
  SOLO_REMOTE_DEVICE_OPEN,
  SOLO_REMOTE_MODULE_LOAD,
  SOLO_REMOTE_MODULE_KERNEL,
  SOLO_REMOTE_MODULE_GLOBAL,
  SOLO_REMOTE_MEM_ALLOC,
  SOLO_REMOTE_DEVICE_CLOSE,
  SOLO_REMOTE_COUNT_OBJECTS,
  SOLO_REMOTE_CLOCK,
  SOLO_REMOTE_WORK,
  SOLO_REMOTE_AREA_FREE,
  /* control, posted */
  SOLO_REMOTE_IMAGE_PART,
  SOLO_REMOTE_MODULE_UNLOAD,
  SOLO_REMOTE_MEM_FREE,
  SOLO_REMOTE_QUEUE_OPEN,
  SOLO_REMOTE_OPEN_GATE,
  /* queues, posted */
  SOLO_REMOTE_COPY,
  SOLO_REMOTE_FILL,
  SOLO_REMOTE_COPY_PEER,
  SOLO_REMOTE_LAUNCH,
  SOLO_REMOTE_WAIT,
  SOLO_REMOTE_GATE,
  SOLO_REMOTE_SEND_TO,
  SOLO_REMOTE_RECEIVE_FROM,
  SOLO_REMOTE_TAKE,
  SOLO_REMOTE_MARK,
  SOLO_REMOTE_KINDS
} solo_remote_kind;

enum solo_remote_flags {
  SOLO_REMOTE_COMPLETE = 1, /* somebody waits for this message: tell when it is complete */
  SOLO_REMOTE_FAIL = 2,     /* of tests: fail as if memory had run out */
  SOLO_REMOTE_BESIDE = 4,   /* COPY: its bytes are moved beside it */
  SOLO_REMOTE_INLINE = 8,   /* COPY in: its bytes follow it */
};

typedef struct solo_remote_head {
  uint32_t bytes; /* of the whole message, a multiple of SOLO_REMOTE_ALIGN */
  uint16_t kind, flags;
} solo_remote_head;

/* FIND_DEVICES (object: a solo_remote_family; answer: number of the first and count, uint32_t each),
 * DEVICE_OPEN (answer: solo_device_info), DEVICE_CLOSE, COUNT_OBJECTS (answer: uint64_t each: the program's; bytes of
 * images that the server keeps for all programs),
 * CLOCK (value: 1: work is to be logged from now on; answer: uint64_t, the server's clock in ns), WORK
 * (answer: solo_remote_works, and the records), AREA_FREE (value: from where on in the area, number: how many times
 * SOLO_REMOTE_AREA_ALIGN is not used any more),
 * MODULE_LOAD (object: the module; value: under what number from 1 the image is to be kept, 0: it is
 * not; number: 1: it is kept under that; answer: uint32_t, whether it is now),
 * QUEUE_OPEN (object: the channel), MODULE_UNLOAD, MEM_FREE (value: the address), MEM_ALLOC
 * (value: bytes; answer: solo_devptr), OPEN_GATE (object: the channel, value: the gate). */
typedef struct solo_remote_plain {
  solo_remote_head head;
  uint32_t device, object;
  uint64_t value;
  uint32_t memory_kind, number;
} solo_remote_plain;

/* What a server's devices have done: count records of the log, the oldest first, each with its name behind it
 * and at a multiple of 8. */
typedef struct solo_remote_works {
  uint64_t now_ns; /* the server's clock */
  uint32_t count, dropped;
} solo_remote_works;

typedef struct solo_remote_work {
  uint64_t begin_ns, end_ns, bytes;
  uint32_t device, channel;
  uint32_t kind, name_bytes; /* solo_work_kind; without NUL */
} solo_remote_work;

/* IMAGE_PART: the next part_bytes of the image of image_bytes that MODULE_LOAD will load. */
typedef struct solo_remote_image_part {
  solo_remote_head head;
  uint64_t offset, image_bytes;
  uint64_t part_bytes;
  uint8_t part[];
} solo_remote_image_part;

/* MODULE_KERNEL (kernel: the handle chosen; answer: solo_kernel_attributes), MODULE_GLOBAL
 * (answer: address and size, uint64_t each). */
typedef struct solo_remote_name {
  solo_remote_head head;
  uint32_t module, kernel;
  uint32_t name_bytes; /* without NUL */
  uint32_t unused;
  char name[];
} solo_remote_name;

/* COPY: host is an offset in the staging area (WITHIN: a device address; BESIDE, INLINE: nothing).
 * FILL: value. */
typedef struct solo_remote_copy {
  solo_remote_head head;
  uint32_t direction;
  uint32_t value; /* FILL: the byte. COPY_PEER: the other device */
  uint64_t device, host, bytes;
} solo_remote_copy;

typedef struct solo_remote_launch {
  solo_remote_head head;
  uint32_t kernel, shared_bytes;
  uint32_t teams[3], threads[3];
  uint64_t trip_count;
  uint32_t argument_bytes, unused;
  uint64_t arguments[];
} solo_remote_launch;

/* WAIT: what comes behind waits for the other channel's ticket. GATE: what comes behind waits for
 * OPEN_GATE; ticket is the gate's number, they count from 1 on each channel. The program opens it
 * when work of another server is complete. MARK: a head alone. */
typedef struct solo_remote_wait_for {
  solo_remote_head head;
  uint32_t channel, unused;
  uint64_t ticket;
} solo_remote_wait_for;

/* SEND_TO, RECEIVE_FROM: the two halves of a copy between servers, which find each other by the tag.
 * The receiver answers the sender with a solo_status. */
typedef struct solo_remote_between {
  solo_remote_head head;
  uint32_t server, tag;
  uint64_t device, bytes;
} solo_remote_between;

/* TAKE (a solo_remote_between): a copy in whose bytes another server may give, since it is being sent the
 * same. The giver says by an int32_t first whether it will: where it was asked too late the
 * program's bytes are asked for. This is what the giver is told, beside its queues' messages:
 * when the channel's message of this ticket has brought the device its bytes, these of them are given
 * to the server, before that message is complete and before the next one is looked at. */
typedef struct solo_remote_gift {
  uint32_t channel, server, tag, unused;
  uint64_t ticket, device, bytes;
} solo_remote_gift;

#endif
