/* The exported __tgt_ functions (abi-facts 4). device -1: the default device. loc may be NULL.
 * Kernel functions return 0 if the device has executed the region; otherwise the caller executes it
 * on the host. Failures: abi/policy.h. */
#ifndef SOLO_ABI_TGT_H
#define SOLO_ABI_TGT_H

#include "abi/tgt_types.h"
#include "runtime/base/platform.h"

SOLO_EXPORT void __tgt_register_lib(tgt_bin_desc *descriptor);
SOLO_EXPORT void __tgt_unregister_lib(tgt_bin_desc *descriptor);
SOLO_EXPORT void __tgt_register_requires(int64_t flags);
SOLO_EXPORT void __tgt_init_all_rtls(void);
SOLO_EXPORT void __tgt_rtl_init(void);
SOLO_EXPORT void __tgt_rtl_deinit(void);

SOLO_EXPORT int __tgt_target_kernel(ident_t *loc, int64_t device, int32_t teams, int32_t threads,
                                    void *host_ptr, tgt_kernel_args *args);
SOLO_EXPORT int __tgt_target_kernel_nowait(ident_t *loc, int64_t device, int32_t teams,
                                           int32_t threads, void *host_ptr, tgt_kernel_args *args,
                                           int32_t ndep, void *deps, int32_t ndep_na,
                                           void *deps_na);

#define TGT_DATA_PARAMETERS                                                                        \
  ident_t *loc, int64_t device, int32_t count, void **bases, void **begins, int64_t *sizes,        \
      int64_t *types, void **names, void **mappers
#define TGT_DEPENDENCES int32_t ndep, void *deps, int32_t ndep_na, void *deps_na
SOLO_EXPORT void __tgt_target_data_begin_mapper(TGT_DATA_PARAMETERS);
SOLO_EXPORT void __tgt_target_data_end_mapper(TGT_DATA_PARAMETERS);
SOLO_EXPORT void __tgt_target_data_update_mapper(TGT_DATA_PARAMETERS);
SOLO_EXPORT void __tgt_target_data_begin_nowait_mapper(TGT_DATA_PARAMETERS, TGT_DEPENDENCES);
SOLO_EXPORT void __tgt_target_data_end_nowait_mapper(TGT_DATA_PARAMETERS, TGT_DEPENDENCES);
SOLO_EXPORT void __tgt_target_data_update_nowait_mapper(TGT_DATA_PARAMETERS, TGT_DEPENDENCES);
SOLO_EXPORT int64_t __tgt_mapper_num_components(void *components);
SOLO_EXPORT void __tgt_push_mapper_component(void *components, void *base, void *begin,
                                             int64_t size, int64_t type, void *name);

SOLO_EXPORT void __tgt_set_info_flag(uint32_t bits);
SOLO_EXPORT int __tgt_print_device_info(int64_t device);
SOLO_EXPORT int __tgt_get_num_devices(void);

#endif
