/* Target RTL interface of the libomptarget design (docs/abi-facts.md 12; docs/design/abi.md) for
 * the devices of all backends. Where a host is permitted, its number is
 * __tgt_rtl_number_of_devices(). Functions marked "extension" are not part of the design. Units:
 * bytes.
 *
 * Errors: a call returns 0 or a status, with the text in solo_last_error(). A failure after the
 * call ends the event and all dependent events; __tgt_rtl_process_dep() returns it once. No
 * function ends the program.
 *
 * Threads: any. Callbacks run without a lock and may call all functions except
 * __tgt_rtl_event_wait(). There is no background thread: events progress only in
 * __tgt_rtl_process_dep(), __tgt_rtl_event_wait() and calls that add work.
 *
 * Ownership: *completion_event is a reference, which the caller releases at any time with
 * __tgt_rtl_event_release(). A NULL completion_event returns none. dep_events is borrowed; a NULL
 * in it is satisfied. Host ranges and target memory stay valid until the event is DONE, other
 * arrays until the return. All events must be DONE before solo_fini(). */
#ifndef TGT_RTL_H
#define TGT_RTL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tgt_event *tgt_event_t;

/* The host's end of a dependence. */
typedef struct tgt_event *tgt_sync_event_t;

/* event is DONE with status; borrowed. Dependent work on the other device waits until sync is
 * passed to __tgt_rtl_release_dep(), once. */
typedef void (*tgt_callback_fct)(tgt_event_t event, tgt_sync_event_t sync, int32_t status);

/* address: on the device, or NULL. For a region: the argument of the run functions. */
typedef struct tgt_target_entry {
  void *address;
  const char *name;
  uint64_t size; /* 0: a target region */
} tgt_target_entry;

/* In the image's order. Owned by the library; valid as long as the image. */
typedef struct tgt_target_table {
  tgt_target_entry *begin;
  tgt_target_entry *end;
} tgt_target_table;

typedef struct __tgt_device_image {
  void *ImageStart;
  void *ImageEnd;
  void *EntriesBegin; /* offload entries of Clang 19 or 22 */
  void *EntriesEnd;
} __tgt_device_image;

/* A function on the host and on the device. */
typedef struct __omp_offloading_fptr_map_ty {
  int64_t host_ptr;
  int64_t tgt_ptr;
} __omp_offloading_fptr_map_ty;

int32_t __tgt_rtl_number_of_devices(void);
int32_t __tgt_init_device(int32_t device_id);
int32_t __tgt_rtl_init_device(int32_t device_id);
/* Registers an image and loads it. Returns NULL on failure; an equal image returns the same table.
 * The image must stay valid until the process ends. */
tgt_target_table *__tgt_rtl_load_binary(int32_t device_id, __tgt_device_image *image);
/* Nonzero: a backend supports the image. Opens no device. */
int32_t __tgt_rtl_is_valid_binary(__tgt_device_image *image);
void *__tgt_rtl_data_alloc(int32_t device_id, int64_t size);
int32_t __tgt_rtl_data_submit(int32_t device_id, void *target_ptr, void *host_ptr, int64_t size);
int32_t __tgt_rtl_data_retrieve(int32_t device_id, void *host_ptr, void *target_ptr, int64_t size);
int32_t __tgt_rtl_data_delete(int32_t device_id, void *target_ptr);
/* target_vars_ptr: the parameters, 8 bytes each, without the hidden first parameter of Clang's
 * kernels (a kernel environment, or the prefix __omp_offloading_), which is added. */
int32_t __tgt_rtl_run_target_region(int32_t device_id, void *target_entry_ptr,
                                    void **target_vars_ptr, int32_t arg_num);
/* num_teams, thread_limit: <= 0 is unspecified. */
int32_t __tgt_rtl_run_target_team_region(int32_t device_id, void *target_entry_ptr,
                                         void **target_vars_ptr, int32_t arg_num, int32_t num_teams,
                                         int32_t thread_limit);
/* Replaces the function-pointer table of the device by table_size pairs, in any order. Copied.
 * Errors: solo_last_error(). */
void __tgt_rtl_set_function_ptr_map(int32_t device_id, uint64_t table_size,
                                    __omp_offloading_fptr_map_ty *table_host_ptr);

/* Sets the callback of __tgt_rtl_enforce_dep(). NULL: none; the runtime enforces dependences. */
void __tgt_rtl_init_dep(tgt_callback_fct completion_callback);
/* Calls the callback once when completion_event, of from_device_id, is DONE. Work on to_device_id
 * that is added later and depends on it waits for __tgt_rtl_release_dep(). If both devices are
 * equal, the device orders the work without a callback. */
int32_t __tgt_rtl_enforce_dep(int32_t from_device_id, int32_t to_device_id,
                              tgt_event_t completion_event);
/* Ends the host's part of a dependence; consumes the reference. */
void __tgt_rtl_release_dep(tgt_sync_event_t completion_event);
/* Makes progress without waiting. Returns the oldest unreported failure or 0. */
int32_t __tgt_rtl_process_dep(void);

/* Extension: creates an event that __tgt_rtl_release_dep(*sync) ends. Returns two references. */
int32_t __tgt_rtl_host_event(tgt_event_t *event, tgt_sync_event_t *sync);
/* Extension. */
void __tgt_rtl_event_retain(tgt_event_t event);
void __tgt_rtl_event_release(tgt_event_t event);
/* Extension: returns -1 if not DONE, else its status. Makes no progress. */
int32_t __tgt_rtl_event_status(tgt_event_t event);
/* Extension: waits until DONE; returns the status, which stays unreported. */
int32_t __tgt_rtl_event_wait(tgt_event_t event);

/* Merges events to one. device_id may be the host. */
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
