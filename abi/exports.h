/* Every function that stock libomptarget 19.1 and 22.1 export, plus what libomp looks for: the
 * names by which code in CPU images reaches this runtime, and what libsolo.so exports (as VERS1.0);
 * and the functions of solo.h.
 *
 * Sorted by strcmp. tests/dropin compares it with the stock libraries.
 */
#ifndef SOLO_ABI_EXPORTS_H
#define SOLO_ABI_EXPORTS_H

#include "runtime/exports.h"

#define SOLO_EXPORTS_MAP(XX)                                                                       \
  XX(__kmpc_push_target_tripcount)                                                                 \
  XX(__kmpc_push_target_tripcount_mapper)                                                          \
  XX(__kmpc_target_translate_fptr)                                                                 \
  XX(__llvmPopCallConfiguration)                                                                   \
  XX(__llvmPushCallConfiguration)                                                                  \
  XX(__llvm_omp_indirect_call_lookup)                                                              \
  XX(__tgt_activate_record_replay)                                                                 \
  XX(__tgt_get_num_devices)                                                                        \
  XX(__tgt_init_all_rtls)                                                                          \
  XX(__tgt_interop_destroy)                                                                        \
  XX(__tgt_interop_get)                                                                            \
  XX(__tgt_interop_init)                                                                           \
  XX(__tgt_interop_release)                                                                        \
  XX(__tgt_interop_use)                                                                            \
  XX(__tgt_interop_use60)                                                                          \
  XX(__tgt_mapper_num_components)                                                                  \
  XX(__tgt_print_device_info)                                                                      \
  XX(__tgt_push_mapper_component)                                                                  \
  XX(__tgt_register_lib)                                                                           \
  XX(__tgt_register_requires)                                                                      \
  XX(__tgt_rtl_deinit)                                                                             \
  XX(__tgt_rtl_init)                                                                               \
  XX(__tgt_set_info_flag)                                                                          \
  XX(__tgt_target)                                                                                 \
  XX(__tgt_target_data_begin)                                                                      \
  XX(__tgt_target_data_begin_mapper)                                                               \
  XX(__tgt_target_data_begin_nowait)                                                               \
  XX(__tgt_target_data_begin_nowait_mapper)                                                        \
  XX(__tgt_target_data_end)                                                                        \
  XX(__tgt_target_data_end_mapper)                                                                 \
  XX(__tgt_target_data_end_nowait)                                                                 \
  XX(__tgt_target_data_end_nowait_mapper)                                                          \
  XX(__tgt_target_data_update)                                                                     \
  XX(__tgt_target_data_update_mapper)                                                              \
  XX(__tgt_target_data_update_nowait)                                                              \
  XX(__tgt_target_data_update_nowait_mapper)                                                       \
  XX(__tgt_target_kernel)                                                                          \
  XX(__tgt_target_kernel_nowait)                                                                   \
  XX(__tgt_target_kernel_replay)                                                                   \
  XX(__tgt_target_mapper)                                                                          \
  XX(__tgt_target_nowait)                                                                          \
  XX(__tgt_target_nowait_mapper)                                                                   \
  XX(__tgt_target_nowait_query)                                                                    \
  XX(__tgt_target_sync)                                                                            \
  XX(__tgt_target_teams)                                                                           \
  XX(__tgt_target_teams_mapper)                                                                    \
  XX(__tgt_target_teams_nowait)                                                                    \
  XX(__tgt_target_teams_nowait_mapper)                                                             \
  XX(__tgt_unregister_lib)                                                                         \
  XX(llvmLaunchKernel)                                                                             \
  XX(llvm_omp_target_alloc_device)                                                                 \
  XX(llvm_omp_target_alloc_host)                                                                   \
  XX(llvm_omp_target_alloc_shared)                                                                 \
  XX(llvm_omp_target_dynamic_shared_alloc)                                                         \
  XX(llvm_omp_target_free_device)                                                                  \
  XX(llvm_omp_target_free_host)                                                                    \
  XX(llvm_omp_target_free_shared)                                                                  \
  XX(llvm_omp_target_lock_mem)                                                                     \
  XX(llvm_omp_target_unlock_mem)                                                                   \
  XX(omp_ancestor_is_free_agent)                                                                   \
  XX(omp_destroy_mempartition)                                                                     \
  XX(omp_destroy_mempartitioner)                                                                   \
  XX(omp_get_device_allocator)                                                                     \
  XX(omp_get_device_and_host_allocator)                                                            \
  XX(omp_get_device_and_host_memspace)                                                             \
  XX(omp_get_device_from_uid)                                                                      \
  XX(omp_get_device_memspace)                                                                      \
  XX(omp_get_device_num)                                                                           \
  XX(omp_get_device_num_teams)                                                                     \
  XX(omp_get_device_teams_thread_limit)                                                            \
  XX(omp_get_devices_all_allocator)                                                                \
  XX(omp_get_devices_all_memspace)                                                                 \
  XX(omp_get_devices_allocator)                                                                    \
  XX(omp_get_devices_and_host_allocator)                                                           \
  XX(omp_get_devices_and_host_memspace)                                                            \
  XX(omp_get_devices_memspace)                                                                     \
  XX(omp_get_initial_device)                                                                       \
  XX(omp_get_interop_int)                                                                          \
  XX(omp_get_interop_name)                                                                         \
  XX(omp_get_interop_ptr)                                                                          \
  XX(omp_get_interop_rc_desc)                                                                      \
  XX(omp_get_interop_rec_desc)                                                                     \
  XX(omp_get_interop_str)                                                                          \
  XX(omp_get_interop_type_desc)                                                                    \
  XX(omp_get_mapped_ptr)                                                                           \
  XX(omp_get_max_progress_width)                                                                   \
  XX(omp_get_memspace_num_resources)                                                               \
  XX(omp_get_memspace_pagesize)                                                                    \
  XX(omp_get_num_devices)                                                                          \
  XX(omp_get_num_interop_properties)                                                               \
  XX(omp_get_submemspace)                                                                          \
  XX(omp_get_uid_from_device)                                                                      \
  XX(omp_init_mempartition)                                                                        \
  XX(omp_init_mempartitioner)                                                                      \
  XX(omp_is_free_agent)                                                                            \
  XX(omp_mempartition_get_user_data)                                                               \
  XX(omp_mempartition_set_part)                                                                    \
  XX(omp_set_device_num_teams)                                                                     \
  XX(omp_set_device_teams_thread_limit)                                                            \
  XX(omp_target_alloc)                                                                             \
  XX(omp_target_associate_ptr)                                                                     \
  XX(omp_target_disassociate_ptr)                                                                  \
  XX(omp_target_free)                                                                              \
  XX(omp_target_is_accessible)                                                                     \
  XX(omp_target_is_present)                                                                        \
  XX(omp_target_memcpy)                                                                            \
  XX(omp_target_memcpy_async)                                                                      \
  XX(omp_target_memcpy_rect)                                                                       \
  XX(omp_target_memcpy_rect_async)                                                                 \
  XX(omp_target_memset)                                                                            \
  XX(omp_target_memset_async)                                                                      \
  XX(ompt_libomptarget_connect)                                                                    \
  XX(ompx_dump_mapping_tables)                                                                     \
  XX(ompx_interop_add_completion_callback)                                                         \
  XX(solo_check_image)                                                                             \
  XX(solo_completion_query)                                                                        \
  XX(solo_completion_release)                                                                      \
  XX(solo_completion_wait)                                                                         \
  XX(solo_describe_device)                                                                         \
  XX(solo_explain)                                                                                 \
  XX(solo_find_global)                                                                             \
  XX(solo_find_kernel)                                                                             \
  XX(solo_fini)                                                                                    \
  XX(solo_function_in_kernel)                                                                      \
  XX(solo_indirect_add)                                                                            \
  XX(solo_init)                                                                                    \
  XX(solo_kernel_parameter)                                                                        \
  XX(solo_last_error)                                                                              \
  XX(solo_launch_kernel)                                                                           \
  XX(solo_print_settings)                                                                          \
  XX(solo_register_file)                                                                           \
  XX(solo_register_image)                                                                          \
  XX(solo_set_error_callback)                                                                      \
  XX(solo_unregister)                                                                              \
  XX(solo_version)

/* As many, with their addresses. */
extern const solo_export tgt_exports[];

#endif
