/* Description: the kernarg segment of each kernel of a code object agrees byte by byte with the
 * metadata that llvm-readelf prints (standard input, see layout.awk). */
#include "backends/hsa/hsa_kernarg.h"

#include "tests/images/files.h"

enum { MOST_FIELDS = 64, MOST_BYTES = 1024 };

static const solo_hsa_launch_values values = {.teams = {301, 7, 5},
                                              .threads = {64, 3, 2},
                                              .dynamic_lds = 0x1234,
                                              .private_base = 0xaaaa0001,
                                              .shared_base = 0xaaaa0002,
                                              .printf_buffer = 0xbbbbbbbb00000001,
                                              .hostcall_buffer = 0xbbbbbbbb00000002,
                                              .heap = 0xbbbbbbbb00000003,
                                              .default_queue = 0xbbbbbbbb00000004,
                                              .completion_action = 0xbbbbbbbb00000005,
                                              .multigrid_sync = 0xbbbbbbbb00000006,
                                              .queue = 0xbbbbbbbb00000007};

/* Expected values of hidden arguments (LLVM's AMDGPU usage guide). */
static const struct {
  const char *kind;
  uint64_t value;
} expected[] = {
    {"hidden_block_count_x", 301},
    {"hidden_block_count_y", 7},
    {"hidden_block_count_z", 5},
    {"hidden_group_size_x", 64},
    {"hidden_group_size_y", 3},
    {"hidden_group_size_z", 2},
    {"hidden_remainder_x", 0},
    {"hidden_remainder_y", 0},
    {"hidden_remainder_z", 0},
    {"hidden_global_offset_x", 0},
    {"hidden_global_offset_y", 0},
    {"hidden_global_offset_z", 0},
    {"hidden_grid_dims", 3},
    {"hidden_none", 0},
    {"hidden_printf_buffer", 0xbbbbbbbb00000001},
    {"hidden_hostcall_buffer", 0xbbbbbbbb00000002},
    {"hidden_heap_v1", 0xbbbbbbbb00000003},
    {"hidden_default_queue", 0xbbbbbbbb00000004},
    {"hidden_completion_action", 0xbbbbbbbb00000005},
    {"hidden_multigrid_sync_arg", 0xbbbbbbbb00000006},
    {"hidden_dynamic_lds_size", 0x1234},
    {"hidden_private_base", 0xaaaa0001},
    {"hidden_shared_base", 0xaaaa0002},
    {"hidden_queue_ptr", 0xbbbbbbbb00000007},
};

typedef struct field {
  char kind[64];
  unsigned offset, size;
} field;

static uint64_t expected_value(const char *kind) {
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
    if (strcmp(expected[i].kind, kind) == 0) return expected[i].value;
  printf("unknown kind %s\n", kind);
  CHECK(!"known kind");
  return 0;
}

static void compare(const field *f, const uint8_t *segment, const uint8_t *arguments,
                    uint8_t *seen) {
  uint64_t value = 0;
  bool hidden = strncmp(f->kind, "hidden_", 7) == 0;
  CHECK(f->offset + f->size <= MOST_BYTES && f->size <= 8);
  memcpy(&value, segment + f->offset, f->size);
  if (hidden) {
    CHECK_INT(value, expected_value(f->kind));
  } else {
    CHECK(memcmp(segment + f->offset, arguments + f->offset, f->size) == 0);
  }
  for (unsigned i = 0; i < f->size; i++) {
    CHECK_INT(seen[f->offset + i], 0); /* fields do not overlap */
    seen[f->offset + i] = 1;
  }
  printf("  %4u %2u  %-28s 0x%llx\n", f->offset, f->size, f->kind, (unsigned long long)value);
}

static void check_kernel(const solo_amdgpu_metadata *metadata, const char *name, unsigned size,
                         unsigned align, const field *fields, unsigned count) {
  solo_amdgpu_kernel kernel;
  solo_hsa_kernarg_layout layout;
  uint8_t arguments[MOST_BYTES], segment[MOST_BYTES + 16], seen[MOST_BYTES] = {0};
  for (unsigned i = 0; i < MOST_BYTES; i++) arguments[i] = (uint8_t)(0xc0 + i % 53);
  memset(segment, 0xee, sizeof segment);
  CHECK_INT(solo_amdgpu_kernel_find(metadata, name, &kernel), SOLO_OK);
  CHECK_INT(solo_hsa_kernarg_layout_of(&kernel, &layout), SOLO_OK);
  CHECK_INT(layout.size, size);
  CHECK_INT(layout.align, align);
  CHECK_INT(kernel.argument_count, count);
  CHECK(size <= MOST_BYTES);
  CHECK_INT(solo_hsa_kernarg_fill(&layout, &values, arguments, layout.explicit_size, segment),
            SOLO_OK);
  printf("%s: %u bytes, aligned to %u, %u of the caller\n", name, size, align,
         layout.explicit_size);
  for (unsigned i = 0; i < count; i++) compare(&fields[i], segment, arguments, seen);
  for (unsigned i = layout.explicit_size; i < size; i++)
    /* bytes of the segment that belong to no argument are zero */
    if (!seen[i]) CHECK_INT(segment[i], 0);
  for (unsigned i = size; i < size + 16; i++) CHECK_INT(segment[i], 0xee);
  CHECK_INT(solo_hsa_kernarg_fill(&layout, &values, arguments, layout.explicit_size + 9, segment),
            SOLO_INVALID);
  if (layout.explicit_size)
    CHECK_INT(solo_hsa_kernarg_fill(&layout, &values, arguments, layout.explicit_size - 1, segment),
              SOLO_INVALID);
}

int main(int argc, char **argv) {
  static field fields[MOST_FIELDS];
  unsigned count = 0, kernels = 0, size, align;
  char word[16], text[256];
  solo_elf elf;
  solo_amdgpu_metadata metadata;
  if (argc != 3) return 2;
  files_folder = argv[1];
  solo_span bytes = file_load(argv[2]);
  CHECK_INT(solo_elf_open(bytes, &elf), SOLO_OK);
  CHECK_INT(solo_amdgpu_metadata_open(&elf, &metadata), SOLO_OK);
  while (scanf("%15s %255s %u %u", word, text, &size, &align) == 4) {
    if (strcmp(word, "argument") == 0 && count < MOST_FIELDS) {
      snprintf(fields[count].kind, sizeof fields[count].kind, "%.63s", text);
      fields[count].offset = size, fields[count].size = align;
      count++;
    } else {
      check_kernel(&metadata, text, size, align, fields, count);
      kernels++, count = 0;
    }
  }
  CHECK_INT(kernels, metadata.kernel_count);
  CHECK(kernels > 0);
  file_free(bytes);
  return TEST_RESULT();
}
