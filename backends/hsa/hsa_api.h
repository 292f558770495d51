/* The HSA functions that solo calls, as Debian's headers declare them. With SOLO_DRIVER_WEAK the
 * references are weak, and NULL without libhsa-runtime64.so.1; solo_hsa_device_count() checks this. */
#ifndef SOLO_HSA_API_H
#define SOLO_HSA_API_H

/* Required by Debian's header on processors other than x86. */
#ifndef LITTLEENDIAN_CPU
#define LITTLEENDIAN_CPU
#endif
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#define SOLO_HSA_FUNCTIONS(XX)                                                                     \
  XX(hsa_init)                                                                                     \
  XX(hsa_status_string)                                                                            \
  XX(hsa_system_get_info)                                                                          \
  XX(hsa_iterate_agents)                                                                           \
  XX(hsa_agent_get_info)                                                                           \
  XX(hsa_agent_iterate_isas)                                                                       \
  XX(hsa_isa_get_info_alt)                                                                         \
  XX(hsa_queue_create)                                                                             \
  XX(hsa_queue_destroy)                                                                            \
  XX(hsa_queue_add_write_index_screlease)                                                          \
  XX(hsa_queue_load_read_index_scacquire)                                                          \
  XX(hsa_signal_create)                                                                            \
  XX(hsa_signal_destroy)                                                                           \
  XX(hsa_signal_load_scacquire)                                                                    \
  XX(hsa_signal_store_screlease)                                                                   \
  XX(hsa_signal_wait_scacquire)                                                                    \
  XX(hsa_code_object_reader_create_from_memory)                                                    \
  XX(hsa_code_object_reader_destroy)                                                               \
  XX(hsa_executable_create_alt)                                                                    \
  XX(hsa_executable_destroy)                                                                       \
  XX(hsa_executable_load_agent_code_object)                                                        \
  XX(hsa_executable_freeze)                                                                        \
  XX(hsa_executable_get_symbol_by_name)                                                            \
  XX(hsa_executable_symbol_get_info)                                                               \
  XX(hsa_amd_agent_iterate_memory_pools)                                                           \
  XX(hsa_amd_memory_pool_get_info)                                                                 \
  XX(hsa_amd_memory_pool_allocate)                                                                 \
  XX(hsa_amd_memory_pool_free)                                                                     \
  XX(hsa_amd_agents_allow_access)                                                                  \
  XX(hsa_amd_agent_memory_pool_get_info)                                                           \
  XX(hsa_amd_memory_async_copy)                                                                    \
  XX(hsa_amd_memory_async_copy_rect)                                                               \
  XX(hsa_amd_memory_fill)                                                                          \
  XX(hsa_amd_memory_lock)                                                                          \
  XX(hsa_amd_memory_unlock)                                                                        \
  XX(hsa_amd_pointer_info)                                                                         \
  XX(hsa_amd_register_system_event_handler)

#if SOLO_DRIVER_WEAK
#define XX(name) extern __typeof__(name) name __attribute__((weak));
SOLO_HSA_FUNCTIONS(XX)
#undef XX
#endif

#endif
