/* Target RTL interface of the libomptarget design (docs/abi-facts.md 12; docs/design/abi.md) for
 * the devices of all backends. The host, where permitted, has the number
 * __tgt_rtl_number_of_devices(). "Extension": not part of the design.
 *
 * Errors: 0 or a status; solo_last_error() has the text. A failed event fails its dependent events.
 * Units: bytes.
 *
 * Threads: any. Callbacks run without a lock and may call all functions except
 * __tgt_rtl_event_wait(). Events progress only in __tgt_rtl_process_dep(), __tgt_rtl_event_wait()
 * and calls that add work.
 *
 * Ownership: *completion_event is a reference for __tgt_rtl_event_release(), at any time; NULL: no
 * reference. dep_events is borrowed; NULL in it: satisfied. Host ranges and target memory stay
 * valid until DONE, other arrays for the call. All events must be DONE before solo_fini(). */
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
/* NULL: failure. An equal image returns the same table. The image must stay valid until the process
 * ends. */
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
/* Copies table_size pairs, in any order. Errors: solo_last_error(). */
void __tgt_rtl_set_function_ptr_map(int32_t device_id, uint64_t table_size,
                                    __omp_offloading_fptr_map_ty *table_host_ptr);

/* Sets the callback of __tgt_rtl_enforce_dep(). NULL: the runtime enforces dependences. */
void __tgt_rtl_init_dep(tgt_callback_fct completion_callback);
/* Calls the callback once when completion_event is DONE. Later work on to_device_id that depends on
 * it waits for the release. No callback if both devices are equal. */
int32_t __tgt_rtl_enforce_dep(int32_t from_device_id, int32_t to_device_id,
                              tgt_event_t completion_event);
/* Consumes the reference. */
void __tgt_rtl_release_dep(tgt_sync_event_t completion_event);
/* Does not wait. Returns the oldest unreported failure or 0. */
int32_t __tgt_rtl_process_dep(void);

/* Extension: an event that __tgt_rtl_release_dep(*sync) ends. Returns two references. */
int32_t __tgt_rtl_host_event(tgt_event_t *event, tgt_sync_event_t *sync);
/* Extension. */
void __tgt_rtl_event_retain(tgt_event_t event);
void __tgt_rtl_event_release(tgt_event_t event);
/* Extension: -1: not DONE; else its status. */
int32_t __tgt_rtl_event_status(tgt_event_t event);
/* Extension: waits; returns the status, which stays unreported. */
int32_t __tgt_rtl_event_wait(tgt_event_t event);

/* Merges events. device_id may be the host. */
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
