/* The protocol between a client and a device server (docs/design/remote-protocol.md). Each side
 * validates every value that it reads. Integers have the machine's byte order. The hello compares
 * version and structure sizes. A ticket is the number of a message in its channel. */
#ifndef SOLO_REMOTE_WIRE_H
#define SOLO_REMOTE_WIRE_H

#include "runtime/backend.h"
#include "runtime/base/atomic.h"

enum {
  SOLO_REMOTE_VERSION = 10,
  SOLO_REMOTE_CHANNELS = 256,
  SOLO_REMOTE_DEVICES = 64,
  SOLO_REMOTE_MODULES = 4096,
  SOLO_REMOTE_KERNELS = 65536,
  SOLO_REMOTE_IMAGES = 64,
  SOLO_REMOTE_RING_BYTES = 64 << 10,
  SOLO_REMOTE_MESSAGE_BYTES = 16 << 10,
  SOLO_REMOTE_STAGING_BYTES = 1 << 20,
  /* a staging area is divided into parts for direct copies */
  SOLO_REMOTE_BUFFERS = 4,
  SOLO_REMOTE_PART_BYTES = SOLO_REMOTE_STAGING_BYTES / SOLO_REMOTE_BUFFERS,
  SOLO_REMOTE_MAX_MOVE_BYTES = 1 << 30,
  SOLO_REMOTE_MAX_TAG = 0x7fff, /* largest tag of copies between servers */
  SOLO_REMOTE_ANSWER_BYTES = 1024,
  SOLO_REMOTE_REFUSAL_BYTES = 128,
  SOLO_REMOTE_AREA_ALIGN = 2 << 20, /* alignment of the area and its blocks: a huge page */
  SOLO_REMOTE_ALIGN = 16,           /* alignment of messages */
};

#define SOLO_REMOTE_MAGIC UINT64_C(0x7265766f6c6f73)

/* From client to server, with the memory file's descriptor. */
typedef struct solo_remote_hello {
  uint64_t magic;
  uint32_t version;
  uint32_t shared_bytes;
  uint32_t info_bytes;
  uint32_t api_version;
  uint64_t memory_bytes;
  uint64_t area_bytes; /* the area follows the channels' memory; 0: none */
} solo_remote_hello;

typedef struct solo_remote_welcome {
  uint64_t magic;
  uint32_t version;
  int32_t status;
  int32_t process;
  uint64_t area; /* address of the area in the server; 0: no area */
  /* server clock: when the server was loaded; when it sent the welcome */
  uint64_t loaded_ns, welcomed_ns;
  char text[SOLO_ERROR_TEXT];
  char host[64];
} solo_remote_welcome;

typedef struct solo_remote_result {
  int32_t status;
  int32_t vendor_code;
  uint64_t ticket; /* of the failed message */
  char text[SOLO_ERROR_TEXT];
  uint8_t answer[SOLO_REMOTE_ANSWER_BYTES];
} solo_remote_result;

/* A channel's state. Invariant: counters only increase while the channel is open. */
typedef struct solo_remote_shared {
  /* written by the client */
  /* bytes written to the ring */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t head;
  _Atomic uint64_t posted;
  _Atomic uint32_t errors_reported; /* number of failures that the client's syncs have reported */
  /* written by the server */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t tail;
  _Atomic uint64_t completed;
  _Atomic uint32_t errors_made;
  /* Futex words: the server's thread sleeps on server_futex; waiting threads of both processes sleep
   * on done_futex. */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint32_t server_sleeps;
  _Atomic uint32_t server_futex;
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint32_t waiters;
  _Atomic uint32_t done_futex;
  SOLO_ALIGNED(SOLO_CACHE_PAIR) solo_remote_result result;
  /* channel 0: state of `refusal`, the reason why the server ends the connection; 0: none, 1: being
   * written, 2: complete */
  _Atomic uint32_t refused;
  char refusal[SOLO_REMOTE_REFUSAL_BYTES];
  SOLO_ALIGNED(4096) uint8_t ring[SOLO_REMOTE_RING_BYTES];
} solo_remote_shared;

typedef enum solo_remote_family {
  SOLO_REMOTE_CUDA,
  SOLO_REMOTE_HSA,
  SOLO_REMOTE_HOST,
  SOLO_REMOTE_SIMT,
  SOLO_REMOTE_FAMILIES
} solo_remote_family;

typedef enum solo_remote_kind {
  SOLO_REMOTE_PAD = 1, /* unused rest of the ring; not counted as a message */
  /* to the control channel, with answer */
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
  /* to the control channel, without answer */
  SOLO_REMOTE_IMAGE_PART,
  SOLO_REMOTE_MODULE_UNLOAD,
  SOLO_REMOTE_MEM_FREE,
  SOLO_REMOTE_QUEUE_OPEN,
  SOLO_REMOTE_OPEN_GATE,
  /* to queues, without answer */
  SOLO_REMOTE_COPY,
  SOLO_REMOTE_FILL,
  SOLO_REMOTE_COPY_PEER,
  SOLO_REMOTE_LAUNCH,
  SOLO_REMOTE_WAIT,
  SOLO_REMOTE_GATE,
  SOLO_REMOTE_SEND_TO,
  SOLO_REMOTE_RECEIVE_FROM,
  SOLO_REMOTE_RECEIVE_FORWARDED,
  SOLO_REMOTE_MARK,
  SOLO_REMOTE_KINDS
} solo_remote_kind;

enum solo_remote_flags {
  SOLO_REMOTE_COMPLETE = 1,    /* the server reports the completion */
  SOLO_REMOTE_FAIL = 2,        /* for tests: the message fails */
  SOLO_REMOTE_DIRECT_COPY = 4, /* COPY: a direct copy moves the bytes */
  SOLO_REMOTE_INLINE = 8,      /* COPY to the device: the bytes follow the message */
};

typedef struct solo_remote_head {
  uint32_t bytes; /* length of the message, a multiple of SOLO_REMOTE_ALIGN */
  uint16_t kind, flags;
} solo_remote_head;

/* Messages with fixed fields only. Fields and answers:
 *
 *   FIND_DEVICES   object: family. Answer: first number, count (uint32_t).
 *   DEVICE_OPEN    Answer: solo_device_info.
 *   DEVICE_CLOSE
 *   COUNT_OBJECTS  Answer: objects, bytes of cached images (uint64_t).
 *   CLOCK          value 1: start the log. Answer: server clock in ns.
 *   WORK           Answer: solo_remote_works, records.
 *   AREA_FREE      value: offset; number: length in SOLO_REMOTE_AREA_ALIGN.
 *   MODULE_LOAD    object: handle; value: cache slot or 0; number 1: load from the slot.
 *                  Answer: whether the slot holds the image (uint32_t).
 *   MODULE_UNLOAD  object: handle.
 *   MEM_ALLOC      value: bytes. Answer: solo_devptr.
 *   MEM_FREE       value: address.
 *   QUEUE_OPEN     object: channel.
 *   OPEN_GATE      object: channel; value: gate.
 */
typedef struct solo_remote_plain {
  solo_remote_head head;
  uint32_t device, object;
  uint64_t value;
  uint32_t memory_kind, number;
} solo_remote_plain;

/* Head of a WORK answer. `count` records follow, oldest first, each with its name, aligned to 8
 * bytes. */
typedef struct solo_remote_works {
  uint64_t now_ns; /* server clock */
  uint32_t count, dropped;
} solo_remote_works;

typedef struct solo_remote_work {
  uint64_t begin_ns, end_ns, bytes;
  uint32_t device, channel;
  uint32_t kind, name_bytes; /* kind: a solo_work_kind; name_bytes: length without NUL */
} solo_remote_work;

/* IMAGE_PART: a part of the image for the next MODULE_LOAD. */
typedef struct solo_remote_image_part {
  solo_remote_head head;
  uint64_t offset, image_bytes;
  uint64_t part_bytes;
  uint8_t part[];
} solo_remote_image_part;

/* MODULE_KERNEL (answer: solo_kernel_attributes), MODULE_GLOBAL (answer: two uint64_t, address and
 * size). */
typedef struct solo_remote_name {
  solo_remote_head head;
  uint32_t module, kernel;
  uint32_t name_bytes;
  uint32_t unused;
  char name[];
} solo_remote_name;

/* host in a COPY: an offset in the staging area; for direction WITHIN, a device address; for a
 * direct copy, unused. */
typedef struct solo_remote_copy {
  solo_remote_head head;
  uint32_t direction;
  uint32_t value; /* FILL: the byte; COPY_PEER: the second device */
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

/* WAIT: later messages of the queue wait for message `ticket` of `channel`. GATE: later messages
 * wait for the OPEN_GATE with this number (ticket), which the client sends when another server's
 * work is complete. The gates of a channel are numbered from 1. */
typedef struct solo_remote_wait_for {
  solo_remote_head head;
  uint32_t channel, unused;
  uint64_t ticket;
} solo_remote_wait_for;

/* SEND_TO, RECEIVE_FROM: the halves of a copy between servers. The receiver answers the sender with
 * a solo_status. */
typedef struct solo_remote_between {
  solo_remote_head head;
  uint32_t server, tag;
  uint64_t device, bytes;
} solo_remote_between;

/* Requests that a server forwards data. After the server has received the data of message `ticket`
 * of `channel`, and before it completes this message, it sends `bytes` bytes at `device` to server
 * `server`. Server `server` executes RECEIVE_FORWARDED (a solo_remote_between), which first receives an
 * int32_t verdict. A nonzero verdict means that the request was too late, and the client sends the
 * bytes. */
typedef struct solo_remote_forward {
  uint32_t channel, server, tag, unused;
  uint64_t ticket, device, bytes;
} solo_remote_forward;

#endif
