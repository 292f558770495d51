#include "backends/hsa/hsa_kernarg.h"

uint64_t solo_hsa_hidden_value(const solo_hsa_launch_values *values,
                               solo_amdgpu_argument_kind kind) {
  switch (kind) {
  case SOLO_AMDGPU_HIDDEN_BLOCK_COUNT_X:
    return values->teams[0];
  case SOLO_AMDGPU_HIDDEN_BLOCK_COUNT_Y:
    return values->teams[1];
  case SOLO_AMDGPU_HIDDEN_BLOCK_COUNT_Z:
    return values->teams[2];
  case SOLO_AMDGPU_HIDDEN_GROUP_SIZE_X:
    return values->threads[0];
  case SOLO_AMDGPU_HIDDEN_GROUP_SIZE_Y:
    return values->threads[1];
  case SOLO_AMDGPU_HIDDEN_GROUP_SIZE_Z:
    return values->threads[2];
  case SOLO_AMDGPU_HIDDEN_GRID_DIMS:
    return values->teams[2] > 1 || values->threads[2] > 1   ? 3
           : values->teams[1] > 1 || values->threads[1] > 1 ? 2
                                                            : 1;
  case SOLO_AMDGPU_HIDDEN_DYNAMIC_LDS_SIZE:
    return values->dynamic_lds;
  case SOLO_AMDGPU_HIDDEN_PRIVATE_BASE:
    return values->private_base;
  case SOLO_AMDGPU_HIDDEN_SHARED_BASE:
    return values->shared_base;
  case SOLO_AMDGPU_HIDDEN_PRINTF_BUFFER:
    return values->printf_buffer;
  case SOLO_AMDGPU_HIDDEN_HOSTCALL_BUFFER:
    return values->hostcall_buffer;
  case SOLO_AMDGPU_HIDDEN_HEAP:
    return values->heap;
  case SOLO_AMDGPU_HIDDEN_DEFAULT_QUEUE:
    return values->default_queue;
  case SOLO_AMDGPU_HIDDEN_COMPLETION_ACTION:
    return values->completion_action;
  case SOLO_AMDGPU_HIDDEN_MULTIGRID_SYNC:
    return values->multigrid_sync;
  case SOLO_AMDGPU_HIDDEN_QUEUE_PTR:
    return values->queue;
  /* remainders and global offsets: solo launches complete work-groups only, without an offset */
  default:
    return 0;
  }
}

static bool can_be_other_than_zero(solo_amdgpu_argument_kind kind) {
  switch (kind) {
  case SOLO_AMDGPU_HIDDEN_REMAINDER_X:
  case SOLO_AMDGPU_HIDDEN_REMAINDER_Y:
  case SOLO_AMDGPU_HIDDEN_REMAINDER_Z:
  case SOLO_AMDGPU_HIDDEN_GLOBAL_OFFSET_X:
  case SOLO_AMDGPU_HIDDEN_GLOBAL_OFFSET_Y:
  case SOLO_AMDGPU_HIDDEN_GLOBAL_OFFSET_Z:
  case SOLO_AMDGPU_HIDDEN_NONE:
  case SOLO_AMDGPU_HIDDEN_UNKNOWN:
    return false;
  default:
    return true;
  }
}

static uint32_t size_of_kind(solo_amdgpu_argument_kind kind) {
  if (kind >= SOLO_AMDGPU_HIDDEN_GROUP_SIZE_X && kind <= SOLO_AMDGPU_HIDDEN_GROUP_SIZE_Z) return 2;
  if (kind == SOLO_AMDGPU_HIDDEN_GRID_DIMS) return 2;
  if (kind >= SOLO_AMDGPU_HIDDEN_BLOCK_COUNT_X && kind <= SOLO_AMDGPU_HIDDEN_BLOCK_COUNT_Z)
    return 4;
  if (kind == SOLO_AMDGPU_HIDDEN_DYNAMIC_LDS_SIZE || kind == SOLO_AMDGPU_HIDDEN_PRIVATE_BASE ||
      kind == SOLO_AMDGPU_HIDDEN_SHARED_BASE)
    return 4;
  return 8;
}

static solo_status add_field(solo_hsa_kernarg_layout *layout,
                             const solo_amdgpu_argument *argument) {
  const char *name = solo_amdgpu_argument_kind_name(argument->kind);
  if (argument->offset > layout->size || argument->size > layout->size - argument->offset ||
      argument->offset < layout->explicit_size)
    return solo_fail(
        SOLO_BAD_IMAGE,
        "AMDGPU metadata: %s at offset %u with %u bytes is not between the %u bytes of "
        "arguments and the end of the segment (%u bytes)",
        name, argument->offset, argument->size, layout->explicit_size, layout->size);
  if (!can_be_other_than_zero(argument->kind)) return SOLO_OK;
  if (argument->size != size_of_kind(argument->kind))
    return solo_fail(SOLO_BAD_IMAGE, "AMDGPU metadata: %s has %u bytes instead of %u", name,
                     argument->size, size_of_kind(argument->kind));
  if (layout->field_count == SOLO_HSA_KERNARG_FIELDS || argument->offset > UINT16_MAX)
    return solo_fail(SOLO_BAD_IMAGE, "AMDGPU metadata: too many hidden arguments (%s)", name);
  layout->fields[layout->field_count++] = (solo_hsa_kernarg_field){
      (uint16_t)argument->offset, (uint8_t)argument->size, (uint8_t)argument->kind};
  return SOLO_OK;
}

solo_status solo_hsa_kernarg_layout_of(const solo_amdgpu_kernel *kernel,
                                       solo_hsa_kernarg_layout *out) {
  solo_hsa_kernarg_layout layout = {.size = kernel->kernarg_size,
                                    .align = kernel->kernarg_align,
                                    .explicit_size = kernel->explicit_size};
  solo_msgpack cursor = kernel->arguments;
  for (uint32_t i = 0; i < kernel->argument_count; i++) {
    solo_amdgpu_argument argument;
    SOLO_TRY(solo_amdgpu_argument_next(&cursor, &argument));
    if (solo_amdgpu_argument_is_hidden(argument.kind)) SOLO_TRY(add_field(&layout, &argument));
  }
  *out = layout;
  return SOLO_OK;
}

solo_status solo_hsa_kernarg_fill(const solo_hsa_kernarg_layout *layout,
                                  const solo_hsa_launch_values *values, const void *arguments,
                                  uint32_t argument_bytes, void *segment) {
  if (SOLO_UNLIKELY(!solo_hsa_kernarg_accepts(layout, argument_bytes)))
    return solo_fail(SOLO_INVALID, "the kernel takes %u bytes of arguments, the launch passes %u",
                     layout->explicit_size, argument_bytes);
  uint8_t *bytes = segment;
  uint32_t passed = layout->explicit_size;
  if (passed) memcpy(bytes, arguments, passed);
  memset(bytes + passed, 0, layout->size - passed);
  for (uint32_t i = 0; i < layout->field_count; i++) {
    const solo_hsa_kernarg_field *field = &layout->fields[i];
    uint64_t value = solo_hsa_hidden_value(values, (solo_amdgpu_argument_kind)field->kind);
    memcpy(bytes + field->offset, &value, field->size);
  }
  return SOLO_OK;
}
