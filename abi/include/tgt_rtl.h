/* The target RTL interface of the libomptarget design (docs/abi-facts.md 12), over the global
 * device numbers of all backends: 0 to __tgt_rtl_number_of_devices() - 1. That count itself is the
 * host's number where a host is allowed.
 *
 * Results: 0, or a status (the text is in solo_last_error of solo.h). Nothing here ends the program
 * or prints. Functions marked "ours" are not of the design: it leaves open how an event ends.
 *
 * Life of an event
 *
 *                    dependences met                      the device has done it
 *   HELD (host knows) ------> ISSUED (in a device queue) ------> DONE: 0 or a failure
 *      |                                                          ^
 *      +-- a dependence failed, or the device refused the work ---+
 *
 *   An event is a counted handle. *completion_event holds one reference, the caller's; give it back
 *   with __tgt_rtl_event_release, whenever: the work goes on. A call borrows dep_events. A NULL
 *   completion_event means that the caller does not want to know; a NULL in dep_events is a dependence already
 *   met. Work that runs on a device that does everything at once (the CPU) is DONE when the call
 *   returns, unless it was held.
 *
 * Order
 *   Work goes to the queue of its first dependence event if that is of the same device. Further
 *   dependences of the same device are waits on the device. Dependences on work of another device
 *   or of the host are enforced by the host: the work is held until they are DONE, and then given
 *   to the device by the thread that finds that out.
 *
 * Progress
 *   Nothing moves behind the caller's back, there is no thread of ours: events become DONE, held
 *   work is issued and callbacks are called inside __tgt_rtl_process_dep and
 *   __tgt_rtl_event_wait, and inside the call that adds work where that work is DONE at once.
 *
 * Threads
 *   Any function from any thread. Callbacks are called without a lock and may call everything here
 *   but __tgt_rtl_event_wait.
 *
 * Errors
 *   What can be seen at once (device number, NULL, sizes) is the call's result, and there is no
 *   event. Later failures end the event; every event that depends on it ends with the same status
 *   and its work is not begun (on the same device it may have run, on wrong data). Work queued
 *   behind a failure fails with it. Of all these, the failure itself is reported once:
 *   __tgt_rtl_process_dep returns it.
 *
 * Memory
 *   Host ranges and target memory stay valid until the event is DONE; arrays of arguments and
 *   events are borrowed for the call. Before solo_fini all events are DONE.
 *
 * Units: bytes.
 */
#ifndef TGT_RTL_H
#define TGT_RTL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tgt_event *tgt_event_t;

/* What a callback is given, and what __tgt_rtl_release_dep takes: the host's end of a dependence.
 */
typedef struct tgt_event *tgt_sync_event_t;

/* event has completed (status 0 or its failure); borrowed for the call. What depends on it across
 * the edge waits for __tgt_rtl_release_dep(sync), which must be called once, now or later. */
typedef void (*tgt_callback_fct)(tgt_event_t event, tgt_sync_event_t sync, int32_t status);

/* One entry of an image: address on the device. Of a target region: what the run functions take; of an
 * indirect function (flag 8): its device counterpart. NULL: not on this device. */
typedef struct tgt_target_entry {
  void *address;
  const char *name;
  uint64_t size; /* 0: a target region */
} tgt_target_entry;

/* As many entries as the image's, in their order. Stays the library's; lives as the image does. */
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

/* A function of the host and its counterpart on the device (the seed on "declare target indirect", "Runtime
 * handling of function pointers"). */
typedef struct __omp_offloading_fptr_map_ty {
  int64_t host_ptr;
  int64_t tgt_ptr;
} __omp_offloading_fptr_map_ty;

/* --- synchronous ------------------------------------------------------------------------------ */

int32_t __tgt_rtl_number_of_devices(void);
int32_t __tgt_init_device(int32_t device_id);
int32_t __tgt_rtl_init_device(int32_t device_id);
/* NULL: refused, see solo_last_error. The same image again gives the same table. The image stays
 * registered for all devices, and must stay where it is, as long as the process lives. */
tgt_target_table *__tgt_rtl_load_binary(int32_t device_id, __tgt_device_image *image);
/* Nonzero: some backend runs such images. Opens no device. */
int32_t __tgt_rtl_is_valid_binary(__tgt_device_image *image);
void *__tgt_rtl_data_alloc(int32_t device_id, int64_t size);
int32_t __tgt_rtl_data_submit(int32_t device_id, void *target_ptr, void *host_ptr, int64_t size);
int32_t __tgt_rtl_data_retrieve(int32_t device_id, void *host_ptr, void *target_ptr, int64_t size);
int32_t __tgt_rtl_data_delete(int32_t device_id, void *target_ptr);
/* target_vars_ptr: the kernel's parameters, first to last, 8 bytes each (DeviceRTLInterface.tex,
 * "Target RTL synchronous interface"). Kernels that Clang made (a kernel environment in the image, or a
 * name that begins with __omp_offloading_) have a parameter before those of the region, which is not
 * among the variables: such a kernel gets it from here. */
int32_t __tgt_rtl_run_target_region(int32_t device_id, void *target_entry_ptr,
                                    void **target_vars_ptr, int32_t arg_num);
/* num_teams, thread_limit: <= 0 means not said. */
int32_t __tgt_rtl_run_target_team_region(int32_t device_id, void *target_entry_ptr,
                                         void **target_vars_ptr, int32_t arg_num, int32_t num_teams,
                                         int32_t thread_limit);
/* The table of a device, copied: table_size pairs in any order (the seed on "declare target indirect", "Runtime
 * handling of function pointers"). A failure is in solo_last_error. */
void __tgt_rtl_set_function_ptr_map(int32_t device_id, uint64_t table_size,
                                    __omp_offloading_fptr_map_ty *table_host_ptr);

/* --- dependences ------------------------------------------------------------------------------ */

/* What is called at completions asked for by __tgt_rtl_enforce_dep. NULL: nothing; edges are then
 * enforced without asking. */
void __tgt_rtl_init_dep(tgt_callback_fct completion_callback);
/* The callback will be called once when completion_event, of from_device_id, is DONE. Work on
 * to_device_id that is added after this call and depends on the event waits for the callback's
 * release. Where both are one device, the device orders them: the callback is not called. */
int32_t __tgt_rtl_enforce_dep(int32_t from_device_id, int32_t to_device_id,
                              tgt_event_t completion_event);
/* Ends the host's part; takes the reference. */
void __tgt_rtl_release_dep(tgt_sync_event_t completion_event);
/* Makes progress, without waiting. Returns the oldest failure that was not yet reported, else 0. */
int32_t __tgt_rtl_process_dep(void);

/* ours: an event of the host, DONE by __tgt_rtl_release_dep on *sync. Both are references. */
int32_t __tgt_rtl_host_event(tgt_event_t *event, tgt_sync_event_t *sync);
/* ours */
void __tgt_rtl_event_retain(tgt_event_t event);
void __tgt_rtl_event_release(tgt_event_t event);
/* ours: -1 not DONE; else 0 or its failure. Makes no progress. */
int32_t __tgt_rtl_event_status(tgt_event_t event);
/* ours: makes progress until the event is DONE; returns its status, which does not count as reported. */
int32_t __tgt_rtl_event_wait(tgt_event_t event);

/* --- asynchronous ----------------------------------------------------------------------------- */

/* One event for many. device_id may be the host's number. */
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
