/* Common part of the HIP and CUDA runtimes. A stream is a chain of events: a new operation waits
 * for the last event of its stream. The null stream and the blocking streams of a device wait for
 * each other. Functions return a kl_error. Threads: any; current device and last error are per
 * thread. */
#ifndef SOLO_ABI_KL_H
#define SOLO_ABI_KL_H

#include "abi/include/solo.h"
#include "abi/include/tgt_rtl.h"
#include "runtime/base/platform.h"
#include <pthread.h>

enum kl_error {
  KL_OK = 0,
  KL_INVALID_VALUE = 1,
  KL_NO_MEMORY = 2,
  KL_NOT_INITIALIZED = 3,
  KL_INVALID_CONFIGURATION = 9,
  KL_INVALID_SYMBOL = 13,
  KL_INVALID_POINTER = 17,
  KL_INVALID_DIRECTION = 21,
  KL_INVALID_FUNCTION = 98,
  KL_NO_DEVICE = 100,
  KL_INVALID_DEVICE = 101,
  KL_INVALID_IMAGE = 200,
  KL_NO_IMAGE = 209,
  KL_INVALID_HANDLE = 400,
  KL_NOT_READY = 600,
  KL_LAUNCH_FAILURE = 719,
  KL_NOT_SUPPORTED = 801,
  KL_UNKNOWN = 999,
};

enum kl_direction { KL_HOST_TO_HOST, KL_IN, KL_OUT, KL_WITHIN, KL_DEFAULT };
enum { KL_NONBLOCKING = 1, KL_MOST_DEVICES = 64 };

typedef struct kl_dim3 {
  unsigned x, y, z;
} kl_dim3;

typedef struct kl_stream kl_stream; /* NULL: null stream of the current device */
typedef struct kl_event kl_event;
typedef struct kl_module kl_module;

/* Guards the lists of streams, events, blocks and symbols; not held during waits. */
extern pthread_mutex_t solo_kl_lock;

/* Store and return an error. solo_kl_fail: with a text; solo_kl_status: with the text of
 * solo_last_error(). */
int solo_kl_fail(int error, const char *format, ...) SOLO_PRINTF(2, 3);
int solo_kl_status(int status);
int solo_kl_last_error(void);
int solo_kl_peek_error(void);
const char *solo_kl_error_name(const char *language, int error);
const char *solo_kl_error_text(int error);

int solo_kl_device_count(int *out_count);
int solo_kl_set_device(int device);
int solo_kl_get_device(int *out_device);
int solo_kl_current(void);

/* The common first members of hipDeviceProp_tR0600 and cudaDeviceProp. */
typedef struct kl_properties {
  char name[256];
  char uuid[16], luid[8];
  unsigned node_mask;
  size_t memory, shared_per_block;
  int registers_per_block, warp_size;
  size_t pitch;
  int threads_per_block, block[3], grid[3];
  int clock_khz;
  size_t constant_memory;
  int major, minor;
  size_t texture[2];
  int overlap, compute_units;
  int timeout, integrated, maps_host_memory, mode, textures[40];
  size_t surface_alignment;
  int concurrent_kernels, ecc, pci[3], tcc, copy_engines, unified_addressing;
  int memory_clock_khz, bus_bits, l2_bytes, l2_persisting, threads_per_unit, priorities, l1[2];
  size_t shared_per_unit;
  int registers_per_unit, managed_memory, board[2], host_atomics, ratio, pageable;
  int concurrent_managed, preemption, host_pointers, cooperative[2];
  size_t shared_opt_in;
} kl_properties;
_Static_assert(sizeof(kl_properties) == 704, "as in CUDA 12");

/* Writes `size` bytes. arch: NULL, or at least 64 bytes. */
int solo_kl_properties(void *out, size_t size, char *arch, int device);

/* wrapper: magic number, version, pointer to the fat binary. Does not return NULL: after a failure,
 * the kernels of the module report the failure. */
kl_module *solo_kl_register(const void *wrapper, uint32_t magic);
void solo_kl_unregister(kl_module *module);
void solo_kl_register_symbol(kl_module *module, const void *host, const char *name, size_t bytes);
void solo_kl_register_managed(kl_module *module, void **pointer, const void *initial,
                              const char *name, size_t bytes);
/* Finds the kernel of a host stub on the current device. The first call for an image sets the
 * image's managed variables. */
int solo_kl_kernel(const void *host, solo_kernel_handle **out_kernel);
int solo_kl_symbol(const void *host, void **out_address, size_t *out_bytes);
int solo_kl_copy_symbol(const void *symbol, void *host, size_t bytes, size_t offset, int direction);

int solo_kl_push(kl_dim3 grid, kl_dim3 block, size_t shared_bytes, void *stream);
int solo_kl_pop(kl_dim3 *grid, kl_dim3 *block, size_t *shared_bytes, void **stream);
int solo_kl_launch(const void *host, kl_dim3 grid, kl_dim3 block, void **arguments,
                   size_t shared_bytes, kl_stream *stream);

int solo_kl_alloc(void **out_address, size_t bytes);
int solo_kl_alloc_host(void **out_address, size_t bytes);
int solo_kl_alloc_managed(void **out_address, size_t bytes);
int solo_kl_free(void *address);
int solo_kl_memory(size_t *out_free, size_t *out_bytes);
int solo_kl_managed(const void *address, size_t bytes);
int solo_kl_copy(void *to, const void *from, size_t bytes, int direction);
int solo_kl_copy_async(void *to, const void *from, size_t bytes, int direction, kl_stream *stream);
int solo_kl_set(void *address, int value, size_t bytes, kl_stream *stream);

int solo_kl_stream_create(kl_stream **out_stream, unsigned flags);
int solo_kl_stream_destroy(kl_stream *stream);
int solo_kl_stream_sync(kl_stream *stream);
int solo_kl_stream_query(kl_stream *stream);
int solo_kl_stream_wait(kl_stream *stream, kl_event *event);
int solo_kl_device_sync(void);
int solo_kl_event_create(kl_event **out_event);
int solo_kl_event_destroy(kl_event *event);
int solo_kl_event_record(kl_event *event, kl_stream *stream);
int solo_kl_event_sync(kl_event *event);
int solo_kl_event_query(kl_event *event);
int solo_kl_elapsed(float *out_ms, kl_event *start, kl_event *stop);

/* Collects the events for which a new operation of the stream must wait. The caller then enqueues
 * the operation and calls solo_kl_order_end(). */
enum { KL_MOST_AFTER = 64 };
typedef struct kl_order {
  int device, count;
  tgt_event_t after[KL_MOST_AFTER];
} kl_order;
void solo_kl_order_begin(kl_stream *stream, kl_order *out);
/* Makes `event` the last event of the stream and takes over the reference. NULL: the operation has
 * failed or is complete. */
void solo_kl_order_end(kl_stream *stream, kl_order *order, tgt_event_t event);

#endif
