/* Description: checks the readers of AMDGPU metadata (real code objects, every argument kind) and
 * MessagePack. */
#include "runtime/image/amdgpu_metadata.h"

#include "tests/images/files.h"

static void open_file(const char *name, solo_span *bytes, solo_amdgpu_metadata *metadata) {
  solo_elf elf;
  *bytes = file_load(name);
  CHECK_INT(solo_elf_open(*bytes, &elf), SOLO_OK);
  CHECK_INT(solo_amdgpu_metadata_open(&elf, metadata), SOLO_OK);
}

/* llvm-readelf --notes prints these offsets for a code object (version 5) of clang-19. */
static void arguments_v5(const solo_amdgpu_kernel *kernel) {
  static const struct {
    solo_amdgpu_argument_kind kind;
    uint32_t offset, size;
  } expected[] = {
      {SOLO_AMDGPU_GLOBAL_BUFFER, 0, 8},
      {SOLO_AMDGPU_GLOBAL_BUFFER, 8, 8},
      {SOLO_AMDGPU_BY_VALUE, 16, 4},
      {SOLO_AMDGPU_DYNAMIC_SHARED_POINTER, 20, 4},
      {SOLO_AMDGPU_BY_VALUE, 24, 8},
      {SOLO_AMDGPU_HIDDEN_BLOCK_COUNT_X, 32, 4},
      {SOLO_AMDGPU_HIDDEN_BLOCK_COUNT_Y, 36, 4},
      {SOLO_AMDGPU_HIDDEN_BLOCK_COUNT_Z, 40, 4},
      {SOLO_AMDGPU_HIDDEN_GROUP_SIZE_X, 44, 2},
      {SOLO_AMDGPU_HIDDEN_GROUP_SIZE_Y, 46, 2},
      {SOLO_AMDGPU_HIDDEN_GROUP_SIZE_Z, 48, 2},
      {SOLO_AMDGPU_HIDDEN_REMAINDER_X, 50, 2},
      {SOLO_AMDGPU_HIDDEN_REMAINDER_Y, 52, 2},
      {SOLO_AMDGPU_HIDDEN_REMAINDER_Z, 54, 2},
      {SOLO_AMDGPU_HIDDEN_GLOBAL_OFFSET_X, 72, 8},
      {SOLO_AMDGPU_HIDDEN_GLOBAL_OFFSET_Y, 80, 8},
      {SOLO_AMDGPU_HIDDEN_GLOBAL_OFFSET_Z, 88, 8},
      {SOLO_AMDGPU_HIDDEN_GRID_DIMS, 96, 2},
      {SOLO_AMDGPU_HIDDEN_DYNAMIC_LDS_SIZE, 152, 4},
  };
  solo_msgpack cursor = kernel->arguments;
  CHECK_INT(kernel->argument_count, sizeof expected / sizeof expected[0]);
  for (uint32_t i = 0; i < kernel->argument_count && i < sizeof expected / sizeof expected[0];
       i++) {
    solo_amdgpu_argument argument;
    CHECK_INT(solo_amdgpu_argument_next(&cursor, &argument), SOLO_OK);
    CHECK_TEXT(solo_amdgpu_argument_kind_name(argument.kind),
               solo_amdgpu_argument_kind_name(expected[i].kind));
    CHECK_INT(argument.offset, expected[i].offset);
    CHECK_INT(argument.size, expected[i].size);
    CHECK_INT(solo_amdgpu_argument_is_hidden(argument.kind), i >= 5);
  }
}

static void version_5(void) {
  solo_span bytes;
  solo_amdgpu_metadata metadata;
  solo_amdgpu_kernel kernel;
  open_file("gfx900.co", &bytes, &metadata);
  CHECK_INT(metadata.major, 1);
  CHECK_INT(metadata.minor, 2);
  CHECK_TEXT(metadata.target, "gfx900");
  CHECK_INT(metadata.kernel_count, 2);
  CHECK_INT(solo_amdgpu_kernel_find(&metadata, "add", &kernel), SOLO_OK);
  CHECK(kernel.symbol.size == 6 && memcmp(kernel.symbol.data, "add.kd", 6) == 0);
  CHECK_INT(kernel.kernarg_size, 288);
  CHECK_INT(kernel.kernarg_align, 8);
  CHECK_INT(kernel.explicit_size, 32);
  CHECK_INT(kernel.group_size, 0);
  CHECK_INT(kernel.private_size, 0);
  CHECK_INT(kernel.max_threads, 256);
  CHECK_INT(kernel.wavefront_size, 64);
  CHECK_INT(kernel.uses_dynamic_stack, 0);
  CHECK_INT(kernel.uniform_work_group_size, 1);
  CHECK(kernel.sgpr_count > 0 && kernel.vgpr_count > 0);
  arguments_v5(&kernel);
  CHECK_INT(solo_amdgpu_kernel_find(&metadata, "one", &kernel), SOLO_OK);
  CHECK_INT(kernel.kernarg_size, 8);
  CHECK_INT(kernel.argument_count, 1);
  CHECK_INT(solo_amdgpu_kernel_find(&metadata, "add.kd", &kernel), SOLO_NOT_FOUND);
  file_free(bytes);
  open_file("gfx1030.co", &bytes, &metadata);
  CHECK_INT(solo_amdgpu_kernel_find(&metadata, "one", &kernel), SOLO_OK);
  CHECK_INT(kernel.wavefront_size, 32);
  file_free(bytes);
}

static void other_versions(void) {
  solo_span bytes;
  solo_amdgpu_metadata metadata;
  solo_amdgpu_kernel kernel;
  open_file("v4.co", &bytes, &metadata);
  CHECK_INT(metadata.minor, 1);
  CHECK_TEXT(metadata.target, "gfx906:sramecc+:xnack-");
  CHECK_INT(solo_amdgpu_kernel_find(&metadata, "add", &kernel), SOLO_OK);
  CHECK_INT(kernel.explicit_size, 32);
  file_free(bytes);
  open_file("v6.co", &bytes, &metadata);
  CHECK_INT(metadata.minor, 2);
  CHECK_TEXT(metadata.target, "gfx9-generic");
  CHECK_INT(solo_amdgpu_kernel_find(&metadata, "one", &kernel), SOLO_OK);
  file_free(bytes);
  solo_elf elf;
  bytes = file_load("x86_64.so");
  CHECK_INT(solo_elf_open(bytes, &elf), SOLO_OK);
  CHECK_INT(solo_amdgpu_metadata_open(&elf, &metadata), SOLO_NOT_FOUND);
  file_free(bytes);
}

static void message_pack(void) {
  static const struct {
    const char *bytes;
    size_t size;
    solo_msgpack_kind kind;
    uint64_t number;
  } forms[] = {
      {"\x05", 1, SOLO_MSGPACK_UINT, 5},
      {"\xff", 1, SOLO_MSGPACK_INT, UINT64_MAX},
      {"\xc0", 1, SOLO_MSGPACK_NIL, 0},
      {"\xc2", 1, SOLO_MSGPACK_BOOL, 0},
      {"\xc3", 1, SOLO_MSGPACK_BOOL, 1},
      {"\xcc\x80", 2, SOLO_MSGPACK_UINT, 128},
      {"\xcd\x12\x34", 3, SOLO_MSGPACK_UINT, 0x1234},
      {"\xce\x12\x34\x56\x78", 5, SOLO_MSGPACK_UINT, 0x12345678},
      {"\xcf\x01\x02\x03\x04\x05\x06\x07\x08", 9, SOLO_MSGPACK_UINT, 0x0102030405060708},
      {"\xd0\x80", 2, SOLO_MSGPACK_INT, (uint64_t)-128},
      {"\xd0\x7f", 2, SOLO_MSGPACK_UINT, 127},
      {"\xd1\xff\xfe", 3, SOLO_MSGPACK_INT, (uint64_t)-2},
      {"\xd2\x00\x00\x00\x07", 5, SOLO_MSGPACK_UINT, 7},
      {"\xd3\xff\xff\xff\xff\xff\xff\xff\xfd", 9, SOLO_MSGPACK_INT, (uint64_t)-3},
      {"\xca\x3f\x80\x00\x00", 5, SOLO_MSGPACK_FLOAT, 0x3f800000},
      {"\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00", 9, SOLO_MSGPACK_FLOAT, 0x3ff0000000000000},
      {"\xa3"
       "abc",
       4, SOLO_MSGPACK_STRING, 3},
      {"\xd9\x03"
       "abc",
       5, SOLO_MSGPACK_STRING, 3},
      {"\xda\x00\x03"
       "abc",
       6, SOLO_MSGPACK_STRING, 3},
      {"\xdb\x00\x00\x00\x03"
       "abc",
       8, SOLO_MSGPACK_STRING, 3},
      {"\xc4\x02"
       "ab",
       4, SOLO_MSGPACK_BYTES, 2},
      {"\xc7\x02\x55"
       "ab",
       5, SOLO_MSGPACK_BYTES, 2},
      {"\xd4\x55"
       "a",
       3, SOLO_MSGPACK_BYTES, 1},
      {"\xd8\x55"
       "0123456789abcdef",
       18, SOLO_MSGPACK_BYTES, 16},
      {"\x92\x01\x02", 3, SOLO_MSGPACK_ARRAY, 2},
      {"\xdc\x00\x01\xc0", 4, SOLO_MSGPACK_ARRAY, 1},
      {"\x81\x01\x92\xc0\xa1"
       "x",
       6, SOLO_MSGPACK_MAP, 1},
      {"\xdf\x00\x00\x00\x01\x01\x02", 7, SOLO_MSGPACK_MAP, 1},
  };
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    uint8_t *exact = malloc(forms[i].size);
    memcpy(exact, forms[i].bytes, forms[i].size);
    solo_msgpack cursor = {.bytes = {exact, forms[i].size}}, all = cursor;
    solo_msgpack_value value;
    CHECK_INT(solo_msgpack_next(&cursor, &value), SOLO_OK);
    CHECK_INT(value.kind, forms[i].kind);
    CHECK_INT(value.number, forms[i].number);
    if (value.kind == SOLO_MSGPACK_STRING) CHECK(solo_msgpack_is(&value, "abc"));
    CHECK_INT(solo_msgpack_skip(&all), SOLO_OK);
    CHECK_INT(all.at, forms[i].size);
    for (size_t cut = 0; cut < forms[i].size; cut++) {
      solo_msgpack less = {.bytes = {exact, cut}};
      CHECK_INT(solo_msgpack_skip(&less), SOLO_BAD_IMAGE);
    }
    free(exact);
  }
  /* An array header with 2^32 - 1 elements allocates nothing. */
  solo_msgpack huge = {.bytes = solo_span_of("\xdd\xff\xff\xff\xff\x01", 6)};
  CHECK_INT(solo_msgpack_skip(&huge), SOLO_BAD_IMAGE);
}

int main(int argc, char **argv) {
  if (argc > 1) files_folder = argv[1];
  version_5();
  other_versions();
  message_pack();
  return TEST_RESULT();
}
