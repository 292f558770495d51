#include "runtime/image/amdgpu_metadata.h"

#include <stddef.h>

enum { NT_AMDGPU_METADATA = 32 };

static const char *const kind_names[] = {
#define X(name, text) text,
    SOLO_AMDGPU_ARGUMENT_MAP(X)
#undef X
        "hidden_?",
    "?",
};

const char *solo_amdgpu_argument_kind_name(solo_amdgpu_argument_kind kind) {
  return (unsigned)kind < SOLO_AMDGPU_ARGUMENT_KINDS ? kind_names[kind] : "?";
}

bool solo_amdgpu_argument_is_hidden(solo_amdgpu_argument_kind kind) {
  return kind >= SOLO_AMDGPU_HIDDEN_BLOCK_COUNT_X && kind <= SOLO_AMDGPU_HIDDEN_UNKNOWN;
}

static solo_status read_u32(solo_msgpack *cursor, uint32_t *out) {
  solo_msgpack_value value;
  size_t at = cursor->at;
  SOLO_TRY(solo_msgpack_expect(cursor, SOLO_MSGPACK_UINT, &value));
  if (value.number > UINT32_MAX)
    return solo_fail(SOLO_BAD_IMAGE, "AMDGPU metadata: number 0x%llx at offset 0x%zx is too large",
                     (unsigned long long)value.number, at);
  *out = (uint32_t)value.number;
  return SOLO_OK;
}

/* Compilers write .uniform_work_group_size as an integer (0 or 1), not as a Boolean. */
static solo_status read_flag(solo_msgpack *cursor, int *out) {
  solo_msgpack_value value;
  SOLO_TRY(solo_msgpack_next(cursor, &value));
  *out = (value.kind == SOLO_MSGPACK_BOOL || value.kind == SOLO_MSGPACK_UINT) && value.number != 0;
  return SOLO_OK;
}

static solo_status read_triple(solo_msgpack *cursor, uint32_t out[3]) {
  solo_msgpack_value head;
  SOLO_TRY(solo_msgpack_expect(cursor, SOLO_MSGPACK_ARRAY, &head));
  for (uint64_t i = 0; i < head.number; i++) {
    uint32_t number = 0;
    SOLO_TRY(read_u32(cursor, &number));
    if (i < 3) out[i] = number;
  }
  return SOLO_OK;
}

static solo_amdgpu_argument_kind kind_of(const solo_msgpack_value *text) {
  for (int i = 0; i < SOLO_AMDGPU_HIDDEN_UNKNOWN; i++)
    if (solo_msgpack_is(text, kind_names[i])) return (solo_amdgpu_argument_kind)i;
  bool hidden = text->text.size > 7 && memcmp(text->text.data, "hidden_", 7) == 0;
  return hidden ? SOLO_AMDGPU_HIDDEN_UNKNOWN : SOLO_AMDGPU_UNKNOWN;
}

solo_status solo_amdgpu_argument_next(solo_msgpack *cursor, solo_amdgpu_argument *out) {
  solo_amdgpu_argument argument = {.kind = SOLO_AMDGPU_UNKNOWN};
  solo_msgpack_value head, key, text;
  SOLO_TRY(solo_msgpack_expect(cursor, SOLO_MSGPACK_MAP, &head));
  for (uint64_t i = 0; i < head.number; i++) {
    SOLO_TRY(solo_msgpack_next(cursor, &key));
    if (solo_msgpack_is(&key, ".offset")) {
      SOLO_TRY(read_u32(cursor, &argument.offset));
    } else if (solo_msgpack_is(&key, ".size")) {
      SOLO_TRY(read_u32(cursor, &argument.size));
    } else if (solo_msgpack_is(&key, ".value_kind")) {
      SOLO_TRY(solo_msgpack_expect(cursor, SOLO_MSGPACK_STRING, &text));
      argument.kind = kind_of(&text);
    } else {
      SOLO_TRY(solo_msgpack_skip(cursor));
    }
  }
  *out = argument;
  return SOLO_OK;
}

/* Validates all arguments, so that solo_amdgpu_argument_next cannot fail later. */
static solo_status read_arguments(solo_msgpack *cursor, solo_amdgpu_kernel *kernel) {
  solo_msgpack_value head;
  size_t at = cursor->at;
  SOLO_TRY(solo_msgpack_expect(cursor, SOLO_MSGPACK_ARRAY, &head));
  if (head.number > cursor->bytes.size)
    return solo_fail(SOLO_BAD_IMAGE, "AMDGPU metadata: too many arguments at offset 0x%zx", at);
  kernel->argument_count = (uint32_t)head.number;
  kernel->arguments = *cursor;
  for (uint32_t i = 0; i < kernel->argument_count; i++) {
    solo_amdgpu_argument argument;
    SOLO_TRY(solo_amdgpu_argument_next(cursor, &argument));
    uint64_t end = (uint64_t)argument.offset + argument.size;
    if (end > UINT32_MAX)
      return solo_fail(SOLO_BAD_IMAGE, "AMDGPU metadata: argument %u ends at 0x%llx, above 4 GiB",
                       i, (unsigned long long)end);
    if (!solo_amdgpu_argument_is_hidden(argument.kind) && end > kernel->explicit_size)
      kernel->explicit_size = (uint32_t)end;
  }
  return SOLO_OK;
}

static const struct {
  const char *key;
  size_t offset;
} numbers[] = {
    {".kernarg_segment_size", offsetof(solo_amdgpu_kernel, kernarg_size)},
    {".kernarg_segment_align", offsetof(solo_amdgpu_kernel, kernarg_align)},
    {".group_segment_fixed_size", offsetof(solo_amdgpu_kernel, group_size)},
    {".private_segment_fixed_size", offsetof(solo_amdgpu_kernel, private_size)},
    {".max_flat_workgroup_size", offsetof(solo_amdgpu_kernel, max_threads)},
    {".wavefront_size", offsetof(solo_amdgpu_kernel, wavefront_size)},
    {".sgpr_count", offsetof(solo_amdgpu_kernel, sgpr_count)},
    {".vgpr_count", offsetof(solo_amdgpu_kernel, vgpr_count)},
    {".agpr_count", offsetof(solo_amdgpu_kernel, agpr_count)},
    {".sgpr_spill_count", offsetof(solo_amdgpu_kernel, sgpr_spills)},
    {".vgpr_spill_count", offsetof(solo_amdgpu_kernel, vgpr_spills)},
    {".max_num_workgroups_x", offsetof(solo_amdgpu_kernel, max_teams[0])},
    {".max_num_workgroups_y", offsetof(solo_amdgpu_kernel, max_teams[1])},
    {".max_num_workgroups_z", offsetof(solo_amdgpu_kernel, max_teams[2])},
};

static uint32_t *number_field(solo_amdgpu_kernel *kernel, const solo_msgpack_value *key) {
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (solo_msgpack_is(key, numbers[i].key))
      return (uint32_t *)(void *)((char *)kernel + numbers[i].offset);
  return NULL;
}

static solo_status read_text(solo_msgpack *cursor, solo_span *out) {
  solo_msgpack_value text;
  SOLO_TRY(solo_msgpack_expect(cursor, SOLO_MSGPACK_STRING, &text));
  *out = text.text;
  return SOLO_OK;
}

static solo_status kernel_field(solo_msgpack *cursor, const solo_msgpack_value *key,
                                solo_amdgpu_kernel *kernel) {
  uint32_t *number = number_field(kernel, key);
  if (number) return read_u32(cursor, number);
  if (solo_msgpack_is(key, ".name")) return read_text(cursor, &kernel->name);
  if (solo_msgpack_is(key, ".symbol")) return read_text(cursor, &kernel->symbol);
  if (solo_msgpack_is(key, ".args")) return read_arguments(cursor, kernel);
  if (solo_msgpack_is(key, ".uses_dynamic_stack"))
    return read_flag(cursor, &kernel->uses_dynamic_stack);
  if (solo_msgpack_is(key, ".uniform_work_group_size"))
    return read_flag(cursor, &kernel->uniform_work_group_size);
  if (solo_msgpack_is(key, ".reqd_workgroup_size"))
    return read_triple(cursor, kernel->required_threads);
  return solo_msgpack_skip(cursor);
}

solo_status solo_amdgpu_kernel_next(solo_msgpack *cursor, solo_amdgpu_kernel *out) {
  solo_amdgpu_kernel kernel = {.kernarg_align = 8};
  solo_msgpack_value head, key;
  size_t at = cursor->at;
  SOLO_TRY(solo_msgpack_expect(cursor, SOLO_MSGPACK_MAP, &head));
  for (uint64_t i = 0; i < head.number; i++) {
    SOLO_TRY(solo_msgpack_next(cursor, &key));
    SOLO_TRY(kernel_field(cursor, &key, &kernel));
  }
  if (kernel.name.size == 0 || kernel.symbol.size == 0)
    return solo_fail(SOLO_BAD_IMAGE,
                     "AMDGPU metadata: kernel at offset 0x%zx without name or symbol", at);
  if (kernel.explicit_size > kernel.kernarg_size)
    return solo_fail(
        SOLO_BAD_IMAGE,
        "AMDGPU metadata: arguments of %u bytes in a segment of %u bytes, at offset 0x%zx",
        kernel.explicit_size, kernel.kernarg_size, at);
  if (kernel.kernarg_align == 0 || (kernel.kernarg_align & (kernel.kernarg_align - 1)))
    return solo_fail(SOLO_BAD_IMAGE, "AMDGPU metadata: alignment %u at offset 0x%zx",
                     kernel.kernarg_align, at);
  *out = kernel;
  return SOLO_OK;
}

solo_status solo_amdgpu_kernel_find(const solo_amdgpu_metadata *metadata, const char *name,
                                    solo_amdgpu_kernel *out) {
  solo_msgpack cursor = metadata->kernels;
  size_t size = strlen(name);
  for (uint32_t i = 0; i < metadata->kernel_count; i++) {
    solo_amdgpu_kernel kernel;
    SOLO_TRY(solo_amdgpu_kernel_next(&cursor, &kernel));
    if (kernel.name.size != size || memcmp(kernel.name.data, name, size) != 0) continue;
    *out = kernel;
    return SOLO_OK;
  }
  return SOLO_NOT_FOUND;
}

static solo_status read_target(solo_msgpack *cursor, char out[SOLO_TARGET_TEXT]) {
  solo_span text;
  solo_target_id id;
  char copy[128];
  size_t at = cursor->at;
  SOLO_TRY(read_text(cursor, &text));
  if (text.size >= sizeof copy || memchr(text.data, 0, text.size))
    return solo_fail(SOLO_BAD_IMAGE, "AMDGPU metadata: target of %zu bytes at offset 0x%zx",
                     text.size, at);
  memcpy(copy, text.data, text.size);
  copy[text.size] = 0;
  if (solo_target_parse(copy, &id) != SOLO_OK)
    return solo_fail(SOLO_BAD_IMAGE, "AMDGPU metadata: target \"%s\" at offset 0x%zx", copy, at);
  solo_target_format(&id, out);
  return SOLO_OK;
}

static solo_status read_kernels(solo_msgpack *cursor, solo_amdgpu_metadata *metadata) {
  solo_msgpack_value head;
  SOLO_TRY(solo_msgpack_expect(cursor, SOLO_MSGPACK_ARRAY, &head));
  if (head.number > cursor->bytes.size)
    return solo_fail(SOLO_BAD_IMAGE, "AMDGPU metadata: %llu kernels",
                     (unsigned long long)head.number);
  metadata->kernel_count = (uint32_t)head.number;
  metadata->kernels = *cursor;
  for (uint32_t i = 0; i < metadata->kernel_count; i++) {
    solo_amdgpu_kernel kernel;
    SOLO_TRY(solo_amdgpu_kernel_next(cursor, &kernel));
  }
  return SOLO_OK;
}

solo_status solo_amdgpu_metadata_read(solo_span note, solo_amdgpu_metadata *out) {
  solo_amdgpu_metadata metadata = {.major = 0};
  solo_msgpack cursor = {.bytes = note};
  solo_msgpack_value head, key;
  uint32_t version[3] = {0};
  SOLO_TRY(solo_msgpack_expect(&cursor, SOLO_MSGPACK_MAP, &head));
  for (uint64_t i = 0; i < head.number; i++) {
    SOLO_TRY(solo_msgpack_next(&cursor, &key));
    if (solo_msgpack_is(&key, "amdhsa.version"))
      SOLO_TRY(read_triple(&cursor, version));
    else if (solo_msgpack_is(&key, "amdhsa.target"))
      SOLO_TRY(read_target(&cursor, metadata.target));
    else if (solo_msgpack_is(&key, "amdhsa.kernels"))
      SOLO_TRY(read_kernels(&cursor, &metadata));
    else
      SOLO_TRY(solo_msgpack_skip(&cursor));
  }
  if (version[0] != 1)
    return solo_fail(SOLO_BAD_IMAGE, "AMDGPU metadata: version %u.%u, known is 1.x", version[0],
                     version[1]);
  metadata.major = version[0];
  metadata.minor = version[1];
  *out = metadata;
  return SOLO_OK;
}

solo_status solo_amdgpu_metadata_open(const solo_elf *elf, solo_amdgpu_metadata *out) {
  solo_span note;
  SOLO_TRY(solo_elf_note(elf, "AMDGPU", NT_AMDGPU_METADATA, &note));
  return solo_amdgpu_metadata_read(note, out);
}
