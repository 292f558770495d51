/* Internal interface of abi/offload: objects, handles (docs/design/offload.md), errors. Slots are
 * reused and never freed. */
#ifndef SOLO_ABI_OFFLOAD_INTERNAL_H
#define SOLO_ABI_OFFLOAD_INTERNAL_H

#define OL_APIEXPORT __attribute__((visibility("default")))
#include "abi/include/OffloadAPI.h"

#include "abi/offload/core.h"
#include "runtime/base/atomic.h"
#include <pthread.h>

typedef enum ol_kind {
  OL_PLATFORM = 1,
  OL_DEVICE,
  OL_QUEUE,
  OL_EVENT,
  OL_PROGRAM,
  OL_SYMBOL
} ol_kind;

typedef struct ol_header {
  _Atomic uint32_t generation; /* odd: the object exists */
  uint32_t index;
  struct ol_header *next_free;
} ol_header;

enum { OL_CHUNK = 256, OL_CHUNKS = 4096 };

typedef struct ol_table {
  ol_kind kind;
  size_t size;
  _Atomic uint32_t used;
  ol_header *free;
  _Atomic(char *) *chunks;
} ol_table;

typedef struct ol_platform {
  ol_header header;
  const char *name, *vendor;
  ol_platform_backend_t backend;
} ol_platform;

typedef struct ol_device {
  ol_header header;
  ol_platform *platform;
  solo_device *device;   /* NULL: the host without a CPU device */
  _Atomic uint32_t open; /* nonzero: `device` is open */
  int number;
  int is_host; /* nonzero: device memory is host memory of this process */
} ol_device;

typedef struct ol_queue {
  ol_header header;
  ol_device *on;
  solo_bqueue *queue;
  struct ol_stream *stream; /* NULL: a synchronous device */
} ol_queue;

typedef struct ol_event {
  ol_header header;
  ol_device *on;
  ol_queue_handle_t queue;
  struct ol_point *point; /* NULL: the device is synchronous, so the event is complete */
} ol_event;

typedef struct ol_program {
  ol_header header;
  ol_device *on;
  solo_registration *registration;
  void *bytes;
  struct ol_symbol *symbols;
} ol_program;

typedef struct ol_symbol {
  ol_header header;
  ol_program *program;
  struct ol_symbol *next;
  ol_symbol_kind_t kind;
  solo_kernel *kernel;
  void *address;
  size_t bytes;
  char *name;
} ol_symbol;

extern ol_table ol_platforms, ol_devices, ol_queues, ol_events, ol_programs, ol_symbols;
extern const solo_offload_core_table *ol_core;
extern _Atomic uint32_t ol_initialised; /* number of olInit calls without olShutDown */
/* Guards the tables, the lists of objects, allocations and registrations. */
extern pthread_mutex_t ol_lock;
extern pthread_mutex_t ol_results_lock;
extern ol_device *ol_host;

/* Returns the object, or NULL for an invalid handle. */
SOLO_INLINE void *ol_find(ol_table *table, const void *handle) {
  uint64_t word = (uint64_t)(uintptr_t)handle;
  uint32_t index = (uint32_t)word - 1;
  /* pairs with the release store in extend() */
  if (SOLO_UNLIKELY(word >> 56 != (uint64_t)table->kind ||
                    index >= solo_load_acquire(&table->used)))
    return NULL;
  /* pairs with the release store in extend() */
  ol_header *object = (ol_header *)(void *)(solo_load_acquire(&table->chunks[index / OL_CHUNK]) +
                                            index % OL_CHUNK * table->size);
  /* pairs with ol_publish() */
  uint32_t generation = solo_load_acquire(&object->generation);
  return SOLO_LIKELY((generation & 1) && (generation & 0xffffff) == (word >> 32 & 0xffffff))
             ? object
             : NULL;
}

void *ol_handle_of(const ol_table *table, const void *object);
/* The caller holds ol_lock. Returns an object with zero members after the header; NULL: no memory. */
void *ol_create(ol_table *table);
void ol_publish(void *object);
void ol_destroy(ol_table *table, void *object);
void ol_each(ol_table *table, void (*visit)(void *object));

/* ol_fail formats a text; ol_failed converts a status and its record. */
ol_result_t ol_fail(ol_errc_t code, const char *format, ...) SOLO_PRINTF(2, 3) SOLO_COLD;
ol_result_t ol_failed(solo_status status) SOLO_COLD;
ol_result_t ol_uninitialised(void) SOLO_COLD;
ol_result_t ol_null_handle(const char *name) SOLO_COLD;
ol_result_t ol_null_pointer(const char *name) SOLO_COLD;
ol_result_t ol_bad_handle(ol_errc_t code, const char *kind, const void *handle) SOLO_COLD;
extern _Thread_local const ol_code_location_t *ol_location;

#define OL_TRY(call)                                                                               \
  do {                                                                                             \
    ol_result_t ol_try_ = (call);                                                                  \
    if (SOLO_UNLIKELY(ol_try_ != OL_SUCCESS)) return ol_try_;                                      \
  } while (0)
#define OL_TRY_STATUS(call)                                                                        \
  do {                                                                                             \
    solo_status ol_status_ = (call);                                                               \
    if (SOLO_UNLIKELY(ol_status_ != SOLO_OK)) return ol_failed(ol_status_);                        \
  } while (0)
/* relaxed: a program orders olInit before its other calls */
#define OL_ENTER()                                                                                 \
  do {                                                                                             \
    if (SOLO_UNLIKELY(!solo_load_relaxed(&ol_initialised))) return ol_uninitialised();             \
  } while (0)
#define OL_POINTER(pointer)                                                                        \
  do {                                                                                             \
    if (SOLO_UNLIKELY(!(pointer))) return ol_null_pointer(#pointer);                               \
  } while (0)
#define OL_FIND(out, table, handle, code)                                                          \
  do {                                                                                             \
    if (SOLO_UNLIKELY(!(handle))) return ol_null_handle(#handle);                                  \
    (out) = ol_find(&(table), handle);                                                             \
    if (SOLO_UNLIKELY(!(out))) return ol_bad_handle(code, #handle, handle);                        \
  } while (0)
#define OL_FIND_DEVICE(out, handle) OL_FIND(out, ol_devices, handle, OL_ERRC_INVALID_DEVICE)
#define OL_FIND_QUEUE(out, handle)  OL_FIND(out, ol_queues, handle, OL_ERRC_INVALID_QUEUE)
#define OL_FIND_EVENT(out, handle)  OL_FIND(out, ol_events, handle, OL_ERRC_INVALID_EVENT)

/* Opens the device if necessary. UNSUPPORTED: the host without a CPU device. */
ol_result_t ol_open_slow(ol_device *on) SOLO_COLD;
SOLO_INLINE ol_result_t ol_open(ol_device *on) {
  /* pairs with ol_open_slow */
  return SOLO_LIKELY(solo_load_acquire(&on->open)) ? OL_SUCCESS : ol_open_slow(on);
}

/* The caller's buffer for a property; out_size not NULL: the caller requests only the property's size. */
typedef struct ol_property {
  size_t size, *out_size;
  void *value;
} ol_property;
ol_result_t ol_put(const ol_property *p, const void *bytes, size_t size);
ol_result_t ol_put_text(const ol_property *p, const char *text);
/* Checks size, handle and pointer, in this order. name NULL: there is no handle. */
ol_result_t ol_check_property(const ol_property *p, const char *name, const void *handle);

/* Called by the olShutDown that ends the interface. The caller holds ol_lock. */
void ol_memory_end(void);
void ol_platforms_end(void);
void ol_program_end(void *program);
/* Returns the streams of the queues, for ol_streams_end. */
struct ol_stream *ol_queues_end(void);
void ol_event_end(void *event);
/* Returns the device of the allocation or variable that contains the address; NULL: none. *out_shared: whether the host can
 * access the address. */
ol_device *ol_memory_device(const void *address, int *out_shared);
/* The caller holds ol_lock. */
ol_device *ol_variable_device(const void *address);

#endif
