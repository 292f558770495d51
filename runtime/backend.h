/* The contract between the runtime and the driver of one kind of device. A backend contains no
 * OpenMP concepts and includes only this header, runtime/base/, runtime/image/ and its driver's
 * header. ports/PORTING.md explains it; ports/conformance/ tests it.
 *
 * Names: solo_<backend>_<operation>, and solo_<backend>_backend for the table. Each backend defines
 * the structs solo_b*.
 *
 * Ownership: the result of an open, load or alloc belongs to the runtime until the matching close,
 * unload or free. Out parameters are written only on SOLO_OK. Pointer arguments are borrowed for
 * the call.
 *
 * Threads: any function from any thread, several at a time, except that
 * - one thread at a time uses a queue (unless SOLO_DEVICE_SYNCHRONOUS);
 * - event_record and event_close exclude every other call on the event;
 * - device_open, device_close, module_load and module_unload of a device exclude each other, but
 *   not launches, copies and look-ups.
 *
 * A backend calls the runtime only through solo_fail, base/ and image/. The runtime holds no lock
 * that another backend function could need.
 *
 * Order: a queue executes operations in the order of their calls. Only events order operations of
 * different queues. When queue_sync, event_wait or event_query reports completion, the host sees
 * everything that the operations wrote.
 *
 * Errors: statuses of base/status.h. UNAVAILABLE: no driver or no device.
 * - INVALID: the call rejects sizes, limits and argument bytes without the device; nothing is
 *   enqueued.
 * - The call, or at the latest the next queue_sync, reports a failure of enqueued work. event_wait
 *   and event_query of a later event also return it. Work after the failed work may or may not run.
 *   Queues that wait for an event after it continue.
 * - DEVICE_LOST is sticky, as is KERNEL_FAULT if the driver abandons the device: later calls may
 *   fail but do not hang. Close and free still release host resources.
 *
 * Units: bytes, ns, device addresses as solo_devptr (0: none).
 *
 * R = required. o = optional: NULL in the table; the runtime uses the stated default. */
#ifndef SOLO_BACKEND_H
#define SOLO_BACKEND_H

#include "runtime/base/status.h"
#include "runtime/image/image.h"

#define SOLO_BACKEND_API 1

typedef uint64_t solo_devptr;

typedef struct solo_bdevice solo_bdevice;
typedef struct solo_bmodule solo_bmodule;
typedef struct solo_bkernel solo_bkernel;
typedef struct solo_bqueue solo_bqueue;
typedef struct solo_bevent solo_bevent;
typedef struct solo_device_work solo_device_work;

enum solo_device_flags {
  /* Each operation is complete when its call returns. Any number of threads may use a queue. */
  SOLO_DEVICE_SYNCHRONOUS = 1,
  /* Device memory is host memory; a mapped range may have the same address on both sides. */
  SOLO_DEVICE_SHARED_MEMORY = 2,
  /* Unified shared memory: the device accesses host memory at its host address. */
  SOLO_DEVICE_UNIFIED_ADDRESSES = 4,
  /* Images contain Clang's device runtime and constructor kernels. */
  SOLO_DEVICE_HAS_RTL = 8,
  /* The child of fork(2) can use the device. */
  SOLO_DEVICE_SURVIVES_FORK = 16,
  /* A copy reads host memory when the queue reaches it, after earlier copies that write this
   * memory. Otherwise it may read its source when it is enqueued. */
  SOLO_DEVICE_COPIES_IN_TURN = 32,
  /* The host provides the pool of the device's malloc (abi-facts 8.1). */
  SOLO_DEVICE_HEAP_FROM_HOST = 64,
  /* The host sorts constructors (abi-facts 7.6), not init_kernel. */
  SOLO_DEVICE_STRUCTORS_BY_HOST = 128,
  /* reports accesses beyond a block: no pool, no rounding up */
  SOLO_DEVICE_EXACT_BLOCKS = 256,
};

/* As omp_interop shows it (OpenMP Additional Definitions). */
typedef struct solo_foreign_runtime {
  int32_t id; /* omp_interop_fr_t */
  int32_t vendor;
  const char *name, *vendor_name;
  const char *device_type; /* C type of SOLO_NATIVE_DEVICE; NULL: a pointer */
} solo_foreign_runtime;

/* Set by device_open and device_describe. Zero: unknown. */
typedef struct solo_device_info {
  char name[64];
  char arch[SOLO_TARGET_TEXT]; /* canonical target id: "sm_90", "gfx90a:sramecc+:xnack-" */
  char uid[64];                /* omp_get_uid_from_device; "": none */
  char where[120];             /* "device server @a on node1 ..."; "": this machine */
  uint32_t flags;
  uint32_t warp_size;       /* threads in lockstep; 1 on a CPU */
  uint32_t max_threads;     /* per team */
  uint32_t default_threads; /* per team, without a clause */
  uint32_t default_teams;   /* without a clause */
  uint32_t max_teams;
  uint32_t compute_units;
  uint32_t max_shared_bytes; /* dynamic, per team */
  uint64_t memory_bytes;
  uint64_t hardware_threads;           /* GPUs: resident warps of the whole device */
  uint64_t clock_hz;                   /* of the device's clock */
  char init_kernel[24];                /* with HAS_RTL: runs an image's constructors */
  char fini_kernel[24];                /* and destructors */
  const solo_foreign_runtime *foreign; /* static; NULL: none for this process */
  const char *unified_hint;            /* static: how to obtain UNIFIED_ADDRESSES */
  uint64_t inline_data_reads; /* above this product of inline bytes and threads a copy is faster */
} solo_device_info;

typedef struct solo_kernel_attributes {
  uint32_t argument_bytes;    /* maximum, without implicit arguments; 0: unknown */
  uint32_t shared_bytes;      /* static */
  uint32_t max_threads;       /* per team; 0: the device's limit */
  uint32_t inline_data_bytes; /* maximum; 0: none */
} solo_kernel_attributes;

typedef enum solo_memory_kind {
  SOLO_MEMORY_DEVICE,
  SOLO_MEMORY_HOST,   /* pinned, accessible by the device; valid on the host */
  SOLO_MEMORY_SHARED, /* migrates or is accessible from both sides; valid on the host */
} solo_memory_kind;

/* arguments: the parameter block; 8-byte slots for OpenMP kernels (slot 0: launch environment
 * pointer) and on a CPU. INVALID: more than the kernel's argument_bytes, or above a limit of the
 * device. */
typedef struct solo_launch_record {
  uint32_t teams[3];     /* grid, >= 1 */
  uint32_t threads[3];   /* block, >= 1 */
                         /* without HAS_RTL both are limits; 0 in [0]: no limit */
  uint32_t shared_bytes; /* dynamic */
  uint32_t argument_bytes;
  const void *arguments;
  /* Data after the arguments, aligned to 16 bytes, at most the kernel's inline_data_bytes. Bit n of
   * inline_data_slots: slot n is an offset into the data, and the kernel receives the address. The
   * other two are unset while inline_data_bytes is 0. */
  uint32_t inline_data_bytes;
  const void *inline_data;
  uint64_t inline_data_slots;
  uint64_t trip_count; /* of the loop that teams share; 0: unknown */
} solo_launch_record;

/* Pitch: distance between starts of rows or slices on that side. */
typedef struct solo_copy_box {
  uint64_t row_bytes, rows, slices;
  uint64_t dst_row_pitch, dst_slice_pitch;
  uint64_t src_row_pitch, src_slice_pitch;
} solo_copy_box;

typedef enum solo_copy_direction {
  SOLO_COPY_IN,     /* host address to device address */
  SOLO_COPY_OUT,    /* device address to host address */
  SOLO_COPY_WITHIN, /* within this device */
} solo_copy_direction;

typedef enum solo_native_kind {
  SOLO_NATIVE_DEVICE,  /* CUdevice, hsa_agent_t.handle */
  SOLO_NATIVE_CONTEXT, /* CUcontext */
  SOLO_NATIVE_QUEUE,   /* CUstream, hsa_queue_t * */
} solo_native_kind;

typedef struct solo_backend {
  uint32_t api_version;
  const char *name; /* "host", "cuda", "hsa" */

  /* --- probe ------------------------------------------------------------------------------- */
  /* R May load and start the driver; creates no device state. Without driver or device: *out_count
   * = 0 and SOLO_UNAVAILABLE with the reason and how to check it. Called once per process (by the
   * conformance suite often). */
  solo_status (*device_count)(int *out_count);
  /* o Writes why requested devices are missing, or "" (the default); size >= 1. */
  void (*device_missing)(char *text, size_t size);
  /* R 0 <= ordinal < count, else INVALID. number: the runtime's device number. May be called again
   * after device_close. */
  solo_status (*device_open)(int ordinal, int number, solo_bdevice **out_device,
                             solo_device_info *out_info);
  /* o Sets those of name, uid, default_threads, compute_units, memory_bytes and hardware_threads
   * that are slow to determine and that device_open omitted. */
  void (*device_describe)(solo_bdevice *device, solo_device_info *info);
  /* R Queues, events and modules are closed and memory is freed before. */
  void (*device_close)(solo_bdevice *device);

  /* --- image ------------------------------------------------------------------------------- */
  /* R Nonzero: devices of this backend run this kind of image. No driver call. */
  int (*image_recognise)(const solo_image *image);
  /* R How well a recognised image fits. 0: not at all (sets reason; reason_size >= 1); higher is
   * better. No allocation. */
  uint32_t (*image_score)(solo_bdevice *device, const solo_image *image, char *reason,
                          size_t reason_size);
  /* R BAD_IMAGE, INCOMPATIBLE. The image's bytes are borrowed (a SOLO_IMAGE_LINKED stays). An image
   * loaded twice has separate globals (not a SOLO_IMAGE_LINKED). */
  solo_status (*module_load)(solo_bdevice *device, const solo_image *image,
                             solo_bmodule **out_module);
  /* R All work of the module is complete. */
  void (*module_unload)(solo_bdevice *device, solo_bmodule *module);
  /* R NOT_FOUND. The handle is valid as long as the module. A second look-up allocates nothing. */
  solo_status (*module_kernel)(solo_bmodule *module, const char *name, solo_bkernel **out_kernel,
                               solo_kernel_attributes *out_attributes);
  /* R NOT_FOUND without text. */
  solo_status (*module_global)(solo_bmodule *module, const char *name, solo_devptr *out_address,
                               uint64_t *out_bytes);

  /* --- memory ------------------------------------------------------------------------------ */
  /* R bytes > 0; the result is aligned to 64 or more. DEVICE_NOMEM is not sticky. A kind that the
   * device lacks: UNSUPPORTED. HOST and SHARED addresses are valid on both sides of queue_copy. */
  solo_status (*mem_alloc)(solo_bdevice *device, uint64_t bytes, solo_memory_kind kind,
                           solo_devptr *out_address);
  /* R No work uses the block; kind as allocated. */
  solo_status (*mem_free)(solo_bdevice *device, solo_devptr address, solo_memory_kind kind);
  /* o Page-locks a host range. Copies still use the host address. The runtime pins no byte twice.
   * Default: UNSUPPORTED. */
  solo_status (*mem_pin)(solo_bdevice *device, void *host, uint64_t bytes,
                         solo_devptr *out_address);
  /* o Default: UNSUPPORTED. */
  solo_status (*mem_unpin)(solo_bdevice *device, void *host);

  /* --- queue ------------------------------------------------------------------------------- */
  /* R In order. */
  solo_status (*queue_open)(solo_bdevice *device, solo_bqueue **out_queue);
  /* R The queue is idle or the device lost. Its events stay valid. */
  void (*queue_close)(solo_bdevice *device, solo_bqueue *queue);
  /* R bytes > 0, any alignment, no overlap. Until the copy is complete, host ranges stay valid, the
   * source is not written and the destination is not accessed. May block, but not for work that
   * another queue's user has not enqueued. */
  solo_status (*queue_copy)(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                            solo_copy_direction direction);
  /* o A box in one driver call; extents > 0, pitches >= the extents. Default: queue_copy for each
   * row, slice or the box, whichever is contiguous. */
  solo_status (*queue_copy_box)(solo_bqueue *queue, uint64_t dst, uint64_t src,
                                const solo_copy_box *box, solo_copy_direction direction);
  /* o Sets bytes (> 0) to value (low 8 bits). May wait for the queue. Default: copies from host
   * memory and waits. */
  solo_status (*queue_fill)(solo_bqueue *queue, solo_devptr dst, int value, uint64_t bytes);
  /* o Copies to another device of the same backend. UNSUPPORTED, with nothing enqueued, if there is
   * no path: the runtime uses the default. Default: through host memory, and waits. */
  solo_status (*queue_copy_peer)(solo_bqueue *queue, solo_bdevice *dst_device, solo_devptr dst,
                                 solo_devptr src, uint64_t bytes);
  /* R After the queue's first launch of the kernel: no allocation, no backend lock, and a wait only
   * for space in the queue. */
  solo_status (*queue_launch)(solo_bqueue *queue, solo_bkernel *kernel,
                              const solo_launch_record *launch);
  /* R Waits until the queue is idle. Returns the first error since the last queue_sync and clears
   * it unless it is sticky. Spins for solo_settings()->spin_us, then sleeps. */
  solo_status (*queue_sync)(solo_bqueue *queue);

  /* --- event ------------------------------------------------------------------------------- */
  /* R An event that is not recorded counts as reached. */
  solo_status (*event_open)(solo_bdevice *device, solo_bevent **out_event);
  /* R May be called before the event is reached; queues still wait for it. */
  void (*event_close)(solo_bdevice *device, solo_bevent *event);
  /* R Records the queue's present end. A second record moves the event; a queue that waits already
   * keeps the previous record. Same device. */
  solo_status (*event_record)(solo_bqueue *queue, solo_bevent *event);
  /* R Later operations on queue (of any device of this backend) wait for the event's record at the
   * time of this call. Does not block the host. */
  solo_status (*queue_wait_event)(solo_bqueue *queue, solo_bevent *event);
  /* R *out_done = 1 if reached, else 0; or the error of the work before it. Never blocks. */
  solo_status (*event_query)(solo_bevent *event, int *out_done);
  /* R Waits (spins, sleeps); errors as event_query. */
  solo_status (*event_wait)(solo_bevent *event);

  /* --- info -------------------------------------------------------------------------------- */
  /* o For omp_interop; queue may be NULL for other kinds. Default, and a kind that the driver
   * lacks: UNSUPPORTED. */
  solo_status (*native_handle)(solo_bdevice *device, solo_bqueue *queue, solo_native_kind kind,
                               void **out_handle);
  /* o Writes at most most records of the device's work (backend_work.h); returns their number.
   * Default: 0. */
  uint32_t (*device_work)(solo_bdevice *device, solo_device_work *out, uint32_t most);
} solo_backend;

/* In the order of device numbers (backends/backends.c). */
extern const solo_backend *const solo_backends[];
extern const int solo_backend_count;

#endif
