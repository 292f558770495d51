/* The contract between the runtime and the driver of one kind of device. A backend contains no
 * OpenMP concepts and includes only this header, runtime/base/, runtime/image/ and its driver's
 * header. ports/PORTING.md explains the contract; ports/conformance/ tests it.
 *
 * Names: each backend defines functions solo_<backend>_<operation>, a table solo_<backend>_backend,
 * and the incomplete structs solo_b* below.
 *
 * Ownership: the result of an open, load or alloc belongs to the runtime until the matching close,
 * unload or free. Out parameters are written only on SOLO_OK. Pointer arguments are borrowed for
 * the call.
 *
 * Threads: any thread may call any function, also concurrently, except that
 * - one thread at a time uses a queue (unless SOLO_DEVICE_SYNCHRONOUS);
 * - event_record and event_close exclude every other call on the event;
 * - device_open, device_close, module_load and module_unload of a device exclude each other, but
 *   not launches, copies and look-ups.
 *
 * When the runtime calls a backend, the runtime holds no lock that another backend function could
 * need.
 *
 * Order: a queue executes operations in the order of their calls. Only events order operations of
 * different queues. When queue_sync, event_wait or event_query reports completion, the host sees
 * everything that the completed operations wrote.
 *
 * Errors: statuses of base/status.h. UNAVAILABLE: no driver or no device.
 * - INVALID: the call has rejected a size, a limit or the number of argument bytes on the host; it
 *   has enqueued nothing.
 * - The enqueuing call, or at the latest the next queue_sync, reports a failure of enqueued work.
 *   event_wait and event_query of an event that was recorded after the failed work also return the
 *   failure. Operations behind the failed work may or may not run. Queues that wait for such an
 *   event continue.
 * - DEVICE_LOST is sticky, as is KERNEL_FAULT if the driver abandons the device: later calls may
 *   fail but do not hang. Close and free still release host resources.
 *
 * Units: bytes, ns, device addresses as solo_devptr (0: none).
 *
 * R: required. o: optional; if it is NULL in the table, the runtime uses the stated default. */
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
  /* Each operation is complete when its call returns. Several threads may use one queue. */
  SOLO_DEVICE_SYNCHRONOUS = 1,
  /* Device memory is host memory; a range may have the same address on host and device. */
  SOLO_DEVICE_SHARED_MEMORY = 2,
  /* Unified shared memory: the device accesses host memory at its host address. */
  SOLO_DEVICE_UNIFIED_ADDRESSES = 4,
  /* Images contain Clang's device runtime (RTL), and kernels that run constructors and destructors. */
  SOLO_DEVICE_HAS_RTL = 8,
  /* The child of fork(2) can use the device that its parent opened. */
  SOLO_DEVICE_SURVIVES_FORK = 16,
  /* A copy to the device reads host memory when the queue reaches the copy. So it reads the data
   * that earlier copies from the device wrote there. Without this flag, a copy may read its source
   * when it is enqueued. */
  SOLO_DEVICE_COPIES_IN_TURN = 32,
  /* The host provides the memory pool of the device's malloc (abi-facts 8.1). */
  SOLO_DEVICE_HEAP_FROM_HOST = 64,
  /* The host writes a sorted array of the constructors, which init_kernel calls (abi-facts 7.6). */
  SOLO_DEVICE_STRUCTORS_BY_HOST = 128,
  /* The device reports accesses beyond the end of a block. Therefore the runtime does not round
   * sizes up and does not use its pool, which would hide such accesses. */
  SOLO_DEVICE_EXACT_BLOCKS = 256,
};

/* Values of the omp_interop properties (OpenMP Additional Definitions). */
typedef struct solo_foreign_runtime {
  int32_t id;
  int32_t vendor;
  const char *name, *vendor_name;
  const char *device_type; /* C type of the handle SOLO_NATIVE_DEVICE; NULL: a pointer */
} solo_foreign_runtime;

/* device_open and device_describe set the members. 0: unknown. */
typedef struct solo_device_info {
  char name[64];
  char arch[SOLO_TARGET_TEXT]; /* canonical target id: "sm_90", "gfx90a:sramecc+:xnack-" */
  char uid[64];
  /* process that owns the device: "device server @a on node1 ..."; "": this process */
  char where[120];
  uint32_t flags;
  uint32_t warp_size;   /* threads of a warp; 1 on a CPU */
  uint32_t max_threads; /* per team */
  /* threads per team of a region without a thread_limit or num_threads clause */
  uint32_t default_threads;
  uint32_t default_teams; /* for a region without a num_teams clause */
  uint32_t max_teams;
  uint32_t compute_units;
  uint32_t max_shared_bytes; /* maximum dynamic shared memory per team */
  uint64_t memory_bytes;
  uint64_t hardware_threads; /* GPUs: maximum of resident warps of the device */
  uint64_t clock_hz;         /* ticks of the device's clock per second */
  char init_kernel[24];
  char fini_kernel[24];
  const solo_foreign_runtime *foreign; /* static; NULL: this process has no driver handles */
  const char *unified_hint;            /* static text: how to enable UNIFIED_ADDRESSES */
  /* limit for bytes of inline data times threads; above this limit, a copy is faster */
  uint64_t inline_data_reads;
} solo_device_info;

typedef struct solo_kernel_attributes {
  uint32_t argument_bytes;    /* maximum, without implicit arguments; 0: unknown */
  uint32_t shared_bytes;      /* static */
  uint32_t max_threads;       /* per team; 0: the limit of the device */
  uint32_t inline_data_bytes; /* maximum of inline data; 0: the kernel supports none */
} solo_kernel_attributes;

typedef enum solo_memory_kind {
  SOLO_MEMORY_DEVICE,
  SOLO_MEMORY_HOST,   /* pinned host memory that the device can access */
  SOLO_MEMORY_SHARED, /* migrates, or host and device can access it */
} solo_memory_kind;

/* One launch. arguments: the parameter block. For OpenMP kernels (slot 0: pointer to the launch
 * environment) and all kernels on a CPU, it consists of 8-byte slots. queue_launch returns INVALID
 * if argument_bytes exceed the limit of the kernel or another member exceeds a limit of the
 * device. */
typedef struct solo_launch_record {
  uint32_t teams[3]; /* grid, >= 1 */
  /* block, >= 1. Without SOLO_DEVICE_HAS_RTL, teams and threads are upper limits, and teams[0] or
   * threads[0] may be 0: no limit. */
  uint32_t threads[3];
  uint32_t shared_bytes;
  uint32_t argument_bytes;
  const void *arguments;
  /* Data that the launch copies behind the arguments, aligned to 16 bytes, at most the kernel's
   * inline_data_bytes. Bit n of inline_data_slots: slot n holds an offset into the data, which the
   * launch replaces by an address. If inline_data_bytes is 0, the next two members are not
   * initialised. */
  uint32_t inline_data_bytes;
  const void *inline_data;
  uint64_t inline_data_slots;
  uint64_t trip_count; /* iterations that the teams share; 0: unknown */
} solo_launch_record;

/* Extents and pitches of a strided copy, in bytes. Pitch: distance between the starts of rows or
 * slices. */
typedef struct solo_copy_box {
  uint64_t row_bytes, rows, slices;
  uint64_t dst_row_pitch, dst_slice_pitch;
  uint64_t src_row_pitch, src_slice_pitch;
} solo_copy_box;

typedef enum solo_copy_direction {
  SOLO_COPY_IN,  /* host address to device address */
  SOLO_COPY_OUT, /* device address to host address */
  SOLO_COPY_WITHIN,
} solo_copy_direction;

typedef enum solo_native_kind {
  SOLO_NATIVE_DEVICE,  /* CUdevice, hsa_agent_t.handle */
  SOLO_NATIVE_CONTEXT, /* CUcontext */
  SOLO_NATIVE_QUEUE,   /* CUstream, hsa_queue_t * */
} solo_native_kind;

typedef struct solo_backend {
  uint32_t api_version;
  const char *name;

  /* R May load and start the driver; creates no device state. Without driver or device: *out_count
   * = 0 and SOLO_UNAVAILABLE; the text has the reason and a way to check it. May be called
   * repeatedly. */
  solo_status (*device_count)(int *out_count);
  /* o Writes the reason why requested devices are missing, or "" (the default); size >= 1. */
  void (*device_missing)(char *text, size_t size);
  /* R Opens a device. 0 <= ordinal < count, else INVALID. number: the runtime's device number. May
   * be called again after device_close. */
  solo_status (*device_open)(int ordinal, int number, solo_bdevice **out_device,
                             solo_device_info *out_info);
  /* o Sets members that are slow to determine and that device_open omitted: name, uid,
   * default_threads, compute_units, memory_bytes, hardware_threads. */
  void (*device_describe)(solo_bdevice *device, solo_device_info *info);
  /* R Precondition: all queues, events and modules are closed, and all memory is freed. */
  void (*device_close)(solo_bdevice *device);

  /* R Returns whether devices of this backend can execute this kind of image. Calls no driver
   * function. */
  int (*image_recognise)(const solo_image *image);
  /* R Rates a recognised image. 0: the device cannot execute it (sets reason; reason_size >= 1).
   * The runtime selects the image with the highest value. Allocates nothing. */
  uint32_t (*image_score)(solo_bdevice *device, const solo_image *image, char *reason,
                          size_t reason_size);
  /* R Loads an image. Errors: BAD_IMAGE, INCOMPATIBLE. The image's bytes are borrowed for the call;
   * for a SOLO_IMAGE_LINKED, until module_unload. An image that is loaded twice has two sets of
   * globals, except a SOLO_IMAGE_LINKED. */
  solo_status (*module_load)(solo_bdevice *device, const solo_image *image,
                             solo_bmodule **out_module);
  /* R Precondition: all work of the module is complete. */
  void (*module_unload)(solo_bdevice *device, solo_bmodule *module);
  /* R Finds a kernel, or returns NOT_FOUND. The handle is valid until module_unload. A repeated
   * look-up of the same name allocates nothing. */
  solo_status (*module_kernel)(solo_bmodule *module, const char *name, solo_bkernel **out_kernel,
                               solo_kernel_attributes *out_attributes);
  /* R Finds a variable. Returns NOT_FOUND without an error text, because callers only test whether
   * the name exists. */
  solo_status (*module_global)(solo_bmodule *module, const char *name, solo_devptr *out_address,
                               uint64_t *out_bytes);

  /* R bytes > 0; the result is aligned to at least 64 bytes. DEVICE_NOMEM is not sticky. If the
   * device lacks the kind: UNSUPPORTED. queue_copy accepts HOST and SHARED addresses as host
   * addresses and as device addresses. */
  solo_status (*mem_alloc)(solo_bdevice *device, uint64_t bytes, solo_memory_kind kind,
                           solo_devptr *out_address);
  /* R Precondition: no work uses the block; kind is that of mem_alloc. */
  solo_status (*mem_free)(solo_bdevice *device, solo_devptr address, solo_memory_kind kind);
  /* o Page-locks a host range. Copies still use the host address. The runtime never pins
   * overlapping ranges. Default: UNSUPPORTED. */
  solo_status (*mem_pin)(solo_bdevice *device, void *host, uint64_t bytes,
                         solo_devptr *out_address);
  /* o Ends mem_pin. Default: UNSUPPORTED. */
  solo_status (*mem_unpin)(solo_bdevice *device, void *host);

  /* R Opens a queue. */
  solo_status (*queue_open)(solo_bdevice *device, solo_bqueue **out_queue);
  /* R Precondition: the queue is idle or the device is lost. Events that were recorded in the queue
   * stay valid. */
  void (*queue_close)(solo_bdevice *device, solo_bqueue *queue);
  /* R bytes > 0, any alignment, no overlap. Until the copy is complete, the caller keeps host
   * ranges valid, does not write the source and does not access the destination. The call may
   * block, but must not wait for work that is not enqueued yet: this could be a deadlock. */
  solo_status (*queue_copy)(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                            solo_copy_direction direction);
  /* o Copies a box in one driver call; extents > 0, pitches >= extents. Default: one queue_copy per
   * contiguous part: a row, a slice or the whole box. */
  solo_status (*queue_copy_box)(solo_bqueue *queue, uint64_t dst, uint64_t src,
                                const solo_copy_box *box, solo_copy_direction direction);
  /* o Sets each of the bytes (> 0) to the low 8 bits of value. May wait until the queue is idle.
   * Default: copies the value from host memory and waits. */
  solo_status (*queue_fill)(solo_bqueue *queue, solo_devptr dst, int value, uint64_t bytes);
  /* o Copies to another device of the same backend. If there is no direct path, returns UNSUPPORTED
   * and enqueues nothing; the runtime then uses the default. Default: copies through host memory
   * and waits. */
  solo_status (*queue_copy_peer)(solo_bqueue *queue, solo_bdevice *dst_device, solo_devptr dst,
                                 solo_devptr src, uint64_t bytes);
  /* R Launches a kernel. Except for a queue's first launch of the kernel, it allocates nothing,
   * locks no lock of the backend, and waits only for space in the queue. */
  solo_status (*queue_launch)(solo_bqueue *queue, solo_bkernel *kernel,
                              const solo_launch_record *launch);
  /* R Waits until the queue is idle. Returns the first error since the last queue_sync and clears
   * it unless it is sticky. Spins for solo_settings()->spin_us, then sleeps. */
  solo_status (*queue_sync)(solo_bqueue *queue);

  /* R Opens an event, which counts as reached until its first record. */
  solo_status (*event_open)(solo_bdevice *device, solo_bevent **out_event);
  /* R May be called before the event is reached; queues that wait for the event still wait. */
  void (*event_close)(solo_bdevice *device, solo_bevent *event);
  /* R The event is reached when all operations that precede this call in the queue are complete. A
   * second record replaces the first, but a queue that already waits for the event still waits for
   * the first record. Queue and event belong to the same device. */
  solo_status (*event_record)(solo_bqueue *queue, solo_bevent *event);
  /* R Later operations of queue wait for the latest record that the event has at this call. The
   * event may belong to another device of this backend. Does not block the host. */
  solo_status (*queue_wait_event)(solo_bqueue *queue, solo_bevent *event);
  /* R Sets *out_done to 1 if the event is reached, else to 0. Returns the error of failed work
   * before the event. Never blocks. */
  solo_status (*event_query)(solo_bevent *event, int *out_done);
  /* R Waits (spins, then sleeps) until the event is reached; same errors as event_query. */
  solo_status (*event_wait)(solo_bevent *event);

  /* o Returns the driver's handle, for omp_interop; queue may be NULL unless kind is
   * SOLO_NATIVE_QUEUE. Default, and for a kind that the driver lacks: UNSUPPORTED. */
  solo_status (*native_handle)(solo_bdevice *device, solo_bqueue *queue, solo_native_kind kind,
                               void **out_handle);
  /* o Writes at most `most` records of finished work (backend_work.h) and returns their number.
   * Default: 0. */
  uint32_t (*device_work)(solo_bdevice *device, solo_device_work *out, uint32_t most);
} solo_backend;

/* All backends of this build, in the order of their device numbers (backends/backends.c). */
extern const solo_backend *const solo_backends[];
extern const int solo_backend_count;

#endif
