/* omp.h: OpenMP 5.2 (chapter 18, as far as Clang 19 and 22 support it) and device functions of OpenMP 6.0, for C and C++.
 * Values are those of Clang's header, which also includes <stdlib.h>. */
#ifndef SOLO_OMP_H
#define SOLO_OMP_H
#define __OMP_H 1 /* include guard of Clang's omp.h, so that it is not included too */
#if defined(__GNUC__)
#pragma GCC system_header /* no warning for enumerators wider than int */
#endif

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
#define SOLO_OMP_DEFAULT(value) = value
extern "C" {
#else
#define SOLO_OMP_DEFAULT(value)
#endif

typedef intptr_t omp_intptr_t;
typedef uintptr_t omp_uintptr_t;
typedef int omp_int_t;
typedef double omp_wtime_t;

extern void omp_set_num_threads(int num_threads);
extern int omp_get_num_threads(void);
extern int omp_get_max_threads(void);
extern int omp_get_thread_num(void);
extern int omp_get_num_procs(void);
extern int omp_in_parallel(void);
extern int omp_in_final(void);
extern int omp_in_explicit_task(void);
/* OpenMP 6.0, 23.1.4. Both return 0, because no thread is a free agent. */
extern int omp_is_free_agent(void);
extern int omp_ancestor_is_free_agent(int level);
extern void omp_set_dynamic(int dynamic);
extern int omp_get_dynamic(void);
extern void omp_set_nested(int nested);
extern int omp_get_nested(void);
extern int omp_get_thread_limit(void);
extern void omp_set_max_active_levels(int levels);
extern int omp_get_max_active_levels(void);
extern int omp_get_supported_active_levels(void);
extern int omp_get_level(void);
extern int omp_get_active_level(void);
extern int omp_get_ancestor_thread_num(int level);
extern int omp_get_team_size(int level);
extern int omp_get_cancellation(void);
extern int omp_get_max_task_priority(void);
extern int omp_get_num_teams(void);
extern int omp_get_team_num(void);
extern void omp_set_num_teams(int num_teams);
extern int omp_get_max_teams(void);
extern void omp_set_teams_thread_limit(int thread_limit);
extern int omp_get_teams_thread_limit(void);

typedef enum omp_sched_t {
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4,
  omp_sched_monotonic = 0x80000000u
} omp_sched_t;
extern void omp_set_schedule(omp_sched_t kind, int chunk_size);
extern void omp_get_schedule(omp_sched_t *kind, int *chunk_size);

typedef enum omp_proc_bind_t {
  omp_proc_bind_false = 0,
  omp_proc_bind_true = 1,
  omp_proc_bind_primary = 2,
  omp_proc_bind_master = 2,
  omp_proc_bind_close = 3,
  omp_proc_bind_spread = 4
} omp_proc_bind_t;
extern omp_proc_bind_t omp_get_proc_bind(void);
extern int omp_get_num_places(void);
extern int omp_get_place_num_procs(int place_num);
extern void omp_get_place_proc_ids(int place_num, int *ids);
extern int omp_get_place_num(void);
extern int omp_get_partition_num_places(void);
extern void omp_get_partition_place_nums(int *place_nums);
/* As in Clang's header, because libomp's functions without the prefix ompc_ have Fortran's parameters. */
#define omp_set_affinity_format ompc_set_affinity_format
#define omp_get_affinity_format ompc_get_affinity_format
#define omp_display_affinity    ompc_display_affinity
#define omp_capture_affinity    ompc_capture_affinity
extern void omp_set_affinity_format(const char *format);
extern size_t omp_get_affinity_format(char *buffer, size_t size);
extern void omp_display_affinity(const char *format);
extern size_t omp_capture_affinity(char *buffer, size_t size, const char *format);

typedef struct omp_lock_t {
  void *_lk;
} omp_lock_t;
typedef struct omp_nest_lock_t {
  void *_lk;
} omp_nest_lock_t;

typedef enum omp_sync_hint_t {
  omp_sync_hint_none = 0,
  omp_lock_hint_none = 0,
  omp_sync_hint_uncontended = 1,
  omp_lock_hint_uncontended = 1,
  omp_sync_hint_contended = 2,
  omp_lock_hint_contended = 2,
  omp_sync_hint_nonspeculative = 4,
  omp_lock_hint_nonspeculative = 4,
  omp_sync_hint_speculative = 8,
  omp_lock_hint_speculative = 8,
  kmp_lock_hint_hle = 1 << 16,
  kmp_lock_hint_rtm = 1 << 17,
  kmp_lock_hint_adaptive = 1 << 18
} omp_sync_hint_t;
typedef omp_sync_hint_t omp_lock_hint_t;

extern void omp_init_lock(omp_lock_t *lock);
extern void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint);
extern void omp_destroy_lock(omp_lock_t *lock);
extern void omp_set_lock(omp_lock_t *lock);
extern void omp_unset_lock(omp_lock_t *lock);
extern int omp_test_lock(omp_lock_t *lock);
extern void omp_init_nest_lock(omp_nest_lock_t *lock);
extern void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint);
extern void omp_destroy_nest_lock(omp_nest_lock_t *lock);
extern void omp_set_nest_lock(omp_nest_lock_t *lock);
extern void omp_unset_nest_lock(omp_nest_lock_t *lock);
extern int omp_test_nest_lock(omp_nest_lock_t *lock);

extern double omp_get_wtime(void);
extern double omp_get_wtick(void);

enum { omp_initial_device = -1, omp_invalid_device = -2 };

typedef void *omp_depend_t;

extern int omp_get_default_device(void);
extern void omp_set_default_device(int device_num);
extern int omp_get_num_devices(void);
extern int omp_get_device_num(void);
extern int omp_get_initial_device(void);
extern int omp_get_device_from_uid(const char *uid);
extern const char *omp_get_uid_from_device(int device_num);

/* OpenMP 6.0, 24.6: the number of hardware threads that progress together: the warp size, or 1 on a
 * CPU. 0: no such device. */
extern int omp_get_max_progress_width(int device_num);
/* OpenMP 6.0, 24.11 to 24.14: values for a device's teams regions that have no num_teams or thread_limit clause. If no value
 * is set or the device does not exist, the get functions return 0. If the device does not exist, the set functions end the
 * program. For the host they act as omp_get_max_teams() and related functions. */
extern int omp_get_device_num_teams(int device_num);
extern void omp_set_device_num_teams(int num_teams, int device_num);
extern int omp_get_device_teams_thread_limit(int device_num);
extern void omp_set_device_teams_thread_limit(int thread_limit, int device_num);

extern void *omp_target_alloc(size_t size, int device_num);
extern void omp_target_free(void *device_ptr, int device_num);
extern int omp_target_is_present(const void *ptr, int device_num);
extern int omp_target_is_accessible(const void *ptr, size_t size, int device_num);
extern int omp_target_memcpy(void *dst, const void *src, size_t length, size_t dst_offset,
                             size_t src_offset, int dst_device, int src_device);
extern int omp_target_memcpy_rect(void *dst, const void *src, size_t element_size, int num_dims,
                                  const size_t *volume, const size_t *dst_offsets,
                                  const size_t *src_offsets, const size_t *dst_dimensions,
                                  const size_t *src_dimensions, int dst_device, int src_device);
extern int omp_target_memcpy_async(void *dst, const void *src, size_t length, size_t dst_offset,
                                   size_t src_offset, int dst_device, int src_device,
                                   int depobj_count, omp_depend_t *depobj_list);
extern int omp_target_memcpy_rect_async(void *dst, const void *src, size_t element_size,
                                        int num_dims, const size_t *volume,
                                        const size_t *dst_offsets, const size_t *src_offsets,
                                        const size_t *dst_dimensions, const size_t *src_dimensions,
                                        int dst_device, int src_device, int depobj_count,
                                        omp_depend_t *depobj_list);
extern void *omp_target_memset(void *ptr, int value, size_t count, int device_num);
extern void *omp_target_memset_async(void *ptr, int value, size_t count, int device_num,
                                     int depobj_count, omp_depend_t *depobj_list);
extern int omp_target_associate_ptr(const void *host_ptr, const void *device_ptr, size_t size,
                                    size_t device_offset, int device_num);
extern int omp_target_disassociate_ptr(const void *ptr, int device_num);
extern void *omp_get_mapped_ptr(const void *ptr, int device_num);
extern void ompx_dump_mapping_tables(void);

typedef void *omp_interop_t;
#define omp_interop_none 0

typedef enum omp_interop_property {
  omp_ipr_fr_id = -1,
  omp_ipr_fr_name = -2,
  omp_ipr_vendor = -3,
  omp_ipr_vendor_name = -4,
  omp_ipr_device_num = -5,
  omp_ipr_platform = -6,
  omp_ipr_device = -7,
  omp_ipr_device_context = -8,
  omp_ipr_targetsync = -9,
  omp_ipr_first = -9
} omp_interop_property_t;

typedef enum omp_interop_rc {
  omp_irc_no_value = 1,
  omp_irc_success = 0,
  omp_irc_empty = -1,
  omp_irc_out_of_range = -2,
  omp_irc_type_int = -3,
  omp_irc_type_ptr = -4,
  omp_irc_type_str = -5,
  omp_irc_other = -6
} omp_interop_rc_t;

typedef enum omp_interop_fr {
  omp_ifr_cuda = 1,
  omp_ifr_cuda_driver = 2,
  omp_ifr_opencl = 3,
  omp_ifr_sycl = 4,
  omp_ifr_hip = 5,
  omp_ifr_level_zero = 6,
  omp_ifr_hsa = 7,
  omp_ifr_last = 7
} omp_interop_fr_t;

extern int omp_get_num_interop_properties(const omp_interop_t interop);
extern omp_intptr_t omp_get_interop_int(const omp_interop_t interop,
                                        omp_interop_property_t property, int *ret_code);
extern void *omp_get_interop_ptr(const omp_interop_t interop, omp_interop_property_t property,
                                 int *ret_code);
extern const char *omp_get_interop_str(const omp_interop_t interop, omp_interop_property_t property,
                                       int *ret_code);
extern const char *omp_get_interop_name(const omp_interop_t interop,
                                        omp_interop_property_t property);
extern const char *omp_get_interop_type_desc(const omp_interop_t interop,
                                             omp_interop_property_t property);
extern const char *omp_get_interop_rc_desc(const omp_interop_t interop, omp_interop_rc_t ret_code);

/* A handle is as wide as a pointer: in C++11 by its underlying type, in C by the enumerator UINTPTR_MAX. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define SOLO_OMP_HANDLE : omp_uintptr_t
#else
#define SOLO_OMP_HANDLE
#endif

typedef enum omp_allocator_handle_t SOLO_OMP_HANDLE {
  omp_null_allocator = 0,
  omp_default_mem_alloc = 1,
  omp_large_cap_mem_alloc = 2,
  omp_const_mem_alloc = 3,
  omp_high_bw_mem_alloc = 4,
  omp_low_lat_mem_alloc = 5,
  omp_cgroup_mem_alloc = 6,
  omp_pteam_mem_alloc = 7,
  omp_thread_mem_alloc = 8,
  llvm_omp_target_host_mem_alloc = 100,
  llvm_omp_target_shared_mem_alloc = 101,
  llvm_omp_target_device_mem_alloc = 102,
  KMP_ALLOCATOR_MAX_HANDLE = UINTPTR_MAX
} omp_allocator_handle_t;

typedef enum omp_memspace_handle_t SOLO_OMP_HANDLE {
  omp_null_mem_space = 0, /* Clang 19 also gives this value to omp_default_mem_space */
#if defined __clang__ && __clang_major__ < 20
  omp_default_mem_space = 0, /* not 99 as in LLVM 20, because libomp 19 aborts for 99 */
#else
  omp_default_mem_space = 99,
#endif
  omp_large_cap_mem_space = 1,
  omp_const_mem_space = 2,
  omp_high_bw_mem_space = 3,
  omp_low_lat_mem_space = 4,
  llvm_omp_target_host_mem_space = 100,
  llvm_omp_target_shared_mem_space = 101,
  llvm_omp_target_device_mem_space = 102,
  KMP_MEMSPACE_MAX_HANDLE = UINTPTR_MAX
} omp_memspace_handle_t;

typedef enum omp_alloctrait_key_t {
  omp_atk_sync_hint = 1,
  omp_atk_alignment = 2,
  omp_atk_access = 3,
  omp_atk_pool_size = 4,
  omp_atk_fallback = 5,
  omp_atk_fb_data = 6,
  omp_atk_pinned = 7,
  omp_atk_partition = 8,
  /* OpenMP 6.0; supported in static programs only */
  omp_atk_pin_device = 9,
  omp_atk_preferred_device = 10,
  omp_atk_device_access = 11,
  omp_atk_target_access = 12,
  omp_atk_atomic_scope = 13,
  omp_atk_part_size = 14,
  omp_atk_partitioner = 15,
  omp_atk_partitioner_arg = 16
} omp_alloctrait_key_t;

typedef enum omp_alloctrait_value_t {
  omp_atv_false = 0,
  omp_atv_true = 1,
  omp_atv_contended = 3,
  omp_atv_uncontended = 4,
  omp_atv_serialized = 5,
  omp_atv_sequential = 5,
  omp_atv_private = 6,
  omp_atv_all = 7,
  /* equal to omp_atv_all here; omp_atv_all is 19 in LLVM 22, but runtimes treat 7 and 19 alike */
  omp_atv_device = 7,
  omp_atv_thread = 8,
  omp_atv_pteam = 9,
  omp_atv_cgroup = 10,
  omp_atv_default_mem_fb = 11,
  omp_atv_null_fb = 12,
  omp_atv_abort_fb = 13,
  omp_atv_allocator_fb = 14,
  omp_atv_environment = 15,
  omp_atv_nearest = 16,
  omp_atv_blocked = 17,
  omp_atv_interleaved = 18,
  omp_atv_single = 20,
  omp_atv_multiple = 21,
  omp_atv_memspace = 22,
  omp_atv_partitioner = 23
} omp_alloctrait_value_t;
#define omp_atv_default ((omp_uintptr_t)-1)

typedef struct omp_alloctrait_t {
  omp_alloctrait_key_t key;
  omp_uintptr_t value;
} omp_alloctrait_t;

extern omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t memspace, int ntraits,
                                                 omp_alloctrait_t traits[]);
extern void omp_destroy_allocator(omp_allocator_handle_t allocator);
extern void omp_set_default_allocator(omp_allocator_handle_t allocator);
extern omp_allocator_handle_t omp_get_default_allocator(void);
extern void *omp_alloc(size_t size,
                       omp_allocator_handle_t allocator SOLO_OMP_DEFAULT(omp_null_allocator));
extern void *
omp_aligned_alloc(size_t alignment, size_t size,
                  omp_allocator_handle_t allocator SOLO_OMP_DEFAULT(omp_null_allocator));
extern void *omp_calloc(size_t count, size_t size,
                        omp_allocator_handle_t allocator SOLO_OMP_DEFAULT(omp_null_allocator));
extern void *
omp_aligned_calloc(size_t alignment, size_t count, size_t size,
                   omp_allocator_handle_t allocator SOLO_OMP_DEFAULT(omp_null_allocator));
extern void *
omp_realloc(void *ptr, size_t size,
            omp_allocator_handle_t allocator SOLO_OMP_DEFAULT(omp_null_allocator),
            omp_allocator_handle_t free_allocator SOLO_OMP_DEFAULT(omp_null_allocator));
extern void omp_free(void *ptr,
                     omp_allocator_handle_t allocator SOLO_OMP_DEFAULT(omp_null_allocator));

/* --- memory of devices (OpenMP 6.0, 27.1 to 27.5 and 27.8); host only -----------------------------*/

/* Return a space that the given devices can access, or omp_null_mem_space. The host can also access the space of
 * *_and_host_* and *_all_*. memspace: a predefined space. Equal requests return equal handles.
 * - One device: its own memory; with the host: shared memory (managed, fine-grained).
 * - CPU devices, or devices that can access all host memory: memspace itself.
 * - Several GPUs with separate memory: omp_null_mem_space. With libomp, only the default device has
 *   a space. */
extern omp_memspace_handle_t omp_get_devices_memspace(int ndevs, const int *devs,
                                                      omp_memspace_handle_t memspace);
extern omp_memspace_handle_t omp_get_device_memspace(int dev, omp_memspace_handle_t memspace);
extern omp_memspace_handle_t omp_get_devices_and_host_memspace(int ndevs, const int *devs,
                                                               omp_memspace_handle_t memspace);
extern omp_memspace_handle_t omp_get_device_and_host_memspace(int dev,
                                                              omp_memspace_handle_t memspace);
extern omp_memspace_handle_t omp_get_devices_all_memspace(omp_memspace_handle_t memspace);

/* Return an allocator for the space that omp_get_*_memspace() returns, or omp_null_allocator. The program must not destroy
 * the allocator. A failed allocation returns NULL. */
extern omp_allocator_handle_t omp_get_devices_allocator(int ndevs, const int *devs,
                                                        omp_memspace_handle_t memspace);
extern omp_allocator_handle_t omp_get_device_allocator(int dev, omp_memspace_handle_t memspace);
extern omp_allocator_handle_t omp_get_devices_and_host_allocator(int ndevs, const int *devs,
                                                                 omp_memspace_handle_t memspace);
extern omp_allocator_handle_t omp_get_device_and_host_allocator(int dev,
                                                                omp_memspace_handle_t memspace);
extern omp_allocator_handle_t omp_get_devices_all_allocator(omp_memspace_handle_t memspace);

/* Returns the number of NUMA nodes of host memory; 1 for device memory. */
extern int omp_get_memspace_num_resources(omp_memspace_handle_t memspace);
/* 0: no such space. */
extern size_t omp_get_memspace_pagesize(omp_memspace_handle_t memspace);
/* Returns the subspace of the given resources, which are NUMA nodes. Returns omp_null_mem_space if num_resources is 0 or a
 * resource is invalid. Static programs only. */
extern omp_memspace_handle_t omp_get_submemspace(omp_memspace_handle_t memspace, int num_resources,
                                                 const int *resources);

/* A partitioner places the parts of an allocation on resources. A program selects it by the traits omp_atk_partition =
 * omp_atv_partitioner, omp_atk_partitioner = its address, and omp_atk_partitioner_arg. For each allocation the runtime calls
 * compute_proc, then release_proc. omp_mempartition_set_part() returns -1 if a part except the last is not a multiple of the
 * page size. If the sizes of the parts do not add up to the size of the allocation, the allocation fails. */
typedef omp_intptr_t omp_alloctrait_val_t;
typedef struct omp_mempartition_t {
  void *_parts;
  size_t _count;
  const void *_user_data;
  omp_memspace_handle_t _space;
} omp_mempartition_t;
typedef enum omp_mempartitioner_lifetime_t {
  omp_static_mempartition = 1,
  omp_allocator_mempartition = 2,
  omp_dynamic_mempartition = 3
} omp_mempartitioner_lifetime_t;
typedef void (*omp_mempartitioner_compute_proc_t)(omp_memspace_handle_t memspace,
                                                  size_t allocation_size,
                                                  omp_alloctrait_val_t partitioner_arg,
                                                  omp_mempartition_t *partition);
typedef void (*omp_mempartitioner_release_proc_t)(omp_mempartition_t *partition);
typedef struct omp_mempartitioner_t {
  omp_mempartitioner_lifetime_t _lifetime;
  omp_mempartitioner_compute_proc_t _compute;
  omp_mempartitioner_release_proc_t _release;
} omp_mempartitioner_t;
extern void omp_init_mempartitioner(omp_mempartitioner_t *partitioner,
                                    omp_mempartitioner_lifetime_t lifetime,
                                    omp_mempartitioner_compute_proc_t compute_proc,
                                    omp_mempartitioner_release_proc_t release_proc);
extern void omp_destroy_mempartitioner(const omp_mempartitioner_t *partitioner);
extern void omp_init_mempartition(omp_mempartition_t *partition, size_t nparts,
                                  const void *user_data);
extern void omp_destroy_mempartition(const omp_mempartition_t *partition);
extern int omp_mempartition_set_part(omp_mempartition_t *partition, size_t part, int resource,
                                     size_t size);
extern void *omp_mempartition_get_user_data(const omp_mempartition_t *partition);

extern void *llvm_omp_target_alloc_host(size_t size, int device_num);
extern void *llvm_omp_target_alloc_shared(size_t size, int device_num);
extern void *llvm_omp_target_alloc_device(size_t size, int device_num);
extern void llvm_omp_target_free_host(void *ptr, int device_num);
extern void llvm_omp_target_free_shared(void *ptr, int device_num);
extern void llvm_omp_target_free_device(void *ptr, int device_num);
extern void *llvm_omp_target_lock_mem(void *ptr, size_t size, int device_num);
extern void llvm_omp_target_unlock_mem(void *ptr, int device_num);
extern void *llvm_omp_target_dynamic_shared_alloc(void);

typedef enum omp_event_handle_t { KMP_EVENT_MAX_HANDLE = UINTPTR_MAX } omp_event_handle_t;
extern void omp_fulfill_event(omp_event_handle_t event);

typedef enum omp_pause_resource_t {
  omp_pause_resume = 0,
  omp_pause_soft = 1,
  omp_pause_hard = 2,
  omp_pause_stop_tool = 3 /* static programs only */
} omp_pause_resource_t;
extern int omp_pause_resource(omp_pause_resource_t kind, int device_num);
extern int omp_pause_resource_all(omp_pause_resource_t kind);

typedef enum omp_control_tool_t {
  omp_control_tool_start = 1,
  omp_control_tool_pause = 2,
  omp_control_tool_flush = 3,
  omp_control_tool_end = 4
} omp_control_tool_t;
typedef enum omp_control_tool_result_t {
  omp_control_tool_notool = -2,
  omp_control_tool_nocallback = -1,
  omp_control_tool_success = 0,
  omp_control_tool_ignored = 1
} omp_control_tool_result_t;
extern int omp_control_tool(int command, int modifier, void *arg);

extern void omp_display_env(int verbose);

typedef void *kmp_affinity_mask_t;
extern int kmp_set_affinity(kmp_affinity_mask_t *mask);
extern int kmp_get_affinity(kmp_affinity_mask_t *mask);
extern int kmp_get_affinity_max_proc(void);
extern void kmp_create_affinity_mask(kmp_affinity_mask_t *mask);
extern void kmp_destroy_affinity_mask(kmp_affinity_mask_t *mask);
extern int kmp_set_affinity_mask_proc(int proc, kmp_affinity_mask_t *mask);
extern int kmp_unset_affinity_mask_proc(int proc, kmp_affinity_mask_t *mask);
extern int kmp_get_affinity_mask_proc(int proc, kmp_affinity_mask_t *mask);
extern int kmp_get_stacksize(void);
extern void kmp_set_stacksize(int size);
extern size_t kmp_get_stacksize_s(void);
extern void kmp_set_stacksize_s(size_t size);
extern int kmp_get_blocktime(void);
extern void kmp_set_blocktime(int ms);
extern int kmp_get_library(void);
extern void kmp_set_library(int kind);
extern void kmp_set_library_serial(void);
extern void kmp_set_library_turnaround(void);
extern void kmp_set_library_throughput(void);
extern void kmp_set_defaults(const char *settings);
extern void kmp_set_disp_num_buffers(int count);
extern void kmp_set_warnings_on(void);
extern void kmp_set_warnings_off(void);
extern void *kmp_malloc(size_t size);
extern void *kmp_aligned_malloc(size_t size, size_t alignment);
extern void *kmp_calloc(size_t count, size_t size);
extern void *kmp_realloc(void *ptr, size_t size);
extern void kmp_free(void *ptr);

#undef SOLO_OMP_DEFAULT
#undef SOLO_OMP_HANDLE

/* Makes omp_is_initial_device() a constant in host code and in device code, if the compiler
 * supports declare variant. */
#if defined(_OPENMP) && _OPENMP >= 201811 && defined(__clang__)
#pragma omp begin declare variant match(device = {kind(host)})
static inline int omp_is_initial_device(void) {
  return 1;
}
#pragma omp end declare variant
#pragma omp begin declare variant match(device = {kind(nohost)})
static inline int omp_is_initial_device(void) {
  return 0;
}
#pragma omp end declare variant
#endif
extern int omp_is_initial_device(void);

#ifdef __cplusplus
}
#endif

#endif
