/* Target RTL interface of the libomptarget design (docs/abi-facts.md 12; docs/design/abi.md) for
 * the devices of all backends. If a function permits the host, the host's number is
 * __tgt_rtl_number_of_devices(). Functions marked "extension" are not part of the design. Units:
 * bytes.
 *
 * Errors: a call returns 0 or a status; solo_last_error() has the text. If an operation fails after
 * the call has returned, its event and all dependent events end with the status, and
 * __tgt_rtl_process_dep() returns the status once. No function ends the program.
 *
 * Threads: any. Callbacks run without a lock and may call all functions except
 * __tgt_rtl_event_wait(). No background thread exists: events progress only in
 * __tgt_rtl_process_dep(), __tgt_rtl_event_wait() and calls that add work.
 *
 * Ownership: *completion_event is a reference, which the caller may release at any time by
 * __tgt_rtl_event_release(); if completion_event is NULL, none is returned. dep_events is only
 * read; a NULL element counts as DONE. Host ranges and target memory must stay valid until the
 * event is DONE, other arrays until the call returns. All events must be DONE before solo_fini(). */
#ifndef TGT_RTL_H
#define TGT_RTL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tgt_event *tgt_event_t;

/* The host's part of a dependence between two devices. */
typedef struct tgt_event *tgt_sync_event_t;

/* event is DONE with `status`; it is valid during the call. Dependent work on the other device
 * waits until sync is passed to __tgt_rtl_release_dep(), exactly once. */
typedef void (*tgt_callback_fct)(tgt_event_t event, tgt_sync_event_t sync, int32_t status);

/* address: on the device, or NULL. For a target region it is the argument target_entry_ptr of the
 * run functions. */
typedef struct tgt_target_entry {
  void *address;
  const char *name;
  uint64_t size; /* 0: a target region */
} tgt_target_entry;

/* Entries in the order of the image. The library owns the table, which is valid until the process
 * ends. */
typedef struct tgt_target_table {
  tgt_target_entry *begin;
  tgt_target_entry *end;
} tgt_target_table;

typedef struct __tgt_device_image {
  void *ImageStart;
  void *ImageEnd;
  void *EntriesBegin;
  void *EntriesEnd;
} __tgt_device_image;

typedef struct __omp_offloading_fptr_map_ty {
  int64_t host_ptr;
  int64_t tgt_ptr;
} __omp_offloading_fptr_map_ty;

int32_t __tgt_rtl_number_of_devices(void);
int32_t __tgt_init_device(int32_t device_id);
int32_t __tgt_rtl_init_device(int32_t device_id);
/* Registers and loads an image, which must stay valid until the process ends. Returns its table
 * (the same for equal images), or NULL on failure. */
tgt_target_table *__tgt_rtl_load_binary(int32_t device_id, __tgt_device_image *image);
/* Returns whether a backend supports the image's format. Opens no device. */
int32_t __tgt_rtl_is_valid_binary(__tgt_device_image *image);
void *__tgt_rtl_data_alloc(int32_t device_id, int64_t size);
int32_t __tgt_rtl_data_submit(int32_t device_id, void *target_ptr, void *host_ptr, int64_t size);
int32_t __tgt_rtl_data_retrieve(int32_t device_id, void *host_ptr, void *target_ptr, int64_t size);
int32_t __tgt_rtl_data_delete(int32_t device_id, void *target_ptr);
/* target_vars_ptr: the parameters, 8 bytes each. For Clang's kernels (with a kernel environment, or
 * the name prefix __omp_offloading_) the library adds the hidden first parameter. */
int32_t __tgt_rtl_run_target_region(int32_t device_id, void *target_entry_ptr,
                                    void **target_vars_ptr, int32_t arg_num);
/* num_teams, thread_limit: <= 0 means unspecified. */
int32_t __tgt_rtl_run_target_team_region(int32_t device_id, void *target_entry_ptr,
                                         void **target_vars_ptr, int32_t arg_num, int32_t num_teams,
                                         int32_t thread_limit);
/* Replaces the function-pointer table by a copy of table_size pairs, in any order. Failures:
 * solo_last_error(). */
void __tgt_rtl_set_function_ptr_map(int32_t device_id, uint64_t table_size,
                                    __omp_offloading_fptr_map_ty *table_host_ptr);

/* Sets the callback of __tgt_rtl_enforce_dep(). NULL: the runtime itself enforces the dependences. */
void __tgt_rtl_init_dep(tgt_callback_fct completion_callback);
/* Calls the callback once when completion_event, of from_device_id, is DONE. Work that is added to
 * to_device_id later and depends on the event waits for __tgt_rtl_release_dep(). If the two devices
 * are equal, the device orders the work without a callback. */
int32_t __tgt_rtl_enforce_dep(int32_t from_device_id, int32_t to_device_id,
                              tgt_event_t completion_event);
/* Ends the host's part of a dependence and releases the reference. */
void __tgt_rtl_release_dep(tgt_sync_event_t completion_event);
/* Makes progress without waiting. Returns the oldest unreported failure, or 0. */
int32_t __tgt_rtl_process_dep(void);

/* Extension: creates an event that becomes DONE when *sync is passed to __tgt_rtl_release_dep().
 * The caller owns both references. */
int32_t __tgt_rtl_host_event(tgt_event_t *event, tgt_sync_event_t *sync);
/* Extension: increment and decrement the reference count. */
void __tgt_rtl_event_retain(tgt_event_t event);
void __tgt_rtl_event_release(tgt_event_t event);
/* Extension: returns the status of a DONE event; -1: the event is not DONE. Makes no progress. */
int32_t __tgt_rtl_event_status(tgt_event_t event);
/* Extension: waits until the event is DONE and returns its status. A failure is also returned once
 * by __tgt_rtl_process_dep(). */
int32_t __tgt_rtl_event_wait(tgt_event_t event);

/* Merges events into one event that is DONE after all of them. device_id may be the host's. */
int32_t __tgt_rtl_async_dep(int32_t device_id, int32_t num_dep_events, tgt_event_t *dep_events,
                            tgt_event_t *completion_event);
int32_t __tgt_rtl_async_data_submit(int32_t device_id, void *target_ptr, void *host_ptr,
                                    int64_t size, int32_t num_dep_events, tgt_event_t *dep_events,
                                    tgt_event_t *completion_event);
int32_t __tgt_rtl_async_data_retrieve(int32_t device_id, void *host_ptr, void *target_ptr,
                                      int64_t size, int32_t num_dep_events, tgt_event_t *dep_events,
                                      tgt_event_t *completion_event);
int32_t __tgt_rtl_async_run_target_region(int32_t device_id, void *target_entry_ptr,
                                          void **target_vars_ptr, int32_t arg_num,
                                          int32_t num_dep_events, tgt_event_t *dep_events,
                                          tgt_event_t *completion_event);
int32_t __tgt_rtl_async_run_target_team_region(int32_t device_id, void *target_entry_ptr,
                                               void **target_vars_ptr, int32_t arg_num,
                                               int32_t num_teams, int32_t thread_limit,
                                               int32_t num_dep_events, tgt_event_t *dep_events,
                                               tgt_event_t *completion_event);

#ifdef __cplusplus
}
#endif

#endif
