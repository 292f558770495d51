/* Description: kernel parameters are read from PTX, .nv.info of cubins, metadata of code objects
 * (argument: a file) and C++ names. A damaged image yields parameters or an error with its place,
 * and the reader accesses no other memory. */
#include "runtime/image/elf.h"
#include "runtime/image/mangled.h"
#include "runtime/image/target_parameters.h"
#include "tests/unit/test.h"

#include <stdlib.h>

static const char ptx[] =
    "// comment .entry not (\n.version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry empty()\n{ ret; }\n"
    ".visible .entry none\n{ ret; }\n"
    ".visible .entry foo(\n .param .u64 .ptr .global .align 16 foo_param_0,\n"
    " .param .u8 foo_param_1,\n .param .f64 foo_param_2,\n"
    " .param .align 4 .b8 foo_param_3[20],\n .param .u16 foo_param_4\n)\n{ ret; }\n";

static solo_status read_ptx(const char *text, size_t size, const char *name, solo_parameters *out) {
  solo_image image = {.kind = SOLO_IMAGE_PTX, .bytes = solo_span_of(text, size)};
  return solo_target_parameters(&image, name, out);
}

static void expect(const solo_parameters *p, uint32_t count, const uint32_t (*want)[2]) {
  CHECK_INT(p->count, count);
  for (uint32_t i = 0; i < count && i < p->count; i++) {
    CHECK_INT(p->list[i].offset, want[i][0]);
    CHECK_INT(p->list[i].bytes, want[i][1]);
  }
}

static const uint32_t foo[5][2] = {{0, 8}, {8, 1}, {16, 8}, {24, 20}, {44, 2}};

/* Tries each prefix, and each changed byte, in a block of exactly the size of the data. */
static void damage(const void *bytes, size_t size, solo_image_kind kind, const char *name) {
  size_t step = size > 4096 ? size / 2048 : 1;
  for (size_t at = 0; at <= size; at += step) {
    static const int changes[] = {-1000, 0, 255, 1, -1};
    for (size_t c = 0; c < 5; c++) {
      size_t length = c ? size : at;
      uint8_t *copy = malloc(length ? length : 1);
      if (!copy) return;
      memcpy(copy, bytes, length);
      if (c && at < size)
        copy[at] = (uint8_t)(c < 3 ? changes[c] : ((const uint8_t *)bytes)[at] + changes[c]);
      solo_image image = {.kind = kind, .bytes = solo_span_of(copy, length)};
      solo_parameters p = {NULL, 0, 0};
      solo_status status = solo_target_parameters(&image, name, &p);
      CHECK(status == SOLO_OK || status == SOLO_BAD_IMAGE || status == SOLO_NOT_FOUND);
      if (status == SOLO_OK) CHECK(p.bytes <= SOLO_MAX_PARAMETER_BYTES);
      if (status == SOLO_BAD_IMAGE) CHECK(solo_error_last()->text[0] != 0);
      if (status == SOLO_OK) free(p.list);
      free(copy);
    }
  }
}

static void check_ptx(void) {
  solo_parameters p = {NULL, 0, 0};
  CHECK_INT(read_ptx(ptx, sizeof ptx - 1, "foo", &p), SOLO_OK);
  expect(&p, 5, foo);
  CHECK_INT(p.bytes, 46);
  free(p.list);
  CHECK_INT(read_ptx(ptx, sizeof ptx - 1, "empty", &p), SOLO_OK);
  CHECK_INT(p.count, 0);
  CHECK_INT(read_ptx(ptx, sizeof ptx - 1, "none", &p), SOLO_OK);
  CHECK_INT(p.count, 0);
  CHECK_INT(read_ptx(ptx, sizeof ptx - 1, "fo", &p), SOLO_NOT_FOUND);
  static const char huge[] = ".entry foo(.param .align 4 .b8 a[99999999])";
  CHECK_INT(read_ptx(huge, sizeof huge - 1, "foo", &p), SOLO_BAD_IMAGE);
  damage(ptx, sizeof ptx - 1, SOLO_IMAGE_PTX, "foo");
}

typedef struct cubin {
  Elf64_Ehdr header;
  Elf64_Shdr sections[3];
  char names[32];
  uint8_t info[132];
} cubin;

/* The .nv.info that ptxas 13.0 writes for the PTX above, with .u32 for the first .u8. */
static const uint8_t info[132] = {
    0x04, 0x37, 0x04, 0x00, 0x82, 0x00, 0x00, 0x00, 0x04, 0x17, 0x0c, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x04, 0x00, 0x2c, 0x00, 0x00, 0xf0, 0x05, 0x00, 0x04, 0x17, 0x0c, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x03, 0x00, 0x18, 0x00, 0x00, 0xf0, 0x51, 0x00, 0x04, 0x17, 0x0c, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x02, 0x00, 0x10, 0x00, 0x00, 0xf0, 0x21, 0x00, 0x04, 0x17, 0x0c, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x08, 0x00, 0x00, 0xf0, 0x11, 0x00, 0x04, 0x17, 0x0c,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xf0, 0x21, 0x00, 0x03, 0x50,
    0x00, 0x00, 0x03, 0x1b, 0xff, 0x00, 0x03, 0x5f, 0x01, 0x01, 0x04, 0x1c, 0x04, 0x00, 0x10,
    0x00, 0x00, 0x00, 0x03, 0x19, 0x2d, 0x00, 0x04, 0x0a, 0x08, 0x00, 0x09, 0x00, 0x00, 0x00,
    0x10, 0x02, 0x2d, 0x00, 0x04, 0x36, 0x04, 0x00, 0x08, 0x00, 0x00, 0x00};

static void make_cubin(cubin *c) {
  static const char names[] = "\0.shstrtab\0.nv.info.foo";
  memset(c, 0, sizeof *c);
  memcpy(c->header.e_ident, "\177ELF\2\1\1\x41\x08", 9);
  c->header.e_type = ET_EXEC;
  c->header.e_machine = 190;
  c->header.e_version = 1;
  c->header.e_ehsize = sizeof c->header;
  c->header.e_shoff = offsetof(cubin, sections);
  c->header.e_shentsize = sizeof c->sections[0];
  c->header.e_shnum = 3;
  c->header.e_shstrndx = 1;
  memcpy(c->names, names, sizeof names);
  c->sections[1] = (Elf64_Shdr){.sh_name = 1, .sh_type = SHT_STRTAB, .sh_addralign = 1};
  c->sections[1].sh_offset = offsetof(cubin, names);
  c->sections[1].sh_size = sizeof names;
  c->sections[2] = (Elf64_Shdr){.sh_name = 11, .sh_type = SHT_LOPROC, .sh_addralign = 4};
  c->sections[2].sh_offset = offsetof(cubin, info);
  c->sections[2].sh_size = sizeof c->info;
  memcpy(c->info, info, sizeof info);
}

static void check_cubin(void) {
  static const uint32_t want[5][2] = {{0, 8}, {8, 4}, {16, 8}, {24, 20}, {44, 1}};
  cubin c;
  make_cubin(&c);
  solo_image image = {.kind = SOLO_IMAGE_ELF, .bytes = solo_span_of(&c, sizeof c)};
  solo_parameters p = {NULL, 0, 0};
  CHECK_INT(solo_target_parameters(&image, "foo", &p), SOLO_OK);
  expect(&p, 5, want);
  free(p.list);
  CHECK_INT(solo_target_parameters(&image, "other", &p), SOLO_NOT_FOUND);
  damage(&c, sizeof c, SOLO_IMAGE_ELF, "foo");
}

static void check_code_object(const char *path) {
  static const uint32_t want[3][2] = {{0, 8}, {8, 8}, {16, 8}};
  static uint8_t bytes[1 << 20];
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL);
  if (!file) return;
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  solo_image image = {.kind = SOLO_IMAGE_ELF, .bytes = solo_span_of(bytes, size)};
  solo_parameters p = {NULL, 0, 0};
  CHECK_INT(solo_target_parameters(&image, "scale", &p), SOLO_OK);
  expect(&p, 3, want);
  free(p.list);
  CHECK_INT(solo_target_parameters(&image, "other", &p), SOLO_NOT_FOUND);
  damage(bytes, size, SOLO_IMAGE_ELF, "scale");
}

static void check_name(const char *name, int count, const char *sizes) {
  uint8_t found[SOLO_MANGLED_MOST];
  uint32_t found_count = 0;
  solo_status status = solo_mangled_parameters(name, found, &found_count);
  if (count < 0) {
    CHECK_INT(status, SOLO_NOT_FOUND);
    return;
  }
  CHECK_INT(status, SOLO_OK);
  CHECK_INT(found_count, count);
  for (int i = 0; i < count && i < (int)found_count; i++)
    CHECK_INT(found[i] & 0x3f, sizes[i] - '0');
}

static void check_names(void) {
  check_name("_Z6addOnePi", 1, "8");               /* addOne(int *) */
  check_name("_Z1fv", 0, "");                      /* f() */
  check_name("_Z1fifdb", 4, "4481");               /* f(int, float, double, bool) */
  check_name("_ZN2ns1fEPKfS1_m", 3, "888");        /* ns::f(float const *, same, unsigned long) */
  check_name("_Z1fPN2ns4dataES1_RKS0_", 3, "888"); /* f(ns::data *, same, ns::data const &) */
  check_name("_ZL6staticPvl", 2, "88");            /* internal linkage */
  check_name("_Z1fPPKPfi", 2, "84");               /* f(float *const **, int) */
  check_name("_Z1fPi.cold", 1, "8");               /* a clone that the compiler created */
  check_name("_Z1fIfEvPT_", -1, NULL);             /* a template */
  check_name("_Z1f4data", -1, NULL);               /* a class by value */
  check_name("_Z1fPFviE", -1, NULL);               /* a function pointer: not supported */
  check_name("_Z1fS_", -1, NULL);                  /* invalid reference */
  check_name("_Z99999999999999999999f", -1, NULL);
  check_name("_ZN", -1, NULL);
  check_name("_ZN1", -1, NULL);
  check_name("_Z1fPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPi", -1, NULL);
  check_name("addOne", -1, NULL);
  check_name("", -1, NULL);
}

int main(int argc, char **argv) {
  check_ptx();
  check_cubin();
  if (argc > 1) check_code_object(argv[1]);
  check_names();
  return TEST_RESULT();
}
