/* rex_kmp.h: interface for sources that the REX compiler lowered, for C and C++. Link with -lsolo_rex. Source: "How
 * Offloading Runtime Glue Works in REX". The device code is read from a file at run time. The environment variable
 * REX_CUBIN_NAME, or else the macro REX_CUBIN_NAME, is its path. A failed registration is reported on stderr, and the next
 * call tries again. Threads: any. */
#ifndef REX_KMP_H
#define REX_KMP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ident {
  int32_t reserved_1;
  int32_t flags;
  int32_t reserved_2;
  int32_t reserved_3;
  const char *psource; /* ";file;function;line;column;;" */
} ident_t;

struct __tgt_offload_entry {
  void *addr; /* of a kernel: address of a char, which identifies the kernel in launches */
  char *name;
  size_t size;
  int32_t flags;
  int32_t reserved;
};

struct __tgt_device_image {
  void *ImageStart;
  void *ImageEnd;
  struct __tgt_offload_entry *EntriesBegin;
  struct __tgt_offload_entry *EntriesEnd;
};

struct __tgt_bin_desc {
  int32_t NumDeviceImages;
  struct __tgt_device_image *DeviceImages;
  struct __tgt_offload_entry *HostEntriesBegin;
  struct __tgt_offload_entry *HostEntriesEnd;
};

/* Version 3: the kernel's first parameter is a launch environment. */
struct __tgt_kernel_arguments {
  int32_t Version;
  int32_t NumArgs;
  void **ArgsBase;
  void **Args;
  int64_t *ArgSizes;
  int64_t *ArgTypes;
  void **ArgNames;
  void **ArgMappers;
  int64_t Tripcount;
  int64_t Flags;
  int32_t Teams[3];
  int32_t Threads[3];
  int32_t DynCGroupMem;
};

#ifndef REX_CUBIN_NAME
#define REX_CUBIN_NAME "rex_lib_nvidia.cubin"
#else
#define REX_CUBIN_NAME_GIVEN
#endif

/* Registers an image with the program's entries. filename NULL: the name from the environment, or
 * the default. Returns the image's descriptor, the same for equal names; NULL: failure. */
struct __tgt_bin_desc *register_cubin(const char *filename);
/* Registers the image named in the environment, or the default image. Called at the start of main. */
void rex_offload_init(void);
/* Like rex_offload_init(), with filename as the default name. */
void rex_offload_init_file(const char *filename);
/* Unregisters all images. The caller ensures that no target region executes. */
void rex_offload_fini(void);
extern struct __tgt_bin_desc *__cubin_desc;
extern ident_t rex_target_kernel_ident;

#ifdef REX_CUBIN_NAME_GIVEN
static inline void rex_offload_init_given(void) {
  rex_offload_init_file(REX_CUBIN_NAME);
}
#define rex_offload_init rex_offload_init_given
#endif

#define REX_REGION_                                                                                \
  int64_t device_id, void *host_ptr, int32_t arg_num, void **args_base, void **args,               \
      int64_t *arg_sizes, int64_t *arg_types
#define REX_DATA_                                                                                  \
  int64_t device_id, int32_t arg_num, void **args_base, void **args, int64_t *arg_sizes,           \
      int64_t *arg_types
#define REX_KERNEL_                                                                                \
  int64_t device_id, int32_t num_teams, int32_t thread_limit, void *host_ptr,                      \
      struct __tgt_kernel_arguments *kernel_args

int __rex_real___tgt_target(REX_REGION_) __asm__("__tgt_target");
int __rex_real___tgt_target_teams(REX_REGION_, int32_t num_teams,
                                  int32_t thread_limit) __asm__("__tgt_target_teams");
int __rex_real___tgt_target_kernel(ident_t *location, REX_KERNEL_) __asm__("__tgt_target_kernel");
void __rex_real___tgt_target_data_begin(REX_DATA_) __asm__("__tgt_target_data_begin");
void __rex_real___tgt_target_data_end(REX_DATA_) __asm__("__tgt_target_data_end");
void __rex_real___tgt_target_data_update(REX_DATA_) __asm__("__tgt_target_data_update");
void __rex_real___tgt_register_lib(struct __tgt_bin_desc *descriptor) __asm__("__tgt_register_lib");
void __rex_real___tgt_unregister_lib(struct __tgt_bin_desc *descriptor) __asm__(
    "__tgt_unregister_lib");

typedef void (*kmpc_micro_t)(int *, int *, ...);
void __kmpc_fork_call(ident_t *, int, kmpc_micro_t, ...);
void __kmpc_push_num_threads(ident_t *, int, int);
int __kmpc_global_thread_num(ident_t *);
int __kmpc_single(ident_t *, int);
void __kmpc_end_single(ident_t *, int);
int __kmpc_master(ident_t *, int);
void __kmpc_end_master(ident_t *, int);
void __kmpc_barrier(ident_t *, int);
void __kmpc_critical(ident_t *, int, void *);
void __kmpc_end_critical(ident_t *, int, void *);
void __kmpc_for_static_init_4(ident_t *, int, int, int *, int *, int *, int *, int, int);
void __kmpc_for_static_init_8(ident_t *, int, int, int *, int64_t *, int64_t *, int64_t *, int64_t,
                              int64_t);
void __kmpc_for_static_fini(ident_t *, int);

void __tgt_register_lib(struct __tgt_bin_desc *descriptor);
void __tgt_unregister_lib(struct __tgt_bin_desc *descriptor);

/* The following functions first register the default image. If no image can be registered, the
 * first three return -1 and the others do nothing. */
int rex___tgt_target(REX_REGION_);
int rex___tgt_target_teams(REX_REGION_, int32_t num_teams, int32_t thread_limit);
int rex___tgt_target_kernel(REX_KERNEL_);
void rex___tgt_target_data_begin(REX_DATA_);
void rex___tgt_target_data_end(REX_DATA_);
void rex___tgt_target_data_update(REX_DATA_);

/* calls that do not register an image (section "The Macro Layer" of that article) */

static inline int rex_direct___tgt_target(REX_REGION_) {
  return __rex_real___tgt_target(device_id, host_ptr, arg_num, args_base, args, arg_sizes,
                                 arg_types);
}

static inline int rex_direct___tgt_target_teams(REX_REGION_, int32_t num_teams,
                                                int32_t thread_limit) {
  return __rex_real___tgt_target_teams(device_id, host_ptr, arg_num, args_base, args, arg_sizes,
                                       arg_types, num_teams, thread_limit);
}

static inline int rex_direct___tgt_target_kernel(REX_KERNEL_) {
  return __rex_real___tgt_target_kernel(&rex_target_kernel_ident, device_id, num_teams,
                                        thread_limit, host_ptr, kernel_args);
}

static inline void rex_direct___tgt_target_data_begin(REX_DATA_) {
  __rex_real___tgt_target_data_begin(device_id, arg_num, args_base, args, arg_sizes, arg_types);
}

static inline void rex_direct___tgt_target_data_end(REX_DATA_) {
  __rex_real___tgt_target_data_end(device_id, arg_num, args_base, args, arg_sizes, arg_types);
}

static inline void rex_direct___tgt_target_data_update(REX_DATA_) {
  __rex_real___tgt_target_data_update(device_id, arg_num, args_base, args, arg_sizes, arg_types);
}

/* Converts a value of at most 8 bytes to a literal argument; NULL: the value is larger. */
static inline void *rex_pack_literal_arg_bytes(const void *value, size_t size) {
  uintptr_t word = 0;
  if (size > sizeof word) return NULL;
  __builtin_memcpy(&word, value, size);
  return (void *)word;
}

#ifdef __cplusplus
}
#endif

#ifndef REX_KMP_INTERNAL
#define __tgt_target             rex_direct___tgt_target
#define __tgt_target_teams       rex_direct___tgt_target_teams
#define __tgt_target_kernel      rex_direct___tgt_target_kernel
#define __tgt_target_data_begin  rex_direct___tgt_target_data_begin
#define __tgt_target_data_end    rex_direct___tgt_target_data_end
#define __tgt_target_data_update rex_direct___tgt_target_data_update
#endif

#endif
