/* Reader of the metadata note of amdgcn code objects, versions 3 to 6 (LLVM's AMDGPU usage guide,
 * "Code Object Metadata"). Results borrow from the ELF bytes. Errors: BAD_IMAGE with the offset in
 * the note. */
#ifndef SOLO_IMAGE_AMDGPU_METADATA_H
#define SOLO_IMAGE_AMDGPU_METADATA_H

#include "runtime/image/elf.h"
#include "runtime/image/msgpack.h"
#include "runtime/image/target_id.h"

/* .value_kind of an argument: X(name, text in the note) */
#define SOLO_AMDGPU_ARGUMENT_MAP(X)                                                                \
  X(BY_VALUE, "by_value")                                                                          \
  X(GLOBAL_BUFFER, "global_buffer")                                                                \
  X(DYNAMIC_SHARED_POINTER, "dynamic_shared_pointer")                                              \
  X(SAMPLER, "sampler")                                                                            \
  X(IMAGE, "image")                                                                                \
  X(PIPE, "pipe")                                                                                  \
  X(QUEUE, "queue")                                                                                \
  X(HIDDEN_BLOCK_COUNT_X, "hidden_block_count_x")                                                  \
  X(HIDDEN_BLOCK_COUNT_Y, "hidden_block_count_y")                                                  \
  X(HIDDEN_BLOCK_COUNT_Z, "hidden_block_count_z")                                                  \
  X(HIDDEN_GROUP_SIZE_X, "hidden_group_size_x")                                                    \
  X(HIDDEN_GROUP_SIZE_Y, "hidden_group_size_y")                                                    \
  X(HIDDEN_GROUP_SIZE_Z, "hidden_group_size_z")                                                    \
  X(HIDDEN_REMAINDER_X, "hidden_remainder_x")                                                      \
  X(HIDDEN_REMAINDER_Y, "hidden_remainder_y")                                                      \
  X(HIDDEN_REMAINDER_Z, "hidden_remainder_z")                                                      \
  X(HIDDEN_GLOBAL_OFFSET_X, "hidden_global_offset_x")                                              \
  X(HIDDEN_GLOBAL_OFFSET_Y, "hidden_global_offset_y")                                              \
  X(HIDDEN_GLOBAL_OFFSET_Z, "hidden_global_offset_z")                                              \
  X(HIDDEN_GRID_DIMS, "hidden_grid_dims")                                                          \
  X(HIDDEN_NONE, "hidden_none")                                                                    \
  X(HIDDEN_PRINTF_BUFFER, "hidden_printf_buffer")                                                  \
  X(HIDDEN_HOSTCALL_BUFFER, "hidden_hostcall_buffer")                                              \
  X(HIDDEN_DEFAULT_QUEUE, "hidden_default_queue")                                                  \
  X(HIDDEN_COMPLETION_ACTION, "hidden_completion_action")                                          \
  X(HIDDEN_MULTIGRID_SYNC, "hidden_multigrid_sync_arg")                                            \
  X(HIDDEN_HEAP, "hidden_heap_v1")                                                                 \
  X(HIDDEN_DYNAMIC_LDS_SIZE, "hidden_dynamic_lds_size")                                            \
  X(HIDDEN_PRIVATE_BASE, "hidden_private_base")                                                    \
  X(HIDDEN_SHARED_BASE, "hidden_shared_base")                                                      \
  X(HIDDEN_QUEUE_PTR, "hidden_queue_ptr")

typedef enum solo_amdgpu_argument_kind {
#define X(name, text) SOLO_AMDGPU_##name,
  SOLO_AMDGPU_ARGUMENT_MAP(X)
#undef X
  /* other kinds; a launch sets such hidden arguments to zero */
  SOLO_AMDGPU_HIDDEN_UNKNOWN,
  SOLO_AMDGPU_UNKNOWN,
  SOLO_AMDGPU_ARGUMENT_KINDS
} solo_amdgpu_argument_kind;

const char *solo_amdgpu_argument_kind_name(solo_amdgpu_argument_kind kind);
bool solo_amdgpu_argument_is_hidden(solo_amdgpu_argument_kind kind);

typedef struct solo_amdgpu_argument {
  uint32_t offset, size;
  solo_amdgpu_argument_kind kind;
} solo_amdgpu_argument;

typedef struct solo_amdgpu_kernel {
  solo_span name, symbol; /* without NUL; symbol: the descriptor, "<name>.kd" */
  uint32_t kernarg_size, kernarg_align;
  uint32_t group_size;
  uint32_t private_size;
  uint32_t max_threads;
  uint32_t wavefront_size;
  uint32_t sgpr_count, vgpr_count, agpr_count, sgpr_spills, vgpr_spills;
  uint32_t max_teams[3];
  uint32_t required_threads[3];
  int uses_dynamic_stack;
  int uniform_work_group_size;
  uint32_t argument_count;
  uint32_t explicit_size; /* end of the last argument that is not hidden */
  solo_msgpack arguments;
} solo_amdgpu_kernel;

typedef struct solo_amdgpu_metadata {
  uint32_t major, minor;         /* {1, 0}: v3; {1, 1}: v4; {1, 2}: v5, v6 */
  char target[SOLO_TARGET_TEXT]; /* canonical; "": metadata version 3, which has none */
  uint32_t kernel_count;
  solo_msgpack kernels;
} solo_amdgpu_metadata;

/* Reads the metadata note of an ELF file. NOT_FOUND: the file has no note. */
solo_status solo_amdgpu_metadata_open(const solo_elf *elf,
                                      solo_amdgpu_metadata *out) SOLO_MUST_CHECK;
solo_status solo_amdgpu_metadata_read(solo_span note, solo_amdgpu_metadata *out) SOLO_MUST_CHECK;

/* Reads the kernel at *cursor (a copy of metadata->kernels) and advances the cursor. */
solo_status solo_amdgpu_kernel_next(solo_msgpack *cursor, solo_amdgpu_kernel *out) SOLO_MUST_CHECK;
solo_status solo_amdgpu_kernel_find(const solo_amdgpu_metadata *metadata, const char *name,
                                    solo_amdgpu_kernel *out) SOLO_MUST_CHECK;

/* Reads the argument at *cursor (a copy of kernel->arguments) and advances the cursor. */
solo_status solo_amdgpu_argument_next(solo_msgpack *cursor,
                                      solo_amdgpu_argument *out) SOLO_MUST_CHECK;

#endif
