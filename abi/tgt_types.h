/* Layouts that compiled code and the runtime share, for Clang 19 and 22 (abi-facts 1, 4, 6). */
#ifndef SOLO_ABI_TGT_TYPES_H
#define SOLO_ABI_TGT_TYPES_H

#include <stddef.h>
#include <stdint.h>

#define TGT_LAYOUT(type, bytes)    _Static_assert(sizeof(type) == (bytes), #type)
#define TGT_FIELD(type, field, at) _Static_assert(offsetof(type, field) == (at), #type "." #field)

/* psource: ";file;function;line;column;;". */
typedef struct ident_t {
  int32_t reserved_1;
  int32_t flags;
  int32_t reserved_2;
  int32_t reserved_3;
  const char *psource;
} ident_t;
TGT_LAYOUT(ident_t, 24);
TGT_FIELD(ident_t, psource, 16);

/* Clang 19 (section omp_offloading_entries, unaligned). */
typedef struct tgt_entry_19 {
  void *address;
  char *name;
  uint64_t size;
  int32_t flags;
  int32_t data;
} tgt_entry_19;
TGT_LAYOUT(tgt_entry_19, 32);
TGT_FIELD(tgt_entry_19, size, 16);
TGT_FIELD(tgt_entry_19, flags, 24);

/* Clang 22 (section llvm_offload_entries). */
typedef struct tgt_entry_22 {
  /* 0; distinguishes this layout from tgt_entry_19, which begins with an address */
  uint64_t reserved;
  uint16_t version;
  uint16_t kind; /* OpenMP 1, CUDA 2, HIP 4, SYCL 8 */
  uint32_t flags;
  void *address;
  char *name;
  uint64_t size;
  uint64_t data;
  void *auxiliary;
} tgt_entry_22;
TGT_LAYOUT(tgt_entry_22, 56);
TGT_FIELD(tgt_entry_22, flags, 12);
TGT_FIELD(tgt_entry_22, name, 24);
TGT_FIELD(tgt_entry_22, auxiliary, 48);

typedef struct tgt_device_image {
  void *image_start;
  void *image_end;
  void *entries_begin;
  void *entries_end;
} tgt_device_image;
TGT_LAYOUT(tgt_device_image, 32);

typedef struct tgt_bin_desc {
  int32_t image_count;
  tgt_device_image *images;
  void *entries_begin;
  void *entries_end;
} tgt_bin_desc;
TGT_LAYOUT(tgt_bin_desc, 32);
TGT_FIELD(tgt_bin_desc, images, 8);

/* Layout of version 3. Version 1 ends with trip_count, version 2 with flags. Kernels of these two versions have no hidden
 * parameter. */
typedef struct tgt_kernel_args {
  uint32_t version;
  uint32_t count;
  void **bases;
  void **begins;
  int64_t *sizes;
  int64_t *types;
  void **names;
  void **mappers;
  uint64_t trip_count;
  uint64_t flags;
  uint32_t num_teams[3];
  uint32_t thread_limit[3];
  uint32_t shared_bytes;
} tgt_kernel_args;
TGT_LAYOUT(tgt_kernel_args, 104);
TGT_FIELD(tgt_kernel_args, mappers, 48);
TGT_FIELD(tgt_kernel_args, trip_count, 56);
TGT_FIELD(tgt_kernel_args, num_teams, 72);
TGT_FIELD(tgt_kernel_args, thread_limit, 84);
TGT_FIELD(tgt_kernel_args, shared_bytes, 96);

enum tgt_kernel_flags {
  TGT_KERNEL_NOWAIT = 1,
  TGT_KERNEL_CUDA = 2, /* teams and threads are exact; the arguments are not mapped */
};

typedef struct tgt_depend {
  intptr_t address;
  size_t length;
  uint8_t flags; /* 1 in, 3 out/inout, 4 mutexinoutset, 8 inoutset, 0x80 all memory */
} tgt_depend;
TGT_LAYOUT(tgt_depend, 24);

enum { TGT_DEVICE_DEFAULT = -1, TGT_DEVICE_INVALID = -2 };

#endif
