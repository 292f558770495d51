/* Description: the best image is chosen. The error lists each other image with number, target and
 * reason. */
#include "runtime/image/choose.h"

#include "tests/unit/test.h"

typedef struct code {
  Elf64_Ehdr header;
} code;

static code amd(uint32_t flags) {
  return (code){{.e_ident = {0x7f, 'E', 'L', 'F', 2, 1, 1, 64, 3},
                 .e_type = ET_DYN,
                 .e_machine = SOLO_EM_AMDGPU,
                 .e_version = 1,
                 .e_flags = flags,
                 .e_ehsize = 64}};
}

static uint32_t score(void *device, const solo_image *image, char *reason, size_t size) {
  return solo_target_score(image->target, device, reason, size);
}

static solo_status consider(solo_choice *choice, const void *bytes, size_t size,
                            const char *device) {
  return solo_choice_consider(choice, solo_span_of(bytes, size), score, (void *)(uintptr_t)device);
}

int main(void) {
  static const char bitcode[] = "BC\xc0\xde rest of it";
  code any = amd(0x53f), xnack = amd(0x73f), off = amd(0x63f), cut = amd(0x53f);
  cut.header.e_shoff = 4096, cut.header.e_shnum = 1, cut.header.e_shentsize = 64;
  solo_choice choice;

  solo_choice_begin(&choice, 4, 0, "gfx1100");
  CHECK_INT(consider(&choice, &any, sizeof any, "gfx1100"), SOLO_OK);
  CHECK_INT(consider(&choice, &xnack, sizeof xnack, "gfx1100"), SOLO_OK);
  CHECK_INT(consider(&choice, &cut, sizeof cut, "gfx1100"), SOLO_OK);
  CHECK_INT(consider(&choice, bitcode, sizeof bitcode - 1, "gfx1100"), SOLO_OK);
  CHECK_INT(solo_choice_result(&choice), SOLO_INCOMPATIBLE);
  const char *text = solo_error_last()->text;
  CHECK_HAS(text, "image 1 of 4: gfx90a, device 0 is gfx1100: different processor\n");
  CHECK_HAS(text, "image 2 of 4: gfx90a:xnack+, device 0 is gfx1100: different processor\n");
  CHECK_HAS(text, "image 3 of 4: malformed, device 0 is gfx1100: ELF: section header table");
  CHECK_HAS(text, "image 4 of 4: LLVM bitcode, device 0 is gfx1100: ");
  CHECK_INT(choice.refused, 4);
  solo_choice_end(&choice);

  /* An image that names the feature is preferred, independent of the order. */
  solo_choice_begin(&choice, 3, 1, "gfx90a:xnack+");
  CHECK_INT(consider(&choice, &any, sizeof any, "gfx90a:xnack+"), SOLO_OK);
  CHECK_INT(consider(&choice, &xnack, sizeof xnack, "gfx90a:xnack+"), SOLO_OK);
  CHECK_INT(consider(&choice, &off, sizeof off, "gfx90a:xnack+"), SOLO_OK);
  CHECK_INT(solo_choice_result(&choice), SOLO_OK);
  CHECK_INT(choice.index, 2);
  CHECK(choice.image.bytes.data == (const uint8_t *)&xnack);
  CHECK_INT(choice.refused, 1);
  CHECK_HAS(choice.text, "image 3 of 3: gfx90a:xnack-, device 1 is gfx90a:xnack+: needs xnack off");
  solo_choice_end(&choice);

  solo_choice_begin(&choice, 2, 1, "gfx90a");
  CHECK_INT(consider(&choice, &any, sizeof any, "gfx90a"), SOLO_OK);
  CHECK_INT(consider(&choice, &any, sizeof any, "gfx90a"), SOLO_OK);
  CHECK_INT(choice.index, 1);
  solo_choice_end(&choice);

  /* Without an image, then with more rejections than the text can hold. */
  solo_choice_begin(&choice, 0, 0, "gfx1100");
  CHECK_INT(solo_choice_result(&choice), SOLO_INCOMPATIBLE);
  CHECK_HAS(solo_error_last()->text, "no image");
  solo_choice_begin(&choice, 1000, 0, "gfx1100");
  for (int i = 0; i < 1000; i++) CHECK_INT(consider(&choice, &any, sizeof any, "gfx1100"), SOLO_OK);
  CHECK_INT(choice.refused, 1000);
  CHECK(strlen(choice.text) < SOLO_CHOICE_TEXT && strlen(choice.text) > 900);
  solo_choice_end(&choice);
  return TEST_RESULT();
}
