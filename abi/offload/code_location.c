/* The functions with a source location. They store it in ol_location, and ol_fail() adds it to error texts. */
#include "abi/offload/internal.h"

#define LOCATED(name, parameters, arguments)                                                       \
  ol_result_t name##WithCodeLoc parameters {                                                       \
    ol_location = code_location;                                                                   \
    ol_result_t result = name arguments;                                                           \
    ol_location = NULL;                                                                            \
    return result;                                                                                 \
  }

#define LOCATED_INFO(name, object_type, info_type)                                                 \
  LOCATED(name,                                                                                    \
          (object_type object, info_type prop_name, size_t prop_size, void *prop_value,            \
           ol_code_location_t *code_location),                                                     \
          (object, prop_name, prop_size, prop_value))                                              \
  LOCATED(name##Size,                                                                              \
          (object_type object, info_type prop_name, size_t * prop_size_ret,                        \
           ol_code_location_t * code_location),                                                    \
          (object, prop_name, prop_size_ret))

LOCATED(olCalculateOptimalOccupancy,
        (ol_device_handle_t device, ol_symbol_handle_t kernel, size_t shared_memory,
         size_t *group_size, ol_code_location_t *code_location),
        (device, kernel, shared_memory, group_size))
LOCATED(olCreateEvent,
        (ol_queue_handle_t queue, ol_event_handle_t *event, ol_code_location_t *code_location),
        (queue, event))
LOCATED(olCreateProgram,
        (ol_device_handle_t device, const void *prog_data, size_t prog_data_size,
         ol_program_handle_t *program, ol_code_location_t *code_location),
        (device, prog_data, prog_data_size, program))
LOCATED(olCreateQueue,
        (ol_device_handle_t device, ol_queue_handle_t *queue, ol_code_location_t *code_location),
        (device, queue))
LOCATED(olDestroyEvent, (ol_event_handle_t event, ol_code_location_t *code_location), (event))
LOCATED(olDestroyProgram, (ol_program_handle_t program, ol_code_location_t *code_location),
        (program))
LOCATED(olDestroyQueue, (ol_queue_handle_t queue, ol_code_location_t *code_location), (queue))
LOCATED_INFO(olGetDeviceInfo, ol_device_handle_t, ol_device_info_t)
LOCATED_INFO(olGetEventInfo, ol_event_handle_t, ol_event_info_t)
LOCATED_INFO(olGetMemInfo, const void *, ol_mem_info_t)
LOCATED_INFO(olGetPlatformInfo, ol_platform_handle_t, ol_platform_info_t)
LOCATED_INFO(olGetQueueInfo, ol_queue_handle_t, ol_queue_info_t)
LOCATED_INFO(olGetSymbolInfo, ol_symbol_handle_t, ol_symbol_info_t)
LOCATED(olGetSymbol,
        (ol_program_handle_t program, const char *name, ol_symbol_kind_t kind,
         ol_symbol_handle_t *symbol, ol_code_location_t *code_location),
        (program, name, kind, symbol))
LOCATED(olInit, (ol_code_location_t * code_location), ())
LOCATED(olIsValidBinary,
        (ol_device_handle_t device, const void *prog_data, size_t prog_data_size, bool *valid,
         ol_code_location_t *code_location),
        (device, prog_data, prog_data_size, valid))
LOCATED(olIterateDevices,
        (ol_device_iterate_cb_t callback, void *user_data, ol_code_location_t *code_location),
        (callback, user_data))
LOCATED(olLaunchHostFunction,
        (ol_queue_handle_t queue, ol_host_function_cb_t callback, void *user_data,
         ol_code_location_t *code_location),
        (queue, callback, user_data))
LOCATED(olLaunchKernel,
        (ol_queue_handle_t queue, ol_device_handle_t device, ol_symbol_handle_t kernel,
         const void *arguments_data, size_t arguments_size,
         const ol_kernel_launch_size_args_t *launch_size_args, ol_code_location_t *code_location),
        (queue, device, kernel, arguments_data, arguments_size, launch_size_args))
LOCATED(olMemAlloc,
        (ol_device_handle_t device, ol_alloc_type_t type, size_t size, void **allocation_out,
         ol_code_location_t *code_location),
        (device, type, size, allocation_out))
LOCATED(olMemFill,
        (ol_queue_handle_t queue, void *ptr, size_t pattern_size, const void *pattern_ptr,
         size_t fill_size, ol_code_location_t *code_location),
        (queue, ptr, pattern_size, pattern_ptr, fill_size))
LOCATED(olMemFree, (void *address, ol_code_location_t *code_location), (address))
LOCATED(olMemRegister,
        (ol_device_handle_t device, void *ptr, size_t size, ol_memory_register_flags_t flags,
         void **pinned_ptr, ol_code_location_t *code_location),
        (device, ptr, size, flags, pinned_ptr))
LOCATED(olMemUnregister, (ol_device_handle_t device, void *ptr, ol_code_location_t *code_location),
        (device, ptr))
LOCATED(olMemcpy,
        (ol_queue_handle_t queue, void *dst_ptr, ol_device_handle_t dst_device, const void *src_ptr,
         ol_device_handle_t src_device, size_t size, ol_code_location_t *code_location),
        (queue, dst_ptr, dst_device, src_ptr, src_device, size))
LOCATED(olShutDown, (ol_code_location_t * code_location), ())
LOCATED(olSyncEvent, (ol_event_handle_t event, ol_code_location_t *code_location), (event))
LOCATED(olSyncQueue, (ol_queue_handle_t queue, ol_code_location_t *code_location), (queue))
LOCATED(olWaitEvents,
        (ol_queue_handle_t queue, ol_event_handle_t *events, size_t num_events,
         ol_code_location_t *code_location),
        (queue, events, num_events))
