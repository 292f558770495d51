/* OffloadAPI.h: the offload interface of LLVM 22 (liboffload 0.0.1), with the same ABI;
 * docs/design/offload.md describes it. Functions return OL_SUCCESS or an error. The code and the text
 * of an error are valid until the process ends.
 * Threads: any; one thread at a time creates or destroys a given object. */
#ifndef SOLO_OFFLOAD_API_H
#define SOLO_OFFLOAD_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef OL_APICALL
#define OL_APICALL
#endif
#ifndef OL_APIEXPORT
#define OL_APIEXPORT
#endif

#define OL_SUCCESS       NULL
#define OL_VERSION_MAJOR 0
#define OL_VERSION_MINOR 0
#define OL_VERSION_PATCH 1

typedef struct ol_context_impl_t *ol_context_handle_t;
typedef struct ol_device_impl_t *ol_device_handle_t;
typedef struct ol_event_impl_t *ol_event_handle_t;
typedef struct ol_platform_impl_t *ol_platform_handle_t;
typedef struct ol_program_impl_t *ol_program_handle_t;
typedef struct ol_queue_impl_t *ol_queue_handle_t;
typedef struct ol_symbol_impl_t *ol_symbol_handle_t;

typedef enum ol_alloc_type_t {
  OL_ALLOC_TYPE_HOST = 0,
  OL_ALLOC_TYPE_DEVICE = 1,
  OL_ALLOC_TYPE_MANAGED = 2,
  OL_ALLOC_TYPE_LAST = 3,
  OL_ALLOC_TYPE_FORCE_UINT32 = 0x7fffffff,
} ol_alloc_type_t;

typedef enum ol_device_fp_capability_flag_t {
  OL_DEVICE_FP_CAPABILITY_FLAG_CORRECTLY_ROUNDED_DIVIDE_SQRT = 1,
  OL_DEVICE_FP_CAPABILITY_FLAG_ROUND_TO_NEAREST = 2,
  OL_DEVICE_FP_CAPABILITY_FLAG_ROUND_TO_ZERO = 4,
  OL_DEVICE_FP_CAPABILITY_FLAG_ROUND_TO_INF = 8,
  OL_DEVICE_FP_CAPABILITY_FLAG_INF_NAN = 16,
  OL_DEVICE_FP_CAPABILITY_FLAG_DENORM = 32,
  OL_DEVICE_FP_CAPABILITY_FLAG_FMA = 64,
  OL_DEVICE_FP_CAPABILITY_FLAG_SOFT_FLOAT = 128,
  OL_DEVICE_FP_CAPABILITY_FLAG_LAST = 256,
  OL_DEVICE_FP_CAPABILITY_FLAG_FORCE_UINT32 = 0x7fffffff,
} ol_device_fp_capability_flag_t;

typedef enum ol_device_info_t {
  OL_DEVICE_INFO_TYPE = 0,
  OL_DEVICE_INFO_PLATFORM = 1,
  OL_DEVICE_INFO_NAME = 2,
  OL_DEVICE_INFO_PRODUCT_NAME = 3,
  OL_DEVICE_INFO_UID = 4,
  OL_DEVICE_INFO_VENDOR = 5,
  OL_DEVICE_INFO_DRIVER_VERSION = 6,
  OL_DEVICE_INFO_MAX_WORK_GROUP_SIZE = 7,
  OL_DEVICE_INFO_MAX_WORK_GROUP_SIZE_PER_DIMENSION = 8,
  OL_DEVICE_INFO_MAX_WORK_SIZE = 9,
  OL_DEVICE_INFO_MAX_WORK_SIZE_PER_DIMENSION = 10,
  OL_DEVICE_INFO_VENDOR_ID = 11,
  OL_DEVICE_INFO_NUM_COMPUTE_UNITS = 12,
  OL_DEVICE_INFO_MAX_CLOCK_FREQUENCY = 13,
  OL_DEVICE_INFO_MEMORY_CLOCK_RATE = 14,
  OL_DEVICE_INFO_ADDRESS_BITS = 15,
  OL_DEVICE_INFO_MAX_MEM_ALLOC_SIZE = 16,
  OL_DEVICE_INFO_GLOBAL_MEM_SIZE = 17,
  OL_DEVICE_INFO_WORK_GROUP_LOCAL_MEM_SIZE = 18,
  OL_DEVICE_INFO_SINGLE_FP_CONFIG = 19,
  OL_DEVICE_INFO_DOUBLE_FP_CONFIG = 20,
  OL_DEVICE_INFO_HALF_FP_CONFIG = 21,
  OL_DEVICE_INFO_NATIVE_VECTOR_WIDTH_CHAR = 22,
  OL_DEVICE_INFO_NATIVE_VECTOR_WIDTH_SHORT = 23,
  OL_DEVICE_INFO_NATIVE_VECTOR_WIDTH_INT = 24,
  OL_DEVICE_INFO_NATIVE_VECTOR_WIDTH_LONG = 25,
  OL_DEVICE_INFO_NATIVE_VECTOR_WIDTH_FLOAT = 26,
  OL_DEVICE_INFO_NATIVE_VECTOR_WIDTH_DOUBLE = 27,
  OL_DEVICE_INFO_NATIVE_VECTOR_WIDTH_HALF = 28,
  OL_DEVICE_INFO_LAST = 29,
  OL_DEVICE_INFO_FORCE_UINT32 = 0x7fffffff,
} ol_device_info_t;

typedef enum ol_device_type_t {
  OL_DEVICE_TYPE_DEFAULT = 0,
  OL_DEVICE_TYPE_ALL = 1,
  OL_DEVICE_TYPE_GPU = 2,
  OL_DEVICE_TYPE_CPU = 3,
  OL_DEVICE_TYPE_HOST = 4,
  OL_DEVICE_TYPE_LAST = 5,
  OL_DEVICE_TYPE_FORCE_UINT32 = 0x7fffffff,
} ol_device_type_t;

typedef enum ol_errc_t {
  OL_ERRC_SUCCESS = 0,
  OL_ERRC_UNKNOWN = 1,
  OL_ERRC_HOST_IO = 2,
  OL_ERRC_INVALID_BINARY = 3,
  OL_ERRC_INVALID_NULL_POINTER = 4,
  OL_ERRC_INVALID_ARGUMENT = 5,
  OL_ERRC_NOT_FOUND = 6,
  OL_ERRC_OUT_OF_RESOURCES = 7,
  OL_ERRC_INVALID_SIZE = 8,
  OL_ERRC_INVALID_ENUMERATION = 9,
  OL_ERRC_HOST_TOOL_NOT_FOUND = 10,
  OL_ERRC_INVALID_VALUE = 11,
  OL_ERRC_UNIMPLEMENTED = 12,
  OL_ERRC_UNSUPPORTED = 13,
  OL_ERRC_ASSEMBLE_FAILURE = 14,
  OL_ERRC_COMPILE_FAILURE = 15,
  OL_ERRC_LINK_FAILURE = 16,
  OL_ERRC_BACKEND_FAILURE = 17,
  OL_ERRC_UNINITIALIZED = 18,
  OL_ERRC_INVALID_NULL_HANDLE = 19,
  OL_ERRC_INVALID_PLATFORM = 20,
  OL_ERRC_INVALID_DEVICE = 21,
  OL_ERRC_INVALID_QUEUE = 22,
  OL_ERRC_INVALID_EVENT = 23,
  OL_ERRC_SYMBOL_KIND = 24,
  OL_ERRC_LAST = 25,
  OL_ERRC_FORCE_UINT32 = 0x7fffffff,
} ol_errc_t;

typedef enum ol_event_info_t {
  OL_EVENT_INFO_QUEUE = 0,
  OL_EVENT_INFO_IS_COMPLETE = 1,
  OL_EVENT_INFO_LAST = 2,
  OL_EVENT_INFO_FORCE_UINT32 = 0x7fffffff,
} ol_event_info_t;

typedef enum ol_mem_info_t {
  OL_MEM_INFO_DEVICE = 0,
  OL_MEM_INFO_BASE = 1,
  OL_MEM_INFO_SIZE = 2,
  OL_MEM_INFO_TYPE = 3,
  OL_MEM_INFO_LAST = 4,
  OL_MEM_INFO_FORCE_UINT32 = 0x7fffffff,
} ol_mem_info_t;

/* Drivers of platforms. UNKNOWN: see the name and the vendor. */
typedef enum ol_platform_backend_t {
  OL_PLATFORM_BACKEND_UNKNOWN = 0,
  OL_PLATFORM_BACKEND_CUDA = 1,
  OL_PLATFORM_BACKEND_AMDGPU = 2,
  OL_PLATFORM_BACKEND_LEVEL_ZERO = 3,
  OL_PLATFORM_BACKEND_HOST = 4,
  OL_PLATFORM_BACKEND_LAST = 5,
  OL_PLATFORM_BACKEND_FORCE_UINT32 = 0x7fffffff,
} ol_platform_backend_t;

typedef enum ol_platform_info_t {
  OL_PLATFORM_INFO_NAME = 0,
  OL_PLATFORM_INFO_VENDOR_NAME = 1,
  OL_PLATFORM_INFO_VERSION = 2,
  OL_PLATFORM_INFO_BACKEND = 3,
  OL_PLATFORM_INFO_LAST = 4,
  OL_PLATFORM_INFO_FORCE_UINT32 = 0x7fffffff,
} ol_platform_info_t;

typedef enum ol_queue_info_t {
  OL_QUEUE_INFO_DEVICE = 0,
  OL_QUEUE_INFO_EMPTY = 1,
  OL_QUEUE_INFO_LAST = 2,
  OL_QUEUE_INFO_FORCE_UINT32 = 0x7fffffff,
} ol_queue_info_t;

typedef enum ol_symbol_info_t {
  OL_SYMBOL_INFO_KIND = 0,
  OL_SYMBOL_INFO_GLOBAL_VARIABLE_ADDRESS = 1,
  OL_SYMBOL_INFO_GLOBAL_VARIABLE_SIZE = 2,
  OL_SYMBOL_INFO_LAST = 3,
  OL_SYMBOL_INFO_FORCE_UINT32 = 0x7fffffff,
} ol_symbol_info_t;

typedef enum ol_symbol_kind_t {
  OL_SYMBOL_KIND_KERNEL = 0,
  OL_SYMBOL_KIND_GLOBAL_VARIABLE = 1,
  OL_SYMBOL_KIND_LAST = 2,
  OL_SYMBOL_KIND_FORCE_UINT32 = 0x7fffffff,
} ol_symbol_kind_t;

typedef uint32_t ol_device_fp_capability_flags_t;
typedef uint32_t ol_memory_register_flags_t;

typedef bool (*ol_device_iterate_cb_t)(ol_device_handle_t device, void *user_data);
typedef void (*ol_host_function_cb_t)(void *user_data);

typedef struct ol_code_location_t {
  const char *FunctionName;
  const char *SourceFile;
  uint32_t LineNumber;
  uint32_t ColumnNumber;
} ol_code_location_t;

typedef struct ol_dimensions_t {
  uint32_t x;
  uint32_t y;
  uint32_t z;
} ol_dimensions_t;

typedef struct ol_error_struct_t {
  ol_errc_t Code;
  const char *Details;
} ol_error_struct_t;

typedef const struct ol_error_struct_t *ol_result_t;

typedef struct ol_kernel_launch_size_args_t {
  size_t Dimensions;
  struct ol_dimensions_t NumGroups;
  struct ol_dimensions_t GroupSize;
  size_t DynSharedMemory;
} ol_kernel_launch_size_args_t;

OL_APIEXPORT ol_result_t OL_APICALL olCalculateOptimalOccupancy(ol_device_handle_t device,
                                                                ol_symbol_handle_t kernel,
                                                                size_t shared_memory,
                                                                size_t *group_size);
OL_APIEXPORT ol_result_t OL_APICALL olCreateEvent(ol_queue_handle_t queue,
                                                  ol_event_handle_t *event);
OL_APIEXPORT ol_result_t OL_APICALL olCreateProgram(ol_device_handle_t device,
                                                    const void *prog_data, size_t prog_data_size,
                                                    ol_program_handle_t *program);
OL_APIEXPORT ol_result_t OL_APICALL olCreateQueue(ol_device_handle_t device,
                                                  ol_queue_handle_t *queue);
OL_APIEXPORT ol_result_t OL_APICALL olDestroyEvent(ol_event_handle_t event);
OL_APIEXPORT ol_result_t OL_APICALL olDestroyProgram(ol_program_handle_t program);
OL_APIEXPORT ol_result_t OL_APICALL olDestroyQueue(ol_queue_handle_t queue);
OL_APIEXPORT ol_result_t OL_APICALL olGetDeviceInfo(ol_device_handle_t device,
                                                    ol_device_info_t prop_name, size_t prop_size,
                                                    void *prop_value);
OL_APIEXPORT ol_result_t OL_APICALL olGetDeviceInfoSize(ol_device_handle_t device,
                                                        ol_device_info_t prop_name,
                                                        size_t *prop_size_ret);
OL_APIEXPORT ol_result_t OL_APICALL olGetEventInfo(ol_event_handle_t event,
                                                   ol_event_info_t prop_name, size_t prop_size,
                                                   void *prop_value);
OL_APIEXPORT ol_result_t OL_APICALL olGetEventInfoSize(ol_event_handle_t event,
                                                       ol_event_info_t prop_name,
                                                       size_t *prop_size_ret);
OL_APIEXPORT ol_result_t OL_APICALL olGetMemInfo(const void *ptr, ol_mem_info_t prop_name,
                                                 size_t prop_size, void *prop_value);
OL_APIEXPORT ol_result_t OL_APICALL olGetMemInfoSize(const void *ptr, ol_mem_info_t prop_name,
                                                     size_t *prop_size_ret);
OL_APIEXPORT ol_result_t OL_APICALL olGetPlatformInfo(ol_platform_handle_t platform,
                                                      ol_platform_info_t prop_name,
                                                      size_t prop_size, void *prop_value);
OL_APIEXPORT ol_result_t OL_APICALL olGetPlatformInfoSize(ol_platform_handle_t platform,
                                                          ol_platform_info_t prop_name,
                                                          size_t *prop_size_ret);
OL_APIEXPORT ol_result_t OL_APICALL olGetQueueInfo(ol_queue_handle_t queue,
                                                   ol_queue_info_t prop_name, size_t prop_size,
                                                   void *prop_value);
OL_APIEXPORT ol_result_t OL_APICALL olGetQueueInfoSize(ol_queue_handle_t queue,
                                                       ol_queue_info_t prop_name,
                                                       size_t *prop_size_ret);
OL_APIEXPORT ol_result_t OL_APICALL olGetSymbol(ol_program_handle_t program, const char *name,
                                                ol_symbol_kind_t kind, ol_symbol_handle_t *symbol);
OL_APIEXPORT ol_result_t OL_APICALL olGetSymbolInfo(ol_symbol_handle_t symbol,
                                                    ol_symbol_info_t prop_name, size_t prop_size,
                                                    void *prop_value);
OL_APIEXPORT ol_result_t OL_APICALL olGetSymbolInfoSize(ol_symbol_handle_t symbol,
                                                        ol_symbol_info_t prop_name,
                                                        size_t *prop_size_ret);
OL_APIEXPORT ol_result_t OL_APICALL olInit(void);
OL_APIEXPORT ol_result_t OL_APICALL olIsValidBinary(ol_device_handle_t device,
                                                    const void *prog_data, size_t prog_data_size,
                                                    bool *valid);
OL_APIEXPORT ol_result_t OL_APICALL olIterateDevices(ol_device_iterate_cb_t callback,
                                                     void *user_data);
OL_APIEXPORT ol_result_t OL_APICALL olLaunchHostFunction(ol_queue_handle_t queue,
                                                         ol_host_function_cb_t callback,
                                                         void *user_data);
OL_APIEXPORT ol_result_t OL_APICALL
olLaunchKernel(ol_queue_handle_t queue, ol_device_handle_t device, ol_symbol_handle_t kernel,
               const void *arguments_data, size_t arguments_size,
               const ol_kernel_launch_size_args_t *launch_size_args);
OL_APIEXPORT ol_result_t OL_APICALL olMemAlloc(ol_device_handle_t device, ol_alloc_type_t type,
                                               size_t size, void **allocation_out);
OL_APIEXPORT ol_result_t OL_APICALL olMemFill(ol_queue_handle_t queue, void *ptr,
                                              size_t pattern_size, const void *pattern_ptr,
                                              size_t fill_size);
OL_APIEXPORT ol_result_t OL_APICALL olMemFree(void *address);
OL_APIEXPORT ol_result_t OL_APICALL olMemRegister(ol_device_handle_t device, void *ptr, size_t size,
                                                  ol_memory_register_flags_t flags,
                                                  void **pinned_ptr);
OL_APIEXPORT ol_result_t OL_APICALL olMemUnregister(ol_device_handle_t device, void *ptr);
OL_APIEXPORT ol_result_t OL_APICALL olMemcpy(ol_queue_handle_t queue, void *dst_ptr,
                                             ol_device_handle_t dst_device, const void *src_ptr,
                                             ol_device_handle_t src_device, size_t size);
OL_APIEXPORT ol_result_t OL_APICALL olShutDown(void);
OL_APIEXPORT ol_result_t OL_APICALL olSyncEvent(ol_event_handle_t event);
OL_APIEXPORT ol_result_t OL_APICALL olSyncQueue(ol_queue_handle_t queue);
OL_APIEXPORT ol_result_t OL_APICALL olWaitEvents(ol_queue_handle_t queue, ol_event_handle_t *events,
                                                 size_t num_events);
/* The following functions have a source location, which the text of an error contains. */
OL_APIEXPORT ol_result_t OL_APICALL olCalculateOptimalOccupancyWithCodeLoc(
    ol_device_handle_t device, ol_symbol_handle_t kernel, size_t shared_memory, size_t *group_size,
    ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olCreateEventWithCodeLoc(ol_queue_handle_t queue,
                                                             ol_event_handle_t *event,
                                                             ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olCreateProgramWithCodeLoc(ol_device_handle_t device,
                                                               const void *prog_data,
                                                               size_t prog_data_size,
                                                               ol_program_handle_t *program,
                                                               ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olCreateQueueWithCodeLoc(ol_device_handle_t device,
                                                             ol_queue_handle_t *queue,
                                                             ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olDestroyEventWithCodeLoc(ol_event_handle_t event,
                                                              ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olDestroyProgramWithCodeLoc(ol_program_handle_t program,
                                                                ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olDestroyQueueWithCodeLoc(ol_queue_handle_t queue,
                                                              ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olGetDeviceInfoWithCodeLoc(ol_device_handle_t device,
                                                               ol_device_info_t prop_name,
                                                               size_t prop_size, void *prop_value,
                                                               ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL
olGetDeviceInfoSizeWithCodeLoc(ol_device_handle_t device, ol_device_info_t prop_name,
                               size_t *prop_size_ret, ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olGetEventInfoWithCodeLoc(ol_event_handle_t event,
                                                              ol_event_info_t prop_name,
                                                              size_t prop_size, void *prop_value,
                                                              ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL
olGetEventInfoSizeWithCodeLoc(ol_event_handle_t event, ol_event_info_t prop_name,
                              size_t *prop_size_ret, ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olGetMemInfoWithCodeLoc(const void *ptr,
                                                            ol_mem_info_t prop_name,
                                                            size_t prop_size, void *prop_value,
                                                            ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olGetMemInfoSizeWithCodeLoc(const void *ptr,
                                                                ol_mem_info_t prop_name,
                                                                size_t *prop_size_ret,
                                                                ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olGetPlatformInfoWithCodeLoc(ol_platform_handle_t platform,
                                                                 ol_platform_info_t prop_name,
                                                                 size_t prop_size, void *prop_value,
                                                                 ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL
olGetPlatformInfoSizeWithCodeLoc(ol_platform_handle_t platform, ol_platform_info_t prop_name,
                                 size_t *prop_size_ret, ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olGetQueueInfoWithCodeLoc(ol_queue_handle_t queue,
                                                              ol_queue_info_t prop_name,
                                                              size_t prop_size, void *prop_value,
                                                              ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL
olGetQueueInfoSizeWithCodeLoc(ol_queue_handle_t queue, ol_queue_info_t prop_name,
                              size_t *prop_size_ret, ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olGetSymbolWithCodeLoc(ol_program_handle_t program,
                                                           const char *name, ol_symbol_kind_t kind,
                                                           ol_symbol_handle_t *symbol,
                                                           ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olGetSymbolInfoWithCodeLoc(ol_symbol_handle_t symbol,
                                                               ol_symbol_info_t prop_name,
                                                               size_t prop_size, void *prop_value,
                                                               ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL
olGetSymbolInfoSizeWithCodeLoc(ol_symbol_handle_t symbol, ol_symbol_info_t prop_name,
                               size_t *prop_size_ret, ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olInitWithCodeLoc(ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olIsValidBinaryWithCodeLoc(ol_device_handle_t device,
                                                               const void *prog_data,
                                                               size_t prog_data_size, bool *valid,
                                                               ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olIterateDevicesWithCodeLoc(ol_device_iterate_cb_t callback,
                                                                void *user_data,
                                                                ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL
olLaunchHostFunctionWithCodeLoc(ol_queue_handle_t queue, ol_host_function_cb_t callback,
                                void *user_data, ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olLaunchKernelWithCodeLoc(
    ol_queue_handle_t queue, ol_device_handle_t device, ol_symbol_handle_t kernel,
    const void *arguments_data, size_t arguments_size,
    const ol_kernel_launch_size_args_t *launch_size_args, ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olMemAllocWithCodeLoc(ol_device_handle_t device,
                                                          ol_alloc_type_t type, size_t size,
                                                          void **allocation_out,
                                                          ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olMemFillWithCodeLoc(ol_queue_handle_t queue, void *ptr,
                                                         size_t pattern_size,
                                                         const void *pattern_ptr, size_t fill_size,
                                                         ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olMemFreeWithCodeLoc(void *address,
                                                         ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olMemRegisterWithCodeLoc(ol_device_handle_t device, void *ptr,
                                                             size_t size,
                                                             ol_memory_register_flags_t flags,
                                                             void **pinned_ptr,
                                                             ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olMemUnregisterWithCodeLoc(ol_device_handle_t device, void *ptr,
                                                               ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olMemcpyWithCodeLoc(ol_queue_handle_t queue, void *dst_ptr,
                                                        ol_device_handle_t dst_device,
                                                        const void *src_ptr,
                                                        ol_device_handle_t src_device, size_t size,
                                                        ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olShutDownWithCodeLoc(ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olSyncEventWithCodeLoc(ol_event_handle_t event,
                                                           ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olSyncQueueWithCodeLoc(ol_queue_handle_t queue,
                                                           ol_code_location_t *code_location);
OL_APIEXPORT ol_result_t OL_APICALL olWaitEventsWithCodeLoc(ol_queue_handle_t queue,
                                                            ol_event_handle_t *events,
                                                            size_t num_events,
                                                            ol_code_location_t *code_location);

typedef struct ol_calculate_optimal_occupancy_params_t {
  ol_device_handle_t *pDevice;
  ol_symbol_handle_t *pKernel;
  size_t *pSharedMemory;
  size_t **pGroupSize;
} ol_calculate_optimal_occupancy_params_t;
typedef struct ol_create_event_params_t {
  ol_queue_handle_t *pQueue;
  ol_event_handle_t **pEvent;
} ol_create_event_params_t;
typedef struct ol_create_program_params_t {
  ol_device_handle_t *pDevice;
  const void **pProgData;
  size_t *pProgDataSize;
  ol_program_handle_t **pProgram;
} ol_create_program_params_t;
typedef struct ol_create_queue_params_t {
  ol_device_handle_t *pDevice;
  ol_queue_handle_t **pQueue;
} ol_create_queue_params_t;
typedef struct ol_destroy_event_params_t {
  ol_event_handle_t *pEvent;
} ol_destroy_event_params_t;
typedef struct ol_destroy_program_params_t {
  ol_program_handle_t *pProgram;
} ol_destroy_program_params_t;
typedef struct ol_destroy_queue_params_t {
  ol_queue_handle_t *pQueue;
} ol_destroy_queue_params_t;
typedef struct ol_get_device_info_params_t {
  ol_device_handle_t *pDevice;
  ol_device_info_t *pPropName;
  size_t *pPropSize;
  void **pPropValue;
} ol_get_device_info_params_t;
typedef struct ol_get_device_info_size_params_t {
  ol_device_handle_t *pDevice;
  ol_device_info_t *pPropName;
  size_t **pPropSizeRet;
} ol_get_device_info_size_params_t;
typedef struct ol_get_event_info_params_t {
  ol_event_handle_t *pEvent;
  ol_event_info_t *pPropName;
  size_t *pPropSize;
  void **pPropValue;
} ol_get_event_info_params_t;
typedef struct ol_get_event_info_size_params_t {
  ol_event_handle_t *pEvent;
  ol_event_info_t *pPropName;
  size_t **pPropSizeRet;
} ol_get_event_info_size_params_t;
typedef struct ol_get_mem_info_params_t {
  const void **pPtr;
  ol_mem_info_t *pPropName;
  size_t *pPropSize;
  void **pPropValue;
} ol_get_mem_info_params_t;
typedef struct ol_get_mem_info_size_params_t {
  const void **pPtr;
  ol_mem_info_t *pPropName;
  size_t **pPropSizeRet;
} ol_get_mem_info_size_params_t;
typedef struct ol_get_platform_info_params_t {
  ol_platform_handle_t *pPlatform;
  ol_platform_info_t *pPropName;
  size_t *pPropSize;
  void **pPropValue;
} ol_get_platform_info_params_t;
typedef struct ol_get_platform_info_size_params_t {
  ol_platform_handle_t *pPlatform;
  ol_platform_info_t *pPropName;
  size_t **pPropSizeRet;
} ol_get_platform_info_size_params_t;
typedef struct ol_get_queue_info_params_t {
  ol_queue_handle_t *pQueue;
  ol_queue_info_t *pPropName;
  size_t *pPropSize;
  void **pPropValue;
} ol_get_queue_info_params_t;
typedef struct ol_get_queue_info_size_params_t {
  ol_queue_handle_t *pQueue;
  ol_queue_info_t *pPropName;
  size_t **pPropSizeRet;
} ol_get_queue_info_size_params_t;
typedef struct ol_get_symbol_params_t {
  ol_program_handle_t *pProgram;
  const char **pName;
  ol_symbol_kind_t *pKind;
  ol_symbol_handle_t **pSymbol;
} ol_get_symbol_params_t;
typedef struct ol_get_symbol_info_params_t {
  ol_symbol_handle_t *pSymbol;
  ol_symbol_info_t *pPropName;
  size_t *pPropSize;
  void **pPropValue;
} ol_get_symbol_info_params_t;
typedef struct ol_get_symbol_info_size_params_t {
  ol_symbol_handle_t *pSymbol;
  ol_symbol_info_t *pPropName;
  size_t **pPropSizeRet;
} ol_get_symbol_info_size_params_t;
typedef struct ol_is_valid_binary_params_t {
  ol_device_handle_t *pDevice;
  const void **pProgData;
  size_t *pProgDataSize;
  bool **pValid;
} ol_is_valid_binary_params_t;
typedef struct ol_iterate_devices_params_t {
  ol_device_iterate_cb_t *pCallback;
  void **pUserData;
} ol_iterate_devices_params_t;
typedef struct ol_launch_host_function_params_t {
  ol_queue_handle_t *pQueue;
  ol_host_function_cb_t *pCallback;
  void **pUserData;
} ol_launch_host_function_params_t;
typedef struct ol_launch_kernel_params_t {
  ol_queue_handle_t *pQueue;
  ol_device_handle_t *pDevice;
  ol_symbol_handle_t *pKernel;
  const void **pArgumentsData;
  size_t *pArgumentsSize;
  const ol_kernel_launch_size_args_t **pLaunchSizeArgs;
} ol_launch_kernel_params_t;
typedef struct ol_mem_alloc_params_t {
  ol_device_handle_t *pDevice;
  ol_alloc_type_t *pType;
  size_t *pSize;
  void ***pAllocationOut;
} ol_mem_alloc_params_t;
typedef struct ol_mem_fill_params_t {
  ol_queue_handle_t *pQueue;
  void **pPtr;
  size_t *pPatternSize;
  const void **pPatternPtr;
  size_t *pFillSize;
} ol_mem_fill_params_t;
typedef struct ol_mem_free_params_t {
  void **pAddress;
} ol_mem_free_params_t;
typedef struct ol_mem_register_params_t {
  ol_device_handle_t *pDevice;
  void **pPtr;
  size_t *pSize;
  ol_memory_register_flags_t *pFlags;
  void ***pPinnedPtr;
} ol_mem_register_params_t;
typedef struct ol_mem_unregister_params_t {
  ol_device_handle_t *pDevice;
  void **pPtr;
} ol_mem_unregister_params_t;
typedef struct ol_memcpy_params_t {
  ol_queue_handle_t *pQueue;
  void **pDstPtr;
  ol_device_handle_t *pDstDevice;
  const void **pSrcPtr;
  ol_device_handle_t *pSrcDevice;
  size_t *pSize;
} ol_memcpy_params_t;
typedef struct ol_sync_event_params_t {
  ol_event_handle_t *pEvent;
} ol_sync_event_params_t;
typedef struct ol_sync_queue_params_t {
  ol_queue_handle_t *pQueue;
} ol_sync_queue_params_t;
typedef struct ol_wait_events_params_t {
  ol_queue_handle_t *pQueue;
  ol_event_handle_t **pEvents;
  size_t *pNumEvents;
} ol_wait_events_params_t;

#ifdef __cplusplus
}
#endif

#endif
