/* The contract between the runtime and the driver of one kind of device.
 *
 * The runtime owns this file; a backend implements it and sees no OpenMP: no mapping, no reference
 * count, no kernel-argument struct, no policy. A backend includes only this header, runtime/base/,
 * runtime/image/ and its driver's header. ports/PORTING.md is the tour, ports/skeleton/ the
 * smallest complete backend, ports/conformance/ the suite that says when one is right.
 *
 * Names: the function behind an operation is solo_<backend>_<operation>, the table is
 * solo_<backend>_backend. With one backend configured the runtime calls those names directly.
 *
 * Types: solo_bdevice, solo_bmodule, solo_bkernel, solo_bqueue, solo_bevent are completed by each
 * backend in a private header; the runtime never looks inside and never mixes two backends'.
 *
 * Ownership: what an open, load or alloc returns belongs to the runtime until the matching close,
 * unload or free. Out parameters are written only on SOLO_OK (device_count: also 0 with
 * UNAVAILABLE). Borrowed for the call only: names, images, argument buffers, launch records.
 *
 * Threads: any function may be called from any thread and by several at a time, except that
 *  - one queue has one user at a time (unless SOLO_DEVICE_SYNCHRONOUS);
 *  - event_record and event_close of one event exclude every other call on that event; several
 *    threads may event_wait, event_query and queue_wait_event it at a time;
 *  - device_open, device_close, module_load and module_unload of one device are serialised by the
 *    runtime, but run beside launches, copies and look-ups on that device.
 * No backend calls back into the runtime except through solo_fail and what base/ and image/ offer.
 * No function is called with a runtime lock held that another backend function could need.
 *
 * Order: a queue runs its work in the order given. Order between queues exists only through events
 * (event_record, queue_wait_event). A NULL handle never means "done"; completion is known from
 * queue_sync, event_wait or event_query alone. When one of them says so, the host sees everything
 * that the work wrote.
 *
 * Errors: statuses of base/status.h with the driver's code and words in the thread's record (vendor
 * codes become statuses in <backend>_status.c). UNAVAILABLE: the driver or device is not here.
 *  - What can be checked without the device (sizes, limits, a kernel's argument bytes) is refused
 *    by the call with INVALID; nothing is enqueued and the queue stays usable.
 *  - A failure of enqueued work is reported by the call or, at the latest, by the next queue_sync
 *    of its queue; it is never lost. event_wait and event_query return it too for an event recorded
 *    behind it, and do not consume it: the queue_sync still reports it. Work enqueued behind failed
 *    work may or may not run; queues that wait for an event behind it go on (they need not fail).
 *  - DEVICE_LOST, and KERNEL_FAULT where the driver gives the device up with it: sticky. Everything
 *    after it on that device may fail with it, and must not hang; closing and freeing still release
 *    what the host holds.
 *
 * Units: bytes, ns, device addresses as solo_devptr (0: none).
 *
 * R = required. o = optional: NULL in the table, and the runtime uses the stated default.
 */
#ifndef SOLO_BACKEND_H
#define SOLO_BACKEND_H

#include "runtime/base/status.h"
#include "runtime/image/image.h"

#define SOLO_BACKEND_API 1

typedef uint64_t solo_devptr; /* an address in device memory; equals a host address only by luck */

typedef struct solo_bdevice solo_bdevice;
typedef struct solo_bmodule solo_bmodule;
typedef struct solo_bkernel solo_bkernel;
typedef struct solo_bqueue solo_bqueue;
typedef struct solo_bevent solo_bevent;
typedef struct solo_device_work solo_device_work;

enum solo_device_flags {
  /* Every queue operation is complete when its call returns, a queue has no state and any number of
   * threads may use one at a time. (The CPU.) */
  SOLO_DEVICE_SYNCHRONOUS = 1,
  /* Device memory is host memory: device and host address of a mapped range may be the same. */
  SOLO_DEVICE_SHARED_MEMORY = 2,
  /* The device can read and write any host memory at its host address (unified shared memory). */
  SOLO_DEVICE_UNIFIED_ADDRESSES = 4,
  /* Code objects carry Clang's device runtime: kernel and device environment, constructor kernels. */
  SOLO_DEVICE_HAS_RTL = 8,
  /* All of the device is this process's own memory: a child of fork(2) may go on with it. (CPU) */
  SOLO_DEVICE_SURVIVES_FORK = 16,
  /* Copies read and write host memory when their turn comes: what an earlier copy of the queue (or
   * one that the queue waits for) brings to the host, a later copy may take from there, although
   * the host has not waited. Without it a copy may read its source when it is enqueued. */
  SOLO_DEVICE_COPIES_IN_TURN = 32,
  /* With HAS_RTL: the host provides the pool of the device's malloc (abi-facts 8.1). */
  SOLO_DEVICE_HEAP_FROM_HOST = 64,
  /* With HAS_RTL: the host sorts images' constructors (abi-facts 7.6); else init_kernel finds them. */
  SOLO_DEVICE_STRUCTORS_BY_HOST = 128,
  SOLO_DEVICE_EXACT_BLOCKS = 256, /* it tells accesses beyond a block: no pool, no larger blocks */
};

/* The API beside OpenMP, as omp_interop shows it (OpenMP Additional Definitions). */
typedef struct solo_foreign_runtime {
  int32_t id; /* omp_interop_fr_t */
  int32_t vendor;
  const char *name, *vendor_name;
  const char *device_type; /* C type of SOLO_NATIVE_DEVICE if that is an integer; NULL: a pointer */
} solo_foreign_runtime;

/* Filled by device_open and device_describe. Zero means "not known" unless stated. */
typedef struct solo_device_info {
  char name[64];               /* "NVIDIA H200", "AMD Instinct MI210", "Intel Xeon ..." */
  char arch[SOLO_TARGET_TEXT]; /* canonical target id: "sm_90", "gfx90a:sramecc+:xnack-" */
  char uid[64];                /* stable unique id (omp_get_uid_from_device); "" = none */
  char where[120];             /* "device server @a on node1 ..."; "": in this process's machine */
  uint32_t flags;              /* solo_device_flags */
  uint32_t warp_size;          /* threads in lockstep; 1 on a CPU */
  uint32_t max_threads;        /* per team */
  uint32_t default_threads;    /* per team when nobody says */
  uint32_t default_teams;      /* when nobody says */
  uint32_t max_teams;          /* first grid dimension */
  uint32_t compute_units;      /* SMs, CUs, cores */
  uint32_t max_shared_bytes;   /* dynamic shared memory per team */
  uint64_t memory_bytes;       /* total device memory */
  uint64_t hardware_threads;   /* GPUs: warps; resident at a time on the whole device */
  uint64_t clock_hz;           /* of the device's own clock, for omp_get_wtime there */
  char init_kernel[24];        /* with HAS_RTL: kernel of an image that runs its constructors */
  char fini_kernel[24];        /* and destructors */
  const solo_foreign_runtime *foreign; /* static; NULL: none whose handles this process could use */
  const char *unified_hint;            /* static: a phrase that says what gives UNIFIED_ADDRESSES */
  uint64_t inline_data_reads; /* more bytes of inline data times threads: a copy is better */
} solo_device_info;

/* Filled by module_kernel. */
typedef struct solo_kernel_attributes {
  uint32_t argument_bytes;    /* most bytes a launch may give, without what the backend adds itself
                            * (implicit arguments); 0: not known */
  uint32_t shared_bytes;      /* static shared memory */
  uint32_t max_threads;       /* per team for this kernel; 0: the device's limit */
  uint32_t inline_data_bytes; /* most bytes of data that a launch may carry inline; 0: none */
} solo_kernel_attributes;

typedef enum solo_memory_kind {
  SOLO_MEMORY_DEVICE, /* fastest for the device */
  SOLO_MEMORY_HOST,   /* pinned host memory that the device reaches; address valid on the host */
  SOLO_MEMORY_SHARED, /* migrates or is reachable from both; address valid on the host */
} solo_memory_kind;

/* One kernel launch. arguments: the kernel's parameters as they lie in its parameter block: 8-byte
 * slots for OpenMP kernels (slot 0 is the launch environment pointer). A CPU takes nothing but
 * 8-byte slots. More bytes than the kernel's known argument_bytes, or a grid, block or shared
 * memory beyond the device's limits: INVALID. */
typedef struct solo_launch_record {
  uint32_t teams[3];     /* grid, in blocks; each >= 1 */
  uint32_t threads[3];   /* block; each >= 1 */
                         /* without SOLO_DEVICE_HAS_RTL both are limits for the kernel's own team
                          * and thread management, and 0 in [0] means: not said */
  uint32_t shared_bytes; /* dynamic */
  uint32_t argument_bytes;
  const void *arguments;
  /* Data that travel with the arguments, at a multiple of 16, for kernels whose inline_data_bytes says
   * that they may (more: INVALID; 0: nobody asks, and the backend need not look). Bit n of
   * inline_data_slots: slot n of the arguments is an offset into them, and the kernel gets the address.
   * The other two are not set while inline_data_bytes is 0. */
  uint32_t inline_data_bytes;
  const void *inline_data;
  uint64_t inline_data_slots;
  uint64_t trip_count; /* of the loop that the teams share; 0: not known */
} solo_launch_record;

/* A box of rows: slices x rows x row_bytes, with the distance between starts on each side. */
typedef struct solo_copy_box {
  uint64_t row_bytes, rows, slices;
  uint64_t dst_row_pitch, dst_slice_pitch;
  uint64_t src_row_pitch, src_slice_pitch;
} solo_copy_box;

typedef enum solo_copy_direction {
  SOLO_COPY_IN,     /* src is a host address, dst a device address */
  SOLO_COPY_OUT,    /* dst is a host address, src a device address */
  SOLO_COPY_WITHIN, /* both on this device */
} solo_copy_direction;

typedef enum solo_native_kind {
  SOLO_NATIVE_DEVICE,  /* CUdevice, hsa_agent_t.handle */
  SOLO_NATIVE_CONTEXT, /* CUcontext */
  SOLO_NATIVE_QUEUE,   /* CUstream, hsa_queue_t * */
} solo_native_kind;

typedef struct solo_backend {
  uint32_t api_version; /* SOLO_BACKEND_API */
  const char *name;     /* "host", "cuda", "hsa" */

  /* --- probe ------------------------------------------------------------------------------- */
  /* R How many devices there are. May load and start the driver (slow once), creates no device
   *   state. No driver or no device: *out_count = 0 and SOLO_UNAVAILABLE with the reason and how to
   *   check it. Called once per process by the runtime; conformance calls it often. */
  solo_status (*device_count)(int *out_count);
  /* o Writes why devices that were asked for are not counted, or ""; size >= 1. Default: "". */
  void (*device_missing)(char *text, size_t size);
  /* R Opens a device (0 <= ordinal < count, else INVALID): contexts, pools. Blocks. number is the
   *   runtime's number of the device, for messages and for what code on the device calls its own
   *   number. Fills *out_info. Opened once; may be opened again after device_close. */
  solo_status (*device_open)(int ordinal, int number, solo_bdevice **out_device,
                             solo_device_info *out_info);
  /* o Fills in those of name, uid, default_threads, compute_units, memory_bytes and
   * hardware_threads that device_open left out because finding them out costs a short program time.
   * The runtime calls it before it shows them. Default: device_open has filled everything. */
  void (*device_describe)(solo_bdevice *device, solo_device_info *info);
  /* R Frees everything of the device; its queues, events and modules are closed and its memory is
   *   freed before (what was not may leak or go with the device). */
  void (*device_close)(solo_bdevice *device);

  /* --- image ------------------------------------------------------------------------------- */
  /* R Is this the kind of image that this backend's devices run at all? No driver call: decides
   *   whether a program needs this backend. Nonzero: yes. */
  int (*image_recognise)(const solo_image *image);
  /* R How well the image fits the device: 0 not at all (then reason, reason_size >= 1, is set:
   *   "different processor: ..."), higher is better. Only for images that image_recognise takes.
   *   No allocation. */
  uint32_t (*image_score)(solo_bdevice *device, const solo_image *image, char *reason,
                          size_t reason_size);
  /* R Loads an image. Blocks. The image's bytes are borrowed for the call only (but a
   *   SOLO_IMAGE_LINKED is part of the program and stays). BAD_IMAGE, INCOMPATIBLE. The same image
   *   may be loaded twice: two modules, globals of their own (not for SOLO_IMAGE_LINKED). */
  solo_status (*module_load)(solo_bdevice *device, const solo_image *image,
                             solo_bmodule **out_module);
  /* R Unloads; all work of the module is complete. */
  void (*module_unload)(solo_bdevice *device, solo_bmodule *module);
  /* R Looks a kernel up: NOT_FOUND when the image has none of this name. Handles live as long as
   *   the module and need no release; a second look-up costs no further memory. */
  solo_status (*module_kernel)(solo_bmodule *module, const char *name, solo_bkernel **out_kernel,
                               solo_kernel_attributes *out_attributes);
  /* R Address and size of a global: NOT_FOUND without text when the image has none: callers probe. */
  solo_status (*module_global)(solo_bmodule *module, const char *name, solo_devptr *out_address,
                               uint64_t *out_bytes);

  /* --- memory ------------------------------------------------------------------------------ */
  /* R Allocates at least bytes (> 0, any value: no overflow), aligned to 64 or more. DEVICE_NOMEM
   *   when there is none; that is not sticky. A kind that the device has not: UNSUPPORTED. May
   *   block. HOST and SHARED addresses are good on both sides of queue_copy. */
  solo_status (*mem_alloc)(solo_bdevice *device, uint64_t bytes, solo_memory_kind kind,
                           solo_devptr *out_address);
  /* R Frees; no work uses the block any more (callers synchronise). kind as allocated. */
  solo_status (*mem_free)(solo_bdevice *device, solo_devptr address, solo_memory_kind kind);
  /* o Page-locks a host range and gives its device address. Copies go on to name the range by its
   *   host address. The runtime pins no byte twice. Default: UNSUPPORTED. */
  solo_status (*mem_pin)(solo_bdevice *device, void *host, uint64_t bytes,
                         solo_devptr *out_address);
  /* o Default: UNSUPPORTED. */
  solo_status (*mem_unpin)(solo_bdevice *device, void *host);

  /* --- queue ------------------------------------------------------------------------------- */
  /* R An in-order queue. */
  solo_status (*queue_open)(solo_bdevice *device, solo_bqueue **out_queue);
  /* R Closes; the queue is idle, or the device is lost. Events recorded on it stay valid. */
  void (*queue_close)(solo_bdevice *device, solo_bqueue *queue);
  /* R Enqueues a copy of bytes (> 0). dst and src are addresses as direction says and do not
   *   overlap; any alignment. A host range stays valid until the queue has passed the copy; until
   *   then nobody writes to a source or touches a destination. May block, but not on work that
   *   another queue's user has yet to enqueue. */
  solo_status (*queue_copy)(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                            solo_copy_direction direction);
  /* o A box by one driver call; every extent > 0, pitches >= what they step over. Default:
   * queue_copy per row (per slice or once where rows adjoin). */
  solo_status (*queue_copy_box)(solo_bqueue *queue, uint64_t dst, uint64_t src,
                                const solo_copy_box *box, solo_copy_direction direction);
  /* o Sets bytes (> 0) to value (the low 8 bits). May wait for what is before it in the queue.
   *   Default: copies from a host buffer and waits. */
  solo_status (*queue_fill)(solo_bqueue *queue, solo_devptr dst, int value, uint64_t bytes);
  /* o Copies from src on queue's device to dst on another device of the same backend. UNSUPPORTED,
   *   with nothing enqueued, for two devices that have no way: the default. Default: by way of host
   *   memory, and waits. */
  solo_status (*queue_copy_peer)(solo_bqueue *queue, solo_bdevice *dst_device, solo_devptr dst,
                                 solo_devptr src, uint64_t bytes);
  /* R Enqueues a launch. The record and its arguments are borrowed for the call. After the queue's
   *   first launch of the kernel: no allocation, no lock of the backend's; never waits for the
   *   device except for room in the queue. */
  solo_status (*queue_launch)(solo_bqueue *queue, solo_bkernel *kernel,
                              const solo_launch_record *launch);
  /* R Waits until the queue is idle; returns the first error of its work since the last queue_sync,
   *   and forgets it unless it is sticky. Spins first (solo_settings()->spin_us), then sleeps. */
  solo_status (*queue_sync)(solo_bqueue *queue);

  /* --- event ------------------------------------------------------------------------------- */
  /* R A point in a queue's work; not recorded yet. An unrecorded event counts as reached. */
  solo_status (*event_open)(solo_bdevice *device, solo_bevent **out_event);
  /* R May be called before the event is reached, and while queues wait for it: they still do. */
  void (*event_close)(solo_bdevice *device, solo_bevent *event);
  /* R Marks the queue's present end; a second record moves the event (a queue that waits already waits for
   *   the record before). Event and queue belong to the same device. */
  solo_status (*event_record)(solo_bqueue *queue, solo_bevent *event);
  /* R What is enqueued later on queue waits for the event's latest record at this moment (a queue
   * of any device of the same backend; an unrecorded event: for nothing). Does not block the host. */
  solo_status (*queue_wait_event)(solo_bqueue *queue, solo_bevent *event);
  /* R *out_done = 1 when reached, else 0; or an error of the work before it. Never blocks. */
  solo_status (*event_query)(solo_bevent *event, int *out_done);
  /* R Blocks until the latest record is reached (spins, sleeps); returns errors as event_query does. */
  solo_status (*event_wait)(solo_bevent *event);

  /* --- info -------------------------------------------------------------------------------- */
  /* o The driver's own handle, for omp_interop. queue may be NULL for the other kinds. A kind that
   *   the driver has not: UNSUPPORTED. Default: UNSUPPORTED. */
  solo_status (*native_handle)(solo_bdevice *device, solo_bqueue *queue, solo_native_kind kind,
                               void **out_handle);
  /* o Hands over up to most records of what the device has done (backend_work.h); how many. Default: 0. */
  uint32_t (*device_work)(solo_bdevice *device, solo_device_work *out, uint32_t most);
} solo_backend;

/* Those chosen by configure.sh, in the order of their devices' numbers (backends/backends.c). */
extern const solo_backend *const solo_backends[];
extern const int solo_backend_count;

#endif
